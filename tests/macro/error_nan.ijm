// SPDX-License-Identifier: BSD-3-Clause
// NaN is not a valid parameter.
// error: gaussianBlur
// error: sigma_y
// error: got text or NaN
// error: in line 11
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_gaussianBlur("cells", b, 2, NaN, 0);
print("not reached");
