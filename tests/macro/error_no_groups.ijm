// SPDX-License-Identifier: BSD-3-Clause
// A missing file of k-means centres is an error and does not start training.
// error: CLIJx_kMeansLabelClusterer: path: there is no file
// error: in line 11
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("labels", "8-bit black", 8, 8, 1);
setPixel(2, 2, 1);
setPixel(5, 5, 2);
Ext.CLIJ2_push("labels");
path = getDirectory("temp") + "no-such-folder-of-drua/groups.csv";
Ext.CLIJx_kMeansLabelClusterer("labels", "labels", groups, "pixel_count", path, 2, 0, false);
