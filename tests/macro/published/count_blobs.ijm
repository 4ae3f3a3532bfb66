// SPDX-License-Identifier: BSD-3-Clause
// source: clEsperanto/i2k2020_tutorial_clij_clesperanto exercise4/count_blobs.ijm 63f9eee689dd795589557f16da8afd2dc5d5d74e (the calls)
// source: clEsperanto/pyclesperanto_prototype demo/basics/count_blobs.ipynb 161a1a0fd7ef770a4e4dcfba62a58cdc15381966 (the number)
// input: blobs.gif
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
run("32-bit");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_gaussianBlur2D(blobs, blurred, 1, 1);
Ext.CLIJ2_thresholdOtsu(blurred, mask);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_getMaximumOfAllPixels(labels, count);
print(count);
