// SPDX-License-Identifier: BSD-3-Clause
// CLIJx's command for ImageJ's watershed cuts each slice as ImageJ does; the mask keeps its type.
// only: patched
// expect: same as ImageJ's: 0 pixels differ, 16 bit, largest 1
// expect: pieces 1 2
// expect: slices 1 2, a given image 8 bit
setOption("BlackBackground", true);
newImage("discs", "8-bit black", 60, 40, 1);
setColor(255);
fillOval(5, 8, 24, 24);
fillOval(25, 8, 24, 24);
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_push("discs");
Ext.CLIJ2_convertUInt16("discs", mask);
Ext.CLIJx_imageJWatershed(mask, cut);
run("Watershed");
Ext.CLIJ2_push("discs");
Ext.CLIJ2_binaryXOr("discs", cut, different);
Ext.CLIJ2_getSumOfAllPixels(different, pixels);
Ext.CLIJ2_getMaximumOfAllPixels(cut, largest);
Ext.CLIJ2_pull(cut);
print("same as ImageJ's: " + pixels + " pixels differ, " + bitDepth() + " bit, largest " + largest);
print("pieces " + pieces(mask) + " " + pieces(cut));

Ext.CLIJ2_create3D(stack, 60, 40, 2, 8);
Ext.CLIJ2_set(stack, 0);
Ext.CLIJ2_copySlice(mask, stack, 1);
Ext.CLIJ2_drawBox(stack, 10, 10, 0, 6, 6, 0, 1);
Ext.CLIJ2_create3D(given, 60, 40, 2, 8);
Ext.CLIJx_imageJWatershed(stack, given);
Ext.CLIJ2_copySlice(given, first, 0);
Ext.CLIJ2_copySlice(given, second, 1);
Ext.CLIJ2_pull(given);
print("slices " + pieces(first) + " " + pieces(second) + ", a given image " + bitDepth() + " bit");

function pieces(image) {
    Ext.CLIJ2_connectedComponentsLabelingBox(image, labels);
    Ext.CLIJ2_getMaximumOfAllPixels(labels, count);
    Ext.CLIJ2_release(labels);
    return count;
}
