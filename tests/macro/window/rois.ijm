// SPDX-License-Identifier: BSD-3-Clause
// Label maps and masks become selections of the ROI Manager.
// expect: 2 selections
// expect: Label_1 3 pixels at 1,0
// expect: Label_3 3 pixels at 2,0
// expect: 3 selections, the last of 6 pixels
// expect: batch mode 4
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("window", "8-bit black", 4, 2, 1);
Ext.Drua_pushArray2d(labels, newArray(0, 1, 1, 3, 0.5, 1, 3, 3), 4, 2);
Ext.CLIJ2_pullLabelsToROIManager(labels);
print("" + roiManager("count") + " selections");
for (i = 0; i < 2; i++) {
    roiManager("select", i);
    getStatistics(area);
    getSelectionBounds(x, y, width, height);
    print(Roi.getName, area, "pixels at " + x + "," + y);
}
Ext.Drua_greaterOrEqualConstant(labels, mask, 1);
Ext.CLIJ2_pullToROIManager(mask);
roiManager("select", 2);
getStatistics(area);
print("" + roiManager("count") + " selections, the last of", area, "pixels");
setBatchMode(true); // the open manager continues to work
Ext.CLIJx_pullToROIManager(mask);
print("batch mode", roiManager("count"));
