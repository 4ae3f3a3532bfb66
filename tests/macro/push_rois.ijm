// SPDX-License-Identifier: BSD-3-Clause
// Selections of the ROI Manager become a label map with their numbers in their slices, also 10,000 selections and back.
// only: patched
// expect: numbers 1 2 3 0
// expect: slices 1 0, 0 2, 3 3
// expect: 10000 selections, sum of labels right
// error: Drua_pushROIManager: the selection 'far' is in slice 9, but depth is 2; pass the number of slices of its image
run("Drua Macro Extensions", "cl_device=");
newImage("canvas", "8-bit black", 10, 8, 2);
roiManager("reset");
makeRectangle(0, 0, 4, 2);
roiManager("add");
makeRectangle(2, 0, 4, 2);
roiManager("add");
makePolygon(0, 4, 4, 4, 4, 8, 0, 8);
roiManager("add");
Ext.Drua_pushROIManager(labels, 10, 8, 1, false);
Ext.Drua_pull(labels);
print("numbers", getPixel(1, 0), getPixel(2, 1), getPixel(3, 7), getPixel(9, 7));
roiManager("reset");
for (slice = 1; slice <= 2; slice++) {
    makeRectangle(slice, 0, 1, 1);
    Roi.setPosition(slice);
    roiManager("add");
}
makeRectangle(5, 0, 1, 1);
roiManager("add");
Ext.Drua_pushROIManager(stack, 8, 1, 2, false);
Ext.Drua_pull(stack);
text = "slices";
positions = newArray(1, 2, 5);
for (i = 0; i < 3; i++) {
    setSlice(1);
    text += " " + getPixel(positions[i], 0);
    setSlice(2);
    text += " " + getPixel(positions[i], 0) + ",";
}
print(substring(text, 0, lengthOf(text) - 1));
roiManager("reset");
newImage("cells", "32-bit black", 400, 400, 1);
sum = 0;
for (y = 0; y < 100; y++)
    for (x = 0; x < 100; x++) {
        label = 1 + x + 100 * y;
        sum += 4 * label;
        setColor(label);
        fillRect(4 * x, 4 * y, 2, 2);
    }
Ext.Drua_push("cells");
Ext.Drua_pullLabelsToROIManager("cells");
Ext.Drua_pushROIManager(back, 400, 400, 1, false);
Ext.Drua_sumOfAllPixels(back, total);
right = "wrong";
if (total == sum) right = "right";
print("" + roiManager("count") + " selections, sum of labels " + right);
roiManager("reset");
makeRectangle(0, 0, 1, 1);
Roi.setPosition(9);
Roi.setName("far");
roiManager("add");
Ext.Drua_pushROIManager(stack, 8, 1, 2, false);
print("not reached");
