// SPDX-License-Identifier: BSD-3-Clause
// Floods without markers, with markers outside the mask, of constant images, of NaN, and of stacks of one slice.
// expect: 0.0 0.0 0.0 0.0 0.0
// expect: 0.0 0.0 0.0 0.0 0.0
// expect: 1.0 1.0 0.0 2.0 2.0
// expect: 1.0 1.0 1.0 2.0 2.0
// expect: 1.0 0.0 2.0 2.0 2.0
// expect: 255.0 255.0 255.0 255.0 255.0
// expect: 1.0 0.0 1.0 0.0 1.0
// expect: NaN NaN NaN
// expect: NaN NaN NaN
// expect: NaN NaN NaN
// expect: slice 7 7
// expect: 0.0 0.0 0.0
// expect: 0.0 0.0 0.0
// expect: 0.0 0.0 0.0
// error: reconstructionByDilation: marker has 5 x 1 x 1 pixels and mask 3 x 3 x 1; both must have the same size
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(flat, newArray(4,4,4,4,4), 5, 1);
Ext.CLIJ2_pushArray2D(none, newArray(0,0,0,0,0), 5, 1);
Ext.CLIJ2_pushArray2D(all, newArray(1,1,1,1,1), 5, 1);
Ext.CLIJ2_pushArray2D(ends, newArray(6,0,0,0,6), 5, 1);
Ext.CLIJ2_pushArray2D(centre, newArray(0,1,1,1,0), 5, 1);
Ext.CLIJx_morphoLibJMarkerControlledWatershed(flat, none, all, a);
Ext.CLIJ2_print(a);
Ext.CLIJx_morphoLibJMarkerControlledWatershed(flat, ends, centre, b);
Ext.CLIJ2_print(b);
Ext.CLIJx_morphoLibJMarkerControlledWatershed(flat, ends, all, d);
Ext.CLIJ2_print(d);
Ext.Drua_markerControlledWatershed(flat, ends, all, e, 4, false, true);
Ext.CLIJ2_print(e);
Ext.CLIJ2_pushArray2D(gap, newArray(0,NaN,1,2,0), 5, 1);
Ext.CLIJx_morphoLibJMarkerControlledWatershed(gap, ends, all, f);
Ext.CLIJ2_print(f);
Ext.CLIJx_morphoLibJExtendedMaxima(flat, g, 10);
Ext.CLIJ2_print(g);
Ext.CLIJ2_pushArray2D(islands, newArray(1,NaN,5,NaN,3), 5, 1);
Ext.Drua_extendedMaxima(islands, h, 1, 4, 1);
Ext.CLIJ2_print(h);

// A hole with a rim of NaN has no lowest value around it.
Ext.CLIJ2_pushArray2D(ring, newArray(NaN,NaN,NaN,NaN,2,NaN,NaN,NaN,NaN), 3, 3);
Ext.CLIJx_morphoLibJFillHoles(ring, filled);
Ext.CLIJ2_print(filled);
Ext.CLIJ2_create3D(slice, 3, 3, 1, 8);
Ext.CLIJ2_set(slice, 7);
Ext.CLIJ2_drawBox(slice, 1, 1, 0, 0, 0, 0, 2);
Ext.CLIJx_morphoLibJFillHoles(slice, whole);
Ext.CLIJ2_getMinimumOfAllPixels(whole, low);
Ext.CLIJ2_getMaximumOfAllPixels(whole, high);
print("slice " + low, high);
Ext.Drua_killBorders(whole, left, 8);
Ext.CLIJ2_print(left);
Ext.Drua_reconstructionByDilation(flat, ring, r, 4);
