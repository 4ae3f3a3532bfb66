// SPDX-License-Identifier: BSD-3-Clause
// Windows that keep their title, without a display.
// expect: front 20 7
// expect: front 40 7
// expect: grey 60, label 255, 93, 93
// expect: 2 windows
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushString(stack, "0 5\n7 1\n\n6 2\n3 20");
Ext.CLIJx_show3DWithTipTilt(stack, "front", true);
print("front", getPixel(1, 1), getPixel(0, 1));
Ext.CLIJ2_multiplyImageAndScalar(stack, brighter, 2);
Ext.CLIJx_show3DWithTipTilt(brighter, "front", true);
print("front", getPixel(1, 1), getPixel(0, 1));
newImage("grey", "8-bit black", 4, 4, 1);
run("Set...", "value=60");
Ext.CLIJ2_push("grey");
newImage("labels", "8-bit black", 4, 4, 1);
setPixel(1, 1, 5);
setPixel(2, 2, 8);
Ext.CLIJ2_push("labels");
close("grey");
close("labels");
Ext.CLIJx_showGlasbeyOnGrey("grey", "labels", "colours");
value = getPixel(0, 0);
label = getPixel(1, 1);
print("grey " + (value & 255) + ", label " + (label >> 16 & 255) + ", " + (label >> 8 & 255) + ", " + (label & 255));
print(nImages + " windows");
