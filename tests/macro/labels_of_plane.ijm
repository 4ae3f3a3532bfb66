// SPDX-License-Identifier: BSD-3-Clause
// The labels of a plane count in every slice of a stack, as in CLIJ2, which reads the plane for each slice.
// expect: 1: 3 pixels, mean 20, sum 60, slices 3, z 1
// expect: 2: 6 pixels, mean 3.5, sum 21, slices 3, z 1
// expect: 0: 15 pixels, mean 0, sum 0, slices 3, z 1
// expect: 1: 3 pixels, mean 20, sum 60, slices 3, z 1
// expect: 2: 6 pixels, mean 3.5, sum 21, slices 3, z 1
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("image", "16-bit black", 4, 2, 3);
for (z = 1; z <= 3; z++) {
    setSlice(z);
    setPixel(0, 0, 10 * z);
    setPixel(1, 1, z);
    setPixel(2, 1, z + 3);
}
newImage("labels", "8-bit black", 4, 2, 1);
setPixel(0, 0, 1);
setPixel(1, 1, 2);
setPixel(2, 1, 2);
Ext.CLIJ2_push("image");
Ext.CLIJ2_push("labels");
Ext.CLIJ2_statisticsOfLabelledPixels("image", "labels");
Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels("image", "labels");
for (i = 0; i < nResults; i++)
    print(getResult("IDENTIFIER", i) + ": " + getResult("PIXEL_COUNT", i) + " pixels, mean " +
        getResult("MEAN_INTENSITY", i) + ", sum " + getResult("SUM_INTENSITY", i) + ", slices " +
        getResult("BOUNDING_BOX_DEPTH", i) + ", z " + getResult("CENTROID_Z", i));
