// SPDX-License-Identifier: BSD-3-Clause
// The error for an array that contains a text names the element.
// error: element 1 must be a number, got the text 'x'
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_pushArray(b, newArray(1, "x"), 2, 1, 1);
print("not reached");
