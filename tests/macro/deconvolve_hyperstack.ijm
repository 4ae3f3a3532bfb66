// SPDX-License-Identifier: BSD-3-Clause
// One line deconvolves all channels and frames of a hyperstack, each channel with its psf resampled to the image's
// voxels. The results equal those of separate calls, also if several devices share the work.
// expect: The psf is resampled from voxels of 50 x 300 nm to the image's 0.1 x 0.3.
// expect: The psf is resampled from voxels of 50 x 300 nm to the image's 0.1 x 0.3.
// expect: result 2 3 2 32
// expect: equal
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
options = "iterations=5 accelerate";
hyperstack("image", 2, 3, 2, 12, 0);
setVoxelSize(0.1, 0.1, 0.3, "um");
hyperstack("psf", 2, 3, 1, 17, 2);
setVoxelSize(50, 50, 300, "nm");
setBatchMode(true);
Ext.Drua_deconvolveHyperstack("image", "psf", "result", options);
Ext.Drua_deconvolveHyperstack("image", "psf", "shared", options + " devices=all");
selectImage("result");
Stack.getDimensions(width, height, channels, slices, frames);
print("result", channels, slices, frames, bitDepth());
worst = 0;
for (c = 1; c <= 2; c++) {
    for (t = 1; t <= 2; t++) {
        selectImage("psf");
        Stack.setPosition(c, 1, 1);
        Ext.Drua_pushCurrentZStack("psf");
        selectImage("image");
        Stack.setPosition(c, 1, t);
        Ext.Drua_pushCurrentZStack("image");
        alone = "alone"; fitted = "fitted";
        Ext.Drua_fitPsf("image", "psf", fitted, 0.1, 0.3, "um", 50, 300, "nm", 0, 0, 0, advice);
        Ext.Drua_deconvolve("image", fitted, alone, options);
        Ext.Drua_pull(alone);
        for (z = 1; z <= 3; z++) {
            selectImage("alone");
            setSlice(z);
            a = getPixel(5, 6);
            selectImage("result");
            Stack.setPosition(c, z, t);
            worst = maxOf(worst, abs(a - getPixel(5, 6)));
            selectImage("shared");
            Stack.setPosition(c, z, t);
            worst = maxOf(worst, abs(a - getPixel(5, 6)));
        }
        selectImage("alone");
        close();
    }
}
if (worst == 0)
    print("equal");

// Different content in each channel, slice and frame, brightest in the middle; `narrow`: only near the middle.
function hyperstack(title, channels, slices, frames, size, narrow) {
    newImage(title, "32-bit grayscale-mode", size, size, channels, slices, frames);
    middle = floor(size / 2);
    for (t = 1; t <= frames; t++)
        for (z = 1; z <= slices; z++)
            for (c = 1; c <= channels; c++) {
                Stack.setPosition(c, z, t);
                for (y = 0; y < size; y++)
                    for (x = 0; x < size; x++)
                        if (narrow > 0)
                            setPixel(x, y, 1000 * exp(-(x - middle) * (x - middle) / (8 + c) - (y - middle) * (y - middle) / 8 - (z - 2) * (z - 2) / 3));
                        else
                            setPixel(x, y, 1 + (c + t) * 100 / (1 + (x - middle) * (x - middle) + c * (y - middle) * (y - middle)) / (1 + abs(z - 2)));
            }
}
