// SPDX-License-Identifier: BSD-3-Clause
// A command that does not exist gives an error with similar names.
// error: there is no command Ext.Drua_gausianBlur; similar names are Drua_gaussianBlur
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_gausianBlur("cells", b, 2, 2, 0);
print("not reached");
