// SPDX-License-Identifier: BSD-3-Clause
// source: clEsperanto/pyclesperanto_prototype data/mini_blobs_measurements_clij.csv a5fb4d102c893af9461b6f1d734fde6839091784
// input: blobs.gif
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_crop2D(blobs, part, 84, 55, 70, 70);
Ext.CLIJ2_thresholdOtsu(part, mask);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, all);
Ext.CLIJ2_excludeLabelsOnEdges(all, labels);
Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels(part, labels);
