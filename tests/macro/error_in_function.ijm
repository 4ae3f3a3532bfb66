// SPDX-License-Identifier: BSD-3-Clause
// The error names the line of the call, also inside a function.
// error: cell
// error: in line 11
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 8, 8, 1);
Ext.Drua_push("cells");
bad();
function bad() {
    Ext.Drua_copy("cell", b);
}
print("not reached");
