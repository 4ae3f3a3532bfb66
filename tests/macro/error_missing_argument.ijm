// SPDX-License-Identifier: BSD-3-Clause
// ImageJ itself reports too few arguments.
// error: too few arguments, expected 5 but found 4
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_gaussianBlur("cells", b, 2, 2);
print("not reached");
