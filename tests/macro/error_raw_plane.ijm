// SPDX-License-Identifier: BSD-3-Clause
// A plane too large for a Java array is refused before the file is read.
// error: CLIJx_readRawImageFromDisc: height: a plane may have at most 2147483639 bytes, but 60000 x 60000 pixels of 8 bits are too many
run("CLIJ2 Macro Extensions", "cl_device=");
path = getDirectory("temp") + "drua_raw" + getTime() + ".raw";
File.saveString("few", path);
Ext.CLIJx_readRawImageFromDisc("raw", path, 60000, 60000, 1, 8);
