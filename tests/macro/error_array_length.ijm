// SPDX-License-Identifier: BSD-3-Clause
// The error for an array of the wrong length states the expected length.
// error: array must have 4 numbers, one for each pixel, got 3
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_pushArray2d(b, newArray(1, 2, 3), 2, 2);
print("not reached");
