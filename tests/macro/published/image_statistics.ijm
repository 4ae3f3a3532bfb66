// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/image_statistics/readme.md 24fbe83da416fe868825b6cab5126ca1a2ff491e
// input: blobs.gif
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_getDimensions(blobs, width, height, depth);
print(width);
print(height);
print(depth);
Ext.CLIJ2_getSumOfAllPixels(blobs, sum);
print(sum);
Ext.CLIJ2_getMinimumOfAllPixels(blobs, minimum);
print(minimum);
Ext.CLIJ2_getMaximumOfAllPixels(blobs, maximum);
print(maximum);
Ext.CLIJ2_getMeanOfAllPixels(blobs, mean);
print(mean);
Ext.CLIJ2_statisticsOfImage(blobs);
