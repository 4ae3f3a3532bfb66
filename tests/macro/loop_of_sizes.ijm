// SPDX-License-Identifier: BSD-3-Clause
// In a loop over images of several sizes, CLIJ2's names keep the first size, and the Log says so once per macro. With
// Drua's own names, a line replaces the images that it made before.
// expect: 16: 16 x 16
// expect: CLIJ2_gaussianBlur2D: destination: the image 'blurred' exists and keeps its 16 x 16 pixels, where a new one would have 32 x 32; release it first to have a new one (line 18)
// expect: 32: 16 x 16
// expect: 8: 16 x 16
// expect: 16: 16 x 16
// expect: 32: 32 x 32
// expect: 8: 8 x 8
// expect: other line: 8 x 8
// expect: slices: 8, sum 2304
run("CLIJ2 Macro Extensions", "cl_device=");
sizes = newArray(16, 32, 8);
for (i = 0; i < sizes.length; i++) {
    image(sizes[i]);
    blurred = "blurred";
    Ext.CLIJ2_gaussianBlur2D("image", blurred, 2, 2);
    tell(sizes[i], blurred);
}
for (i = 0; i < sizes.length; i++) {
    image(sizes[i]);
    Ext.Drua_gaussianBlur("image", mine, 2, 2, 0);
    tell(sizes[i], mine);
}
image(5);
Ext.Drua_gaussianBlur("image", mine, 2, 2, 0);
tell("other line", mine);

// an image that is written part by part is not replaced
image(8);
for (i = 7; i >= 0; i--) {
    Ext.Drua_addImageAndScalar("image", plane, i + 1);
    Ext.Drua_copySlice(plane, stack, i);
}
Ext.Drua_getDimensions(stack, width, height, depth);
Ext.Drua_getSumOfAllPixels(stack, sum);
print("slices: " + depth + ", sum " + sum);

function image(n) {
    newImage("image", "8-bit black", n, n, 1);
    Ext.CLIJ2_push("image");
    close();
}

function tell(what, name) {
    Ext.CLIJ2_getDimensions(name, width, height, depth);
    print("" + what + ": " + width + " x " + height);
}
