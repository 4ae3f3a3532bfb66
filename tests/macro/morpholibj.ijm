// SPDX-License-Identifier: BSD-3-Clause
// Commands of clijx-assistant-extensions that call MorphoLibJ there. The expected values were worked out by hand from
// MorphoLibJ's rules: floods go by grey value, then by first contact.
// expect: basins
// expect: 1.0 0.0 2.0 2.0
// expect: 1.0 0.0 2.0 2.0
// expect: 1.0 0.0 2.0 2.0
// expect: 1.0 0.0 2.0 2.0
// expect: 1.0 0.0 2.0 2.0
// expect: 1.0 0.0 2.0 2.0
// expect: masked
// expect: 1.0 1.0 0.0 2.0 2.0
// expect: holes
// expect: 0.0 0.0 0.0 0.0 0.0 0.0 0.0
// expect: 0.0 3.0 3.0 3.0 4.0 4.0 4.0
// expect: 0.0 3.0 3.0 3.0 4.0 4.0 4.0
// expect: 0.0 3.0 3.0 3.0 4.0 4.0 4.0
// expect: 0.0 0.0 0.0 0.0 0.0 4.0 0.0
// expect: cavity 0 5
// expect: maxima
// expect: 0.0 255.0 0.0 255.0 255.0 255.0 0.0 0.0 0.0
// expect: minima
// expect: 255.0 0.0 255.0 0.0 0.0 0.0 255.0 0.0 255.0
// error: CLIJx_morphoLibJMarkerControlledWatershed: source has 9 x 1 x 1 pixels and markers 4 x 3 x 1; both must have the same size
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(inv, newArray(9,9,9,9,1,9,1,9,9,9,9,9), 4, 3);
Ext.CLIJ2_pushArray2D(seeds, newArray(0,0,0,0,1,0,2,0,0,0,0,0), 4, 3);
Ext.CLIJ2_pushArray2D(mask, newArray(1,1,1,1,1,1,1,1,1,1,1,1), 4, 3);
print("basins");
Ext.CLIJx_morphoLibJMarkerControlledWatershed(inv, seeds, mask, labels);
Ext.CLIJ2_print(labels);
Ext.CLIJx_morphoLibJFillHoles(labels, filled);
Ext.CLIJ2_print(filled);

// Markers are renumbered in raster order. Pixels outside the mask stay 0, except beside a marker.
Ext.CLIJ2_pushArray2D(valley, newArray(1,2,9,2,1), 5, 1);
Ext.CLIJ2_pushArray2D(ends, newArray(8,0,0,0,4), 5, 1);
Ext.CLIJ2_pushArray2D(inside, newArray(1,0,0,1,1), 5, 1);
Ext.CLIJx_morphoLibJMarkerControlledWatershed(valley, ends, inside, basins);
print("masked");
Ext.CLIJ2_print(basins);

// A hole gets the lowest label around it.
Ext.CLIJ2_pushArray2D(map, newArray(0,0,0,0,0,0,0, 0,3,3,3,4,4,4, 0,3,0,3,4,0,4, 0,3,3,3,4,4,4, 0,0,0,0,0,4,0), 7, 5);
Ext.CLIJx_morphoLibJFillHoles(map, whole);
print("holes");
Ext.CLIJ2_print(whole);
Ext.CLIJ2_create3D(ball, 5, 5, 5, 16);
Ext.CLIJ2_drawBox(ball, 1, 1, 1, 2, 2, 2, 5);
Ext.CLIJ2_drawBox(ball, 2, 2, 2, 0, 0, 0, 0);
Ext.CLIJx_morphoLibJFillHoles(ball, full);
Ext.CLIJ2_crop3D(ball, before, 2, 2, 2, 1, 1, 1);
Ext.CLIJ2_crop3D(full, after, 2, 2, 2, 1, 1, 1);
Ext.CLIJ2_getMaximumOfAllPixels(before, b);
Ext.CLIJ2_getMaximumOfAllPixels(after, a);
print("cavity " + b, a);

Ext.CLIJ2_pushArray2D(hills, newArray(0,5,0,9,8,9,0,3,0), 9, 1);
print("maxima");
Ext.CLIJx_morphoLibJExtendedMaxima(hills, tops, 3);
Ext.CLIJ2_print(tops);
print("minima");
Ext.CLIJx_morphoLibJExtendedMinima(hills, lows, 2);
Ext.CLIJ2_print(lows);
Ext.CLIJx_morphoLibJMarkerControlledWatershed(hills, seeds, mask, none);
