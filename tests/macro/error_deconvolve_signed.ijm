// SPDX-License-Identifier: BSD-3-Clause
// ImageJ stores signed 16-bit data with an offset of 32768, which deconvolution would treat as background.
// only: patched
// error: 'signed' is signed 16-bit
run("Drua Macro Extensions", "cl_device=");
newImage("raw", "16-bit ramp", 16, 16, 2);
path = getDirectory("temp") + "drua-deconvolve-signed-" + getTime() + ".raw";
saveAs("raw data", path);
run("Raw...", "open=[" + path + "] image=[16-bit Signed] width=16 height=16 offset=0 number=2 gap=0");
ok = File.delete(path);
rename("signed");
newImage("psf", "32-bit ramp", 5, 5, 3);
Ext.Drua_deconvolveHyperstack("signed", "psf", "restored", "iterations=2");
