// SPDX-License-Identifier: BSD-3-Clause
// The ROI Manager works without a display: labels become selections that macros count, select, measure and save.
// only: patched
// expect: start 0
// expect: labels 2 Label_2
// expect: first 25 50
// expect: second 16 90
// expect: combined 9 41
// expect: saved and opened 3
// expect: mask 4
// expect: left 3 second
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
if (roiManager("count") > 0) {
    roiManager("deselect");
    roiManager("delete");
}
print("start", roiManager("count"));
newImage("objects", "8-bit black", 30, 30, 1);
setColor(50);
fillRect(3, 3, 5, 5);
setColor(90);
fillRect(15, 15, 4, 4);
Ext.CLIJ2_push("objects");
Ext.CLIJ2_threshold("objects", mask, 1);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_pullLabelsToROIManager(labels);
print("labels", roiManager("count"), RoiManager.getName(1));
roiManager("Show All with labels");
names = newArray("first", "second");
for (i = 0; i < 2; i++) {
    roiManager("select", i);
    getStatistics(area, mean);
    print(names[i], area, mean);
}
roiManager("select", newArray(0, 1));
roiManager("combine");
getStatistics(area);
print("combined", selectionType(), area);
roiManager("add");
path = getDirectory("temp") + "selections.zip";
roiManager("deselect");
roiManager("save", path);
roiManager("reset");
roiManager("open", path);
print("saved and opened", roiManager("count"));
Ext.CLIJ2_pullToROIManager(mask);
print("mask", roiManager("count"));
roiManager("select", 1);
roiManager("rename", "second");
roiManager("select", 0);
roiManager("delete");
print("left", roiManager("count"), RoiManager.getName(0));
