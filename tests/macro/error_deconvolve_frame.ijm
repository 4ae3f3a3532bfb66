// SPDX-License-Identifier: BSD-3-Clause
// In a series the error names the frame that cannot be restored; the finished frames are saved.
// error: channel 1, frame 2: deconvolve: source has pixels that are NaN or infinite
// error: 'restored' shows the finished channels and frames, 1 of 3
// saved: restored.tif
// expect: Neither the image nor the psf has a known voxel size: their voxels are assumed to be equal.
run("Drua Macro Extensions", "cl_device=");
setBatchMode(true);
newImage("psf", "32-bit black", 9, 9, 1);
for (i = 0; i < 81; i++)
    setPixel(i % 9, floor(i / 9), exp(-(pow(i % 9 - 4, 2) + pow(floor(i / 9) - 4, 2)) / 3));
newImage("image", "32-bit black", 12, 12, 1, 1, 3);
run("Add...", "value=10 stack");
Stack.setFrame(2);
setPixel(3, 3, NaN);
Ext.Drua_deconvolveHyperstack("image", "psf", "restored", "iterations=2 background=1e-3");
