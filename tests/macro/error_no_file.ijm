// SPDX-License-Identifier: BSD-3-Clause
// error: there is no file
// error: in line 5
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_read("/nowhere/image.tif", a);
