// SPDX-License-Identifier: BSD-3-Clause
// A pipeline for drua plan: finds objects brighter than their surroundings, with one threshold for all blocks.

image = getTitle();
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_push(image);
Ext.CLIJ2_differenceOfGaussian3D(image, objects, 1, 1, 1, 6, 6, 3);
Ext.CLIJ2_thresholdOtsu(objects, mask);
Ext.Drua_pull(mask);
