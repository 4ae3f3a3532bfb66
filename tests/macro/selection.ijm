// SPDX-License-Identifier: BSD-3-Clause
// Selections crop what is pushed as a slice; masks come back as selections, 8-bit images and slices.
// expect: slice 3x2x1 21
// expect: stack 3x2x2 21
// expect: no area 5x4x1 0
// expect: mask 255 0
// expect: selection 2
// expect: written 0 1 0
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("stack", "8-bit black", 5, 4, 2);
setSlice(2);
setPixel(1, 1, 21);
makeRectangle(1, 1, 3, 2);
Ext.Drua_pushCurrentSlice("stack");
Ext.Drua_pull("stack");
print("slice", extent(), getPixel(0, 0));
close();
selectImage("stack");
Ext.Drua_pushCurrentSelection("stack");
Ext.Drua_pull("stack");
setSlice(2);
print("stack", extent(), getPixel(0, 0));
close();
selectImage("stack");
makeLine(0, 0, 3, 3);
Ext.Drua_pushCurrentSlice("stack");
Ext.Drua_pull("stack");
print("no area", extent(), getPixel(0, 0));
close();

newImage("mask", "8-bit black", 4, 4, 1);
setPixel(1, 1, 1);
setPixel(2, 1, 1);
Ext.Drua_push("mask");
Ext.Drua_pullBinary("mask");
fresh = getImageID(); // getPixel keeps reading the image it read before an Ext call
print("mask", getPixel(1, 1), getPixel(0, 0));
Ext.Drua_pullAsRoi("mask");
getStatistics(area);
print("selection", area);
newImage("target", "16-bit black", 4, 4, 3);
setSlice(2);
Ext.Drua_pullToCurrentSlice("mask");
text = "written";
for (z = 1; z <= 3; z++) {
    setSlice(z);
    text = text + " " + getPixel(2, 1);
}
print(text);

function extent() {
    return "" + getWidth() + "x" + getHeight() + "x" + nSlices;
}
