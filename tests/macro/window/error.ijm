// SPDX-License-Identifier: BSD-3-Clause
// An error opens ImageJ's own dialog with the sentence, the line and the statement.
// expect: before
// dialog: Macro Error
// dialog: CLIJ2_gaussianBlur2D
// dialog: pictura
// dialog: in line 12
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("picture", "8-bit ramp", 64, 64, 1);
Ext.CLIJ2_push("picture");
print("before");
Ext.CLIJ2_gaussianBlur2D("pictura", blurred, 4, 4);
print("after");
