// SPDX-License-Identifier: BSD-3-Clause
// Dragging rotates a stack: 225 pixels to the left are 45 degrees about y. Linked windows follow.
// drag: front, -225, 0
// image: front, brightest at 14, 10
// image: second, brightest at 14, 10
// image: alone, brightest at 10, 10
// expect: front 21 x 21 x 1
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("stack", "8-bit black", 21, 21, 21);
setSlice(17);
setPixel(10, 10, 200);
Ext.CLIJ2_push("stack");
Ext.CLIJx_show3DWithTipTilt("stack", "front", true);
getDimensions(width, height, channels, slices, frames);
print("front", width, "x", height, "x", slices);
Ext.CLIJx_show3DWithTipTilt("stack", "second", true);
Ext.CLIJx_show3DWithTipTilt("stack", "alone", false);
