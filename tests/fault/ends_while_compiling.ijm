// SPDX-License-Identifier: BSD-3-Clause
// A macro ends while kernels compile ahead.
run("Drua Macro Extensions");
newImage("ramp", "8-bit ramp", 256, 16, 1);
Ext.CLIJ2_push("ramp");
Ext.CLIJ2_addImageAndScalar("ramp", brighter, 1);
Ext.CLIJ2_pull(brighter);
if (getPixel(7, 7) != 8)
    exit("the pixel is " + getPixel(7, 7) + ", not 8");
wait(1500); // the macro's own kernels compile first, then nothing for a while
