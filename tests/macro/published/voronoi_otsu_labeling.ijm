// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/voronoi_otsu_labeling/readme.md fde36d411b21a90fbd9c0bc87b5feadaac45c512
// input: BBBC022_nuclei.tif
// CLIJ2 before 2.5.3.1 lost maxima at x = 0 and y = 0.
// now: 1 28
// now: 2 14
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/BBBC022_nuclei.tif");
run("32-bit");
nuclei = getTitle();
Ext.CLIJ2_push(nuclei);
Ext.CLIJ2_crop2D(nuclei, part, 400, 0, 256, 256);
Ext.CLIJ2_gaussianBlur2D(part, blurred, 5, 5);
Ext.CLIJ2_detectMaxima2DBox(blurred, spots, 0, 0);
Ext.CLIJ2_getSumOfAllPixels(spots, count);
print(count);
Ext.CLIJ2_gaussianBlur2D(part, smooth, 1, 1);
Ext.CLIJ2_thresholdOtsu(smooth, mask);
Ext.CLIJ2_binaryAnd(spots, mask, inside);
Ext.CLIJ2_getSumOfAllPixels(inside, count);
print(count);
