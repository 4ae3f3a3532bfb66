// SPDX-License-Identifier: BSD-3-Clause
// push names a window that is not open; the error lists the open ones.
// error: Drua_push: image: no open image has the title 'nothing'; open images are 'cells'
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_push("nothing");
print("not reached");
