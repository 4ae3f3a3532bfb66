// SPDX-License-Identifier: BSD-3-Clause
// error: Macro Error: CLIJ2_pull: image: there is no image 'blured' on the device; push it first, or use one that is on the device, such as 'blurred' in line 8
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
newImage("picture", "8-bit ramp", 10, 10, 1);
blurred = "blurred";
Ext.CLIJ2_pushAs("picture", blurred);
Ext.CLIJ2_pull("blured");
