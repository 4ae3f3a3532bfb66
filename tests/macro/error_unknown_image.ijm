// SPDX-License-Identifier: BSD-3-Clause
// An image that is not there: the nearest names are given.
// error: cell
// error: cells
// error: in line 10
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_copy("cell", b);
print("not reached");
