// SPDX-License-Identifier: BSD-3-Clause
// A pipeline that cannot run by blocks stops the macro with an error that names the pipeline's line.
// error: Drua_processFile: Drua_equalizeMeanIntensitiesOfSlices
// error: line 2
// error: in line 13
run("Drua Macro Extensions", "cl_device=");
folder = getDirectory("temp");
newImage("image", "8-bit ramp", 20, 20, 1);
Ext.Drua_push("image");
Ext.Drua_write("image", folder + "drua_refused.zarr");
File.saveString("Ext.Drua_push(a);\nExt.Drua_equalizeMeanIntensitiesOfSlices(a, b, 0);\nExt.Drua_pull(b);\n",
    folder + "drua_refused.ijm");
Ext.Drua_processFile(folder + "drua_refused.ijm", folder + "drua_refused.zarr", folder + "drua_refused_out.zarr", "");
