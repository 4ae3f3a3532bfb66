// SPDX-License-Identifier: BSD-3-Clause
// After each command that changes the current image, the next function reads that image.
// expect: pull 105 getPixel of CLIJ2_addImageAndScalar_result1
// expect: getValue 105
// expect: pullBinary 255
// expect: show_grey 105
// expect: pull to a slice 105
// expect: drawn 7
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("i", "8-bit black", 10, 10, 1);
setPixel(0, 0, 5);
Ext.CLIJ2_push("i");
Ext.CLIJ2_addImageAndScalar("i", j, 100);
Ext.CLIJ2_pull(j);
print("pull", getPixel(0, 0), "getPixel of " + getTitle());
print("getValue", getValue(0, 0));

selectImage("i");
before = getPixel(0, 0);
Ext.CLIJ2_pullBinary(j);
print("pullBinary", getPixel(0, 0));

selectImage("i");
before = getPixel(0, 0);
Ext.Drua_showGrey(j, "shown");
print("show_grey", getPixel(0, 0));

selectImage("i");
before = getPixel(0, 0);
Ext.Drua_pullToCurrentSlice(j, "i");
print("pull to a slice", getPixel(0, 0));

selectImage("i");
before = getPixel(0, 0);
Ext.CLIJ2_pull(j);
setPixel(0, 0, 7);
print("drawn", getPixel(0, 0));
