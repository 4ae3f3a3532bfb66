// SPDX-License-Identifier: BSD-3-Clause
// After Drua's own start command, releasing an image that does not exist is an error.
// error: nothing
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_release("nothing");
print("not reached");
