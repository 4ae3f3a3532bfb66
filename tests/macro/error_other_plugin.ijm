// SPDX-License-Identifier: BSD-3-Clause
// For commands that CLIJx forwards to another plugin, the error says that the macro can run this plugin directly.
// error: there is no command Ext.CLIJx_simpleITKBinaryThinning; SimpleITK is not part of Drua: pull the image, run SimpleITK, and push its result
// error: in line 8
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("grey", "8-bit ramp", 8, 8, 1);
Ext.CLIJ2_push("grey");
Ext.CLIJx_simpleITKBinaryThinning("grey", filtered);
