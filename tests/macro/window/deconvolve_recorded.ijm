// SPDX-License-Identifier: BSD-3-Clause
// The deconvolution dialog resamples the psf to the image's voxels, says so, and records the equivalent lines.
// recorded: Ext.Drua_fitPsf(source1, psf2, fitted2, 0.2, 0.6, "micron", 0.1, 0.6, "micron", 0, 0, 0, advice);
// recorded: Ext.Drua_deconvolve(source1, fitted2, destination3, "accelerate=heavy_ball");
// expect: The psf is resampled from voxels of 0.1 x 0.6 micron to the image's 0.2 x 0.6.
// expect: deconvolve 16 4
newImage("psf", "32-bit black", 17, 17, 3);
for (z = 1; z <= 3; z++) {
    setSlice(z);
    for (i = 0; i < 289; i++)
        setPixel(i % 17, floor(i / 17), 1000 * exp(-(pow(i % 17 - 8, 2) + pow(floor(i / 17) - 8, 2)) / 12 - pow(z - 2, 2) / 3));
}
setVoxelSize(0.1, 0.1, 0.6, "micron");
newImage("picture", "8-bit black", 16, 16, 4);
setVoxelSize(0.2, 0.2, 0.6, "micron");
setSlice(3);
setColor(200);
fillRect(8, 8, 2, 2);
run("Add...", "value=5 stack");
run("Record...");
selectImage("picture");
run("Deconvolve (Drua)...", "source=picture psf=psf iterations=20 accelerate=heavy_ball");
print(getTitle(), getWidth(), nSlices);
