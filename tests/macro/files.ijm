// SPDX-License-Identifier: BSD-3-Clause
// TIFF files are read to and written from the device without ImageJ's windows; each side reads the other's files.
// only: patched
// expect: 5x4x3 16-bit 0.25 micron 2
// expect: sum 0
// expect: label second
// expect: part of channel 2, frame 3: 0
// expect: written 5x4x3 16-bit 0.25 micron 2
// expect: sum 0
// expect: colours 0
// expect: float 1.5
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
folder = getDirectory("temp") + "drua_files" + getTime() + File.separator;
File.makeDirectory(folder);

newImage("stack", "16-bit ramp", 5, 4, 3);
setVoxelSize(0.25, 0.25, 2, "micron");
setSlice(2);
setMetadata("Label", "second");
saveAs("Tiff", folder + "stack.tif");
rename("stack");
Ext.Drua_read(folder + "stack.tif", a);
Ext.Drua_pull(a);
getVoxelSize(width, height, depth, unit);
print(getWidth + "x" + getHeight + "x" + nSlices, "" + bitDepth() + "-bit", width, replace(unit, "microns", "micron"), depth);
close();
Ext.Drua_push("stack");
Ext.Drua_subtractImages(a, "stack", difference);
Ext.Drua_sumOfAllPixels(difference, sum);
print("sum", sum);
Ext.Drua_write(a, folder + "labels.tif");
open(folder + "labels.tif");
setSlice(2);
print("label", getMetadata("Label"));
close();

newImage("hyper", "16-bit black", 30, 20, 24);
for (i = 1; i <= nSlices; i++) {
    setSlice(i);
    setPixel(i, 3, 100 * i);
}
run("Stack to Hyperstack...", "order=xyczt(default) channels=2 slices=3 frames=4 display=Grayscale");
rename("hyper");
saveAs("Tiff", folder + "hyper.tif");
rename("hyper");
Stack.setPosition(2, 1, 3);
Ext.Drua_readPart(folder + "hyper.tif", part, 2, 3);
Ext.Drua_pushCurrentZStack("hyper");
Ext.Drua_subtractImages(part, "hyper", larger);
Ext.Drua_sumOfAllPixels(larger, sum);
print("part of channel 2, frame 3:", sum);

Ext.Drua_addImageAndScalar(a, b, 3);
Ext.Drua_write(b, folder + "made" + File.separator + "b.tif");
open(folder + "made" + File.separator + "b.tif");
rename("b");
setSlice(2);
getVoxelSize(width, height, depth, unit);
print("written", getWidth + "x" + getHeight + "x" + nSlices, "" + bitDepth() + "-bit", width, replace(unit, "microns", "micron"), depth);
Ext.Drua_push("b");
Ext.Drua_subtractImages(b, "b", difference);
Ext.Drua_sumOfAllPixels(difference, sum);
print("sum", sum);

newImage("colour", "RGB ramp", 30, 20, 1);
setColor(255, 10, 40);
fillRect(3, 4, 5, 6);
saveAs("Tiff", folder + "colour.tif");
rename("colour");
Ext.Drua_read(folder + "colour.tif", c);
Ext.Drua_push("colour");
Ext.Drua_subtractImages(c, "colour", larger);
Ext.Drua_sumOfAllPixels(larger, sum);
print("colours", sum);
newImage("f", "32-bit black", 3, 3, 1);
setPixel(1, 1, 1.5);
saveAs("Tiff", folder + "f.tif");
Ext.Drua_read(folder + "f.tif", f);
Ext.Drua_maximumOfAllPixels(f, most);
print("float", most);
