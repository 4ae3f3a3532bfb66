// SPDX-License-Identifier: BSD-3-Clause
// Intensities of both signs may cancel: there is then no centre of mass, and every pixel is infinitely far from it.
// only: patched
// expect: cancels Infinity Infinity Infinity
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
run("Clear Results");
Ext.CLIJ2_pushArray(image, newArray(-1, 0, 0, 0, 0, 0, 0, 1), 2, 2, 2);
Ext.CLIJ2_pushArray(labels, newArray(1, 0, 0, 0, 0, 0, 0, 1), 2, 2, 2);
Ext.CLIJ2_statisticsOfLabelledPixels(image, labels);
print("cancels", getResult("MASS_CENTER_X", 0), getResult("MEAN_DISTANCE_TO_MASS_CENTER", 0), getResult("MAX_DISTANCE_TO_MASS_CENTER", 0));
