// SPDX-License-Identifier: BSD-3-Clause
// ImageJ itself reports an undefined variable that is passed as a source.
// error: Undefined variable
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_copy(undefined, b);
print("not reached");
