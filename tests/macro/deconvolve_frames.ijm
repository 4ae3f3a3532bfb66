// SPDX-License-Identifier: BSD-3-Clause
// A psf whose slices are declared as frames counts as a stack, too.
// only: patched
// expect: equal 1 1 3
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
setBatchMode(true);
newImage("psf", "32-bit black", 9, 9, 3);
for (z = 1; z <= 3; z++) {
    setSlice(z);
    for (i = 0; i < 81; i++)
        setPixel(i % 9, floor(i / 9), exp(-pow(i % 9 - 4, 2) / 4 - pow(floor(i / 9) - 4, 2) / 4 - pow(z - 2, 2) / 2));
}
setVoxelSize(0.1, 0.1, 0.2, "um");
newImage("image", "8-bit ramp", 12, 12, 3);
setVoxelSize(0.1, 0.1, 0.2, "um");
restore("slices");
selectImage("psf");
run("Properties...", "channels=1 slices=1 frames=3");
restore("frames");
selectImage("slices");
setSlice(2);
due = getPixel(3, 7);
selectImage("frames");
setSlice(2);
Stack.getDimensions(width, height, channels, slices, frames);
if (getPixel(3, 7) == due)
    print("equal", channels, frames, slices);
else
    print(getPixel(3, 7), due);

function restore(title) {
    Ext.Drua_deconvolveHyperstack("image", "psf", title, "iterations=3");
}
