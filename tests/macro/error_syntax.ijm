// SPDX-License-Identifier: BSD-3-Clause
// A syntax error ends the run with a message.
// error: ')' expected
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
x = (3;
print("not reached");
