// SPDX-License-Identifier: BSD-3-Clause
// A classifier's text file does not replace an image.
// error: CLIJx_trainWekaModel: path: the path
// error: has the extension .TIFF of an image
// error: in line 9
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(features, newArray(1, 2, 3, 4), 2, 2);
Ext.CLIJ2_pushArray2D(truth, newArray(1, 1, 2, 2), 2, 2);
Ext.CLIJx_trainWekaModel(features, truth, getDirectory("temp") + "model.TIFF");
