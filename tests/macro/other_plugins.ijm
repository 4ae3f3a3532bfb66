// SPDX-License-Identifier: BSD-3-Clause
// Commands of clijx-assistant-extensions that call other plugins there. The expected values were worked out by hand.
// expect: borders
// expect: 1.0 1.0 1.0 2.0 2.0 2.0 2.0
// expect: objects
// expect: 1.0 1.0 1.0 1.0 1.0 2.0 2.0 2.0
// expect: sides
// expect: 1.0 0.0 2.0
// expect: 0.0 3.0 0.0
// expect: 1.0 0.0 2.0
// expect: 0.0 3.0 0.0
// expect: 1.0 0.0 2.0
// expect: 0.0 3.0 0.0
// expect: corners
// expect: 1.0 0.0 1.0
// expect: 0.0 1.0 0.0
// expect: medians
// expect: 5.0 5.0 7.0 9.0 11.0
// expect: 5.0 5.0 7.0 9.0 11.0
// expect: 4.0
// expect: holes 0 1
// expect: 25
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(valleys, newArray(9,1,9,4,5,2,9), 7, 1);
print("borders");
Ext.CLIJx_morphoLibJMorphologicalSegmentationLabelBorderImage(valleys, basins, 2);
Ext.CLIJ2_print(basins);
Ext.CLIJ2_pushArray2D(steps, newArray(10,10,10,10,2,2,2,2), 8, 1);
print("objects");
Ext.CLIJx_morphoLibJMorphologicalSegmentationLabelObjectImage(steps, halves, 1, 3);
Ext.CLIJ2_print(halves);

Ext.CLIJ2_pushArray2D(cross, newArray(1,0,1,0,1,0), 3, 2);
print("sides");
Ext.CLIJx_morphoLibJConnectedComponentsLabeling(cross, a);
Ext.CLIJ2_print(a);
Ext.CLIJx_morphoLibJFloodFillComponentsLabeling(cross, b);
Ext.CLIJ2_print(b);
Ext.CLIJx_simpleITKConnectedComponent(cross, c);
Ext.CLIJ2_print(c);
print("corners");
Ext.CLIJx_imageJ3DSuiteConnectedComponentsLabeling(cross, d);
Ext.CLIJ2_print(d);

Ext.CLIJ2_pushArray2D(line, newArray(5,1,7,9,11), 5, 1);
print("medians");
Ext.CLIJx_simpleITKMedian(line, e, 1, 0, 0);
Ext.CLIJ2_print(e);
Ext.CLIJx_imageJ2MedianBox(line, f, 1, 0, 0);
Ext.CLIJ2_print(f);
Ext.CLIJ2_pushArray(stack, newArray(4,9,2), 1, 1, 3);
Ext.CLIJx_simpleITKMedianProjection(stack, g);
Ext.CLIJ2_print(g);

Ext.CLIJ2_create2D(ring, 5, 5, 8);
Ext.CLIJ2_set(ring, 0);
Ext.CLIJ2_drawBox(ring, 1, 1, 0, 2, 2, 0, 1);
Ext.CLIJ2_drawBox(ring, 2, 2, 0, 0, 0, 0, 0);
Ext.CLIJx_imageJFillHoles(ring, full);
Ext.CLIJ2_crop2D(ring, before, 2, 2, 1, 1);
Ext.CLIJ2_crop2D(full, after, 2, 2, 1, 1);
Ext.CLIJ2_getMaximumOfAllPixels(before, was);
Ext.CLIJ2_getMaximumOfAllPixels(after, filled);
print("holes " + was, filled);
Ext.CLIJ2_drawBox(ring, 0, 0, 0, 4, 4, 0, 1);
Ext.CLIJ2_drawBox(ring, 1, 1, 0, 2, 2, 0, 0);
Ext.CLIJx_simpleITKBinaryFillhole(ring, solid);
Ext.CLIJ2_getSumOfAllPixels(solid, pixels);
print(pixels);
