// SPDX-License-Identifier: BSD-3-Clause
// push as a slice crops to the selection; masks are pulled as selections, 8-bit images and slices.
// expect: slice 3x2x1 21
// expect: stack 3x2x2 21
// expect: no area 5x4x1 0
// expect: mask 255 0
// expect: selection 2
// expect: written 0 1 0
// expect: clipped 0 1 1 0
// expect: saturated 255 0 7
// expect: in the selection 0 9 9 0
// expect: Label_1: Roi[Traced, x=1, y=0, width=2, height=2]
// expect: Label_3: Roi[Traced, x=2, y=0, width=2, height=2]
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
fresh = getImageID(); // getPixel keeps reading the image that it read before an Ext call
print("mask", getPixel(1, 1), getPixel(0, 0));
Ext.Drua_pullAsRoi("mask");
getStatistics(area);
print("selection", area);
newImage("target", "16-bit black", 4, 4, 3);
setSlice(2);
Ext.Drua_pullToCurrentSlice("mask", "target");
text = "written";
for (z = 1; z <= 3; z++) {
    setSlice(z);
    text = text + " " + getPixel(2, 1);
}
print(text);
newImage("narrow", "8-bit black", 3, 2, 1);
Ext.CLIJ2_pullToCurrentSlice("mask", "narrow");
fresh = getImageID();
print("clipped", getPixel(0, 1), getPixel(1, 1), getPixel(2, 1), getPixel(1, 0));
Ext.Drua_pushArray2d(numbers, newArray(1e9, -5, 7.9), 3, 1);
Ext.Drua_pullToCurrentSlice(numbers, "narrow");
fresh = getImageID();
print("saturated", getPixel(0, 0), getPixel(1, 0), getPixel(2, 0));
newImage("selected", "32-bit black", 5, 5, 2);
makeRectangle(1, 2, 2, 2);
Ext.Drua_create2d(nines, 4, 4, 32);
Ext.Drua_set(nines, 9);
Ext.CLIJ2_pullToCurrentSliceSelection(nines, "selected");
fresh = getImageID();
print("in the selection", getPixel(0, 2), getPixel(1, 2), getPixel(2, 3), getPixel(3, 2));

Ext.Drua_pushArray2d(labels, newArray(0, 1, 1, 3, 0.5, 1, 3, 3), 4, 2);

Ext.CLIJ2_pullLabelsToROIList(labels);

function extent() {
    return "" + getWidth() + "x" + getHeight() + "x" + nSlices;
}
