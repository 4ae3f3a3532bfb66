// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/measure_overlap/readme.md 24fbe83da416fe868825b6cab5126ca1a2ff491e
// input: blobs.gif
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_automaticThreshold(blobs, otsu, "Otsu");
Ext.CLIJ2_automaticThreshold(blobs, minError, "MinError");
Ext.CLIJ2_getJaccardIndex(otsu, minError, jaccard);
print(jaccard * 100);
Ext.CLIJ2_getSorensenDiceCoefficient(otsu, minError, dice);
print(dice * 100);
