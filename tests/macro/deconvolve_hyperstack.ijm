// SPDX-License-Identifier: BSD-3-Clause
// Every channel and frame of a hyperstack in one line, each channel with its own psf: all as if it were done alone.
// expect: result 2 3 2 32
// expect: equal
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
options = "iterations=5 accelerate";
hyperstack("image", 2, 3, 2, 12);
hyperstack("psf", 2, 3, 1, 5);
setBatchMode(true);
Ext.Drua_deconvolveHyperstack("image", "psf", "result", options);
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
        alone = "alone";
        Ext.Drua_deconvolve("image", "psf", alone, options);
        Ext.Drua_pull(alone);
        for (z = 1; z <= 3; z++) {
            selectImage("alone");
            setSlice(z);
            a = getPixel(5, 6);
            selectImage("result");
            Stack.setPosition(c, z, t);
            worst = maxOf(worst, abs(a - getPixel(5, 6)));
        }
        selectImage("alone");
        close();
    }
}
if (worst == 0)
    print("equal");

// Something else in each channel, slice and frame, brightest in the middle.
function hyperstack(title, channels, slices, frames, size) {
    newImage(title, "32-bit grayscale-mode", size, size, channels, slices, frames);
    for (t = 1; t <= frames; t++)
        for (z = 1; z <= slices; z++)
            for (c = 1; c <= channels; c++) {
                Stack.setPosition(c, z, t);
                for (y = 0; y < size; y++)
                    for (x = 0; x < size; x++)
                        setPixel(x, y, 1 + (c + t) * 100 / (1 + (x - size / 2) * (x - size / 2) + c * (y - size / 2) * (y - size / 2)) / (1 + abs(z - 2)));
            }
}
