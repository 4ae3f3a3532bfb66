// SPDX-License-Identifier: BSD-3-Clause
// A released image no longer exists.
// error: cells
// error: in line 10
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_release("cells");
Ext.Drua_copy("cells", b);
print("not reached");
