// SPDX-License-Identifier: BSD-3-Clause
// Windows keep their titles without a display.
// expect: front 20 7
// expect: front 40 14
// expect: grey 60, label 239, 173, 96
// expect: 2 windows
setBatchMode(true);
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray(stack, newArray(0, 5, 7, 1, 6, 2, 3, 20), 2, 2, 2);
Ext.CLIJx_show3DWithTipTilt(stack, "front", true);
shown = getImageID();
print("front", getPixel(1, 1), getPixel(0, 1));
Ext.CLIJ2_multiplyImageAndScalar(stack, brighter, 2);
Ext.CLIJx_show3DWithTipTilt(brighter, "front", true);
shown = getImageID();
print("front", getPixel(1, 1), getPixel(0, 1));
newImage("grey", "8-bit black", 4, 4, 1);
setColor(60);
fillRect(0, 0, 4, 4);
Ext.CLIJ2_push("grey");
newImage("labels", "8-bit black", 4, 4, 1);
setPixel(1, 1, 5);
setPixel(2, 2, 8);
Ext.CLIJ2_push("labels");
close("grey");
close("labels");
Ext.CLIJx_showGlasbeyOnGrey("grey", "labels", "colours");
shown = getImageID();
value = getPixel(0, 0);
label = getPixel(1, 1);
print("grey " + (value & 255) + ", label " + (label >> 16 & 255) + ", " + (label >> 8 & 255) + ", " + (label & 255));
print(nImages + " windows");
