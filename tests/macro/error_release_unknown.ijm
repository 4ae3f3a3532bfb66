// SPDX-License-Identifier: BSD-3-Clause
// Under Drua's own start releasing what is not there is a mistake.
// error: nothing
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_release("nothing");
print("not reached");
