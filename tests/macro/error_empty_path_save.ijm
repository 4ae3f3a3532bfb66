// SPDX-License-Identifier: BSD-3-Clause
// An empty path gets no extension: a file named .tif is hidden.
// error: CLIJ2_saveAsTIF: path: the path is empty
// error: in line 7
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(image, newArray(1, 2, 3, 4), 2, 2);
Ext.CLIJ2_saveAsTIF(image, "");
