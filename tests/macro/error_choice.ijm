// SPDX-License-Identifier: BSD-3-Clause
// A misspelt choice stops a macro of Drua's commands; the error suggests the nearest word.
// error: automaticThreshold
// error: method must be one of Default, Huang
// error: got 'Ots'; did you mean Otsu?
// error: in line 11
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
Ext.Drua_automaticThreshold("cells", mask, "Ots");
print("not reached");
