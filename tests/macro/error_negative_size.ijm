// SPDX-License-Identifier: BSD-3-Clause
// The size of an image must be above 0.
// error: create2d
// error: width
// error: in line 10
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_create2d(b, -4, 4, 8);
print("not reached");
