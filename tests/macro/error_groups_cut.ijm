// SPDX-License-Identifier: BSD-3-Clause
// A table of class centres that was cut in its last row.
// error: groups.csv' ends in the middle of line 3; add a line end if the file is whole
// error: in line 9
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray2D(labels, newArray(1, 1, 2, 2), 2, 2);
path = getDirectory("temp") + "groups.csv";
File.saveString("C1,C2\n1,2\n5,6", path);
Ext.CLIJx_kMeansLabelClusterer(labels, labels, groups, "pixel_count mean_intensity", path, 2, 0, false);
