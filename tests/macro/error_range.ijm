// SPDX-License-Identifier: BSD-3-Clause
// The error for a value outside its range gives the limits.
// error: gaussianBlur
// error: sigma_x
// error: 0 to 1000
// error: -1
// error: in line 12
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_gaussianBlur("cells", b, -1, 2, 0);
print("not reached");
