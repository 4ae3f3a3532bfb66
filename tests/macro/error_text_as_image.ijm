// SPDX-License-Identifier: BSD-3-Clause
// A list of points does not replace an image.
// error: CLIJx_writeXYZPointListToDisc: path: the path
// error: has the extension .tif of an image
// error: in line 8
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(points, newArray(1, 2, 3, 4), 2, 2);
Ext.CLIJx_writeXYZPointListToDisc(points, getDirectory("temp") + "points.tif");
