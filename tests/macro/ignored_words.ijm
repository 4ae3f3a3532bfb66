// SPDX-License-Identifier: BSD-3-Clause
// A word that a command does not know is named in the Log, once a macro, with what was taken.
// expect: CLIJ2_automaticThreshold: there is no method 'Otzu', Default was taken; known are Default, Huang, Intermodes, IsoData, IJ_IsoData, Li, MaxEntropy, Mean, MinError, Minimum, Moments, Otsu, Percentile, RenyiEntropy, Shanbhag, Triangle, Yen
// expect: CLIJ2_create2D: there is no bit depth of 12, 32 was taken; known are 8, 16 and 32
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("image", "8-bit ramp", 16, 1, 1);
Ext.CLIJ2_push("image");
for (i = 0; i < 2; i++) {
    Ext.CLIJ2_automaticThreshold("image", mask, "Otzu");
    Ext.CLIJ2_automaticThreshold("image", mask, "otsu");
    Ext.CLIJ2_create2D(made, 4, 4, 12);
    run("CLIJ2 Macro Extensions", "cl_device=");
}
