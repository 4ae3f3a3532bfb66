// SPDX-License-Identifier: BSD-3-Clause
// If a frame fails, earlier frames are shown, also in batch mode; the rest is the image without its background.
// dialog: channel 1, frame 2: deconvolve: source has pixels that are NaN or infinite
// dialog: 'restored' shows the finished channels and frames, 1 of 3
// image: restored, brightest at 6, 6, brightest at 2, 9, brightest at 8, 4
run("Drua Macro Extensions", "cl_device=");
setBatchMode(true);
newImage("psf", "32-bit black", 9, 9, 1);
for (i = 0; i < 81; i++)
    setPixel(i % 9, floor(i / 9), exp(-(pow(i % 9 - 4, 2) + pow(floor(i / 9) - 4, 2)) / 3));
newImage("image", "32-bit black", 12, 12, 1, 1, 3);
run("Add...", "value=10 stack");
Stack.setFrame(1);
setPixel(6, 6, 100);
Stack.setFrame(2);
setPixel(2, 9, 100);
setPixel(3, 3, NaN);
Stack.setFrame(3);
setPixel(8, 4, 100);
setVoxelSize(0.1, 0.1, 0.6, "micron");
selectImage("psf");
setVoxelSize(0.1, 0.1, 0.6, "micron");
Ext.Drua_deconvolveHyperstack("image", "psf", "restored", "iterations=2,background=40e-1");
