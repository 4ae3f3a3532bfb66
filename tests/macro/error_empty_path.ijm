// SPDX-License-Identifier: BSD-3-Clause
// An empty path, such as that of an unset variable, is not the current folder.
// error: Drua_writeZarr: path: the path is empty
// error: in line 7
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_pushArray2D(image, newArray(1, 2, 3, 4), 2, 2);
Ext.Drua_writeZarr(image, "", "");
