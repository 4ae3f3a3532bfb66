// SPDX-License-Identifier: BSD-3-Clause
// exit() with a message ends the run as a failure.
// expect: no cells
// error: aborted in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
exit("no cells");
print("not reached");
