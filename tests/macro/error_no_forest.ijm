// SPDX-License-Identifier: BSD-3-Clause
// A file that does not contain a random forest is an error.
// error: CLIJx_applyWekaModel: path:
// error: it is not a file of Java objects
// error: in line 12
run("CLIJ2 Macro Extensions", "cl_device=");
path = getDirectory("temp") + "none.model";
File.saveString("no forest", path);
newImage("grey", "8-bit ramp", 8, 8, 2);
Ext.CLIJ2_push("grey");

Ext.CLIJx_applyWekaModel("grey", "classes_destination", path);
