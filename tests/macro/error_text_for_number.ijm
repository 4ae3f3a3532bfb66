// SPDX-License-Identifier: BSD-3-Clause
// ImageJ passes a text as NaN where a number is expected; the engine's error says so.
// error: gaussianBlur
// error: sigma_x
// error: got text or NaN
// error: in line 11
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_gaussianBlur("cells", b, "wide", 2, 0);
print("not reached");
