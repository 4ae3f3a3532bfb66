// SPDX-License-Identifier: BSD-3-Clause
// The deconvolution dialog restores each channel and frame of a hyperstack separately and records the equivalent line.
// recorded: Ext.Drua_deconvolveHyperstack("picture", "psf", "deconvolve", "iterations=3");
// expect: deconvolve 2 1 3
// expect: equal
newImage("psf", "32-bit black", 9, 9, 1);
for (i = 0; i < 81; i++)
    setPixel(i % 9, floor(i / 9), 1000 * exp(-(pow(i % 9 - 4, 2) + pow(floor(i / 9) - 4, 2)) / 3));
setVoxelSize(0.1, 0.1, 0.6, "micron");
newImage("picture", "16-bit grayscale-mode", 16, 16, 2, 1, 3);
run("Add...", "value=5 stack");
Stack.setPosition(2, 1, 3);
setColor(200);
fillRect(8, 8, 2, 2);
setVoxelSize(0.1, 0.1, 0.6, "micron");
run("Record...");
selectImage("picture");
run("Deconvolve (Drua)...", "source=picture psf=psf iterations=3");
Stack.getDimensions(width, height, channels, slices, frames);
print(getTitle(), channels, slices, frames);
Stack.setPosition(2, 1, 3);
got = getPixel(8, 8);
run("Drua Macro Extensions", "cl_device=");
selectImage("picture");
Stack.setPosition(2, 1, 3);
run("Duplicate...", "title=alone");
alone = "alone"; psf = "psf";
Ext.Drua_push(alone);
Ext.Drua_push(psf);
Ext.Drua_deconvolve(alone, psf, restored, "iterations=3");
Ext.Drua_pull(restored);
if (getPixel(8, 8) == got)
    print("equal");
else
    print(got, getPixel(8, 8));
