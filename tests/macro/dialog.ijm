// SPDX-License-Identifier: BSD-3-Clause
// The dialog command runs any operation on open images and shows the result.
// only: patched
// expect: 8 189.5 3 images
newImage("a", "8-bit ramp", 64, 64, 1);
newImage("b", "8-bit ramp", 64, 64, 1);
run("Drua Operation...", "operation=add_images_weighted source1=a source2=b factor1=2 factor2=0");
print("" + bitDepth() + " " + getValue("Mean") + " " + nImages + " images");
