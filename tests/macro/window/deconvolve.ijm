// SPDX-License-Identifier: BSD-3-Clause
// The deconvolution dialog previews one slice before it starts, and estimates memory and time.
// tick: preview
// tick: estimate
// preview: Deconvolve 16 x 16
// preview: brightest at 8, 8
// estimate: 20 iterations take about
// estimate: with room for the psf
// expect: The psf is resampled from voxels of 0.1 x 0.6 micron to the image's 0.2 x 0.6.
// expect: The psf is 1.2 pixels wide along z at half of its height: with less than 2 pixels, deconvolution gains little.
// expect: deconvolve 16 4
newImage("psf", "32-bit black", 17, 17, 3);
for (z = 1; z <= 3; z++) {
    setSlice(z);
    for (i = 0; i < 289; i++)
        setPixel(i % 17, floor(i / 17), 1000 * exp(-(pow(i % 17 - 8, 2) + pow(floor(i / 17) - 8, 2)) / 12 - 2 * pow(z - 2, 2)));
}
setVoxelSize(0.1, 0.1, 0.6, "micron");
newImage("picture", "8-bit black", 16, 16, 4);
setVoxelSize(0.2, 0.2, 0.6, "micron");
setColor(20);
xs = newArray(2, 3, 8, 12);
ys = newArray(12, 3, 8, 2);
for (z = 4; z >= 1; z--) {
    setSlice(z);
    fillRect(xs[z - 1], ys[z - 1], 1, 1);
}
setSlice(3);
run("Add...", "value=5 stack");
run("Deconvolve (Drua)...");
print(getTitle(), getWidth(), nSlices);
