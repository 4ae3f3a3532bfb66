// SPDX-License-Identifier: BSD-3-Clause
// A macro of CLIJ2 keeps its meaning if every prefix becomes Drua_, also where Drua_ commands take more arguments.
// expect: Max 6, Jaccard_Index 1, mean 3.5
// expect: edges differ by 0
// expect: matrix 2 x 2, maximum 9
// expect: enlarged images differ by 0
// error: Drua_scale: takes 6 or 4 arguments, got 5; see Ext.Drua_scale(source, destination, factor_x, factor_y, factor_z, to_center); and Ext.Drua_scale(source, destination, factor, to_center);
// error: in line 31
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_pushArray(image, newArray(1, 2, 3, 4, 5, 6), 3, 2, 1);
Ext.Drua_maximumOfAllPixels(image);
maximum = getResult("Max", 0);
Ext.Drua_jaccardIndex(image, image);
Ext.Drua_meanOfAllPixels(image, mean);
print("Max " + maximum + ", Jaccard_Index " + getResult("Jaccard_Index", nResults - 1) + ", mean " + mean);
Ext.Drua_sobel(image, edges);
Ext.Drua_sobel(image, edges_too, false);
Ext.Drua_meanSquaredError(edges, edges_too, difference);
print("edges differ by " + difference);
Ext.Drua_pushString(matrix, "1 2\n3 9", 2, 2, 1);
Ext.Drua_maximumOfAllPixels(matrix, maximum);
Ext.Drua_getDimensions(matrix, width, height, depth);
print("matrix " + width + " x " + height + ", maximum " + maximum);
Ext.Drua_shrinkLabels(matrix, shrunk, 0, false);
Ext.Drua_affineTransform(matrix, moved, "center");
Ext.Drua_maximumZProjection(matrix, flat);
Ext.CLIJ_scale(image, "enlarged", 2, false);
Ext.Drua_scale(image, enlarged_too, 2, false);
Ext.Drua_meanSquaredError("enlarged", enlarged_too, difference);
print("enlarged images differ by " + difference);
Ext.Drua_scale(image, other, 2, 2, false);
print("not reached");
