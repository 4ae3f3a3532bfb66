// SPDX-License-Identifier: BSD-3-Clause
// If an existing image determines the number of pixels, the error names that image.
// error: CLIJ2_pushArray: array must have 9 numbers, one for each pixel, got 16. destination: the image 'small' exists and keeps its 3 x 3 pixels, where a new one would have 4 x 4; release it first to have a new one
// error: in line 9
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
small = "small";
Ext.CLIJ2_pushArray(small, newArray(9), 3, 3, 1);
Ext.CLIJ2_pushArray(small, newArray(16), 4, 4, 1);
