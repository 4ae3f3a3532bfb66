// SPDX-License-Identifier: BSD-3-Clause
// The error for an image that does not exist suggests the most similar names.
// error: cell
// error: cells
// error: in line 10
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_copy("cell", b);
print("not reached");
