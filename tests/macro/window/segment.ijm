// SPDX-License-Identifier: BSD-3-Clause
// A typical workflow shows its results in ImageJ's windows with titles and display ranges.
// expect: blurred 8-bit, shown 0 to 200
// expect: labels 32-bit, 3 objects, shown 0 to 2.9883
// expect: mask 0 to 255
// expect: titles picture,CLIJ2_gaussianBlur2D_result1,CLIJ2_connectedComponentsLabelingBox_result3,CLIJ2_threshold_result2,
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("picture", "8-bit black", 256, 200, 1);
setColor(200);
fillOval(20, 30, 60, 60);
fillOval(120, 20, 80, 50);
fillRect(60, 120, 120, 50);
Ext.CLIJ2_push("picture");
Ext.CLIJ2_gaussianBlur2D("picture", blurred, 4, 4);
Ext.CLIJ2_threshold(blurred, mask, 90);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_pull(blurred);
getMinAndMax(low, high);
print("blurred " + bitDepth() + "-bit, shown", low, "to", high);
Ext.CLIJ2_pull(labels);
getMinAndMax(low, high);
getStatistics(area, mean, least, most);
print("labels " + bitDepth() + "-bit,", most, "objects, shown", low, "to", high);
Ext.CLIJ2_pullBinary(mask);
getStatistics(area, mean, least, most);
print("mask", least, "to", most);
titles = "titles ";
for (i = 1; i <= nImages; i++) {
    selectImage(i);
    titles = titles + getTitle() + ",";
    setLocation(10 + 300 * (i - 1), 150);
}
print(titles);
