// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/measure_statistics/readme.md 24fbe83da416fe868825b6cab5126ca1a2ff491e (the lower part of its table)
// input: blobs.gif
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_thresholdOtsu(blobs, mask);
Ext.CLIJ2_connectedComponentsLabeling(mask, labels);
Ext.CLIJ2_statisticsOfLabelledPixels(blobs, labels);
