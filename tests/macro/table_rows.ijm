// SPDX-License-Identifier: BSD-3-Clause
// Commands that measure add rows to the Results table and never clear it.
// only: patched
// expect: 4 rows
// expect: size 3 2
// expect: sum 21 mean 3.5
// expect: statistics 5 rows, label 2 has 2 pixels
// expect: 7 rows, the size is still 3
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
run("Clear Results");
Ext.CLIJ2_pushArray2D(image, newArray(1, 2, 3, 4, 5, 6), 3, 2);
Ext.CLIJ2_getSize(image);
Ext.CLIJ2_sumOfAllPixels(image);
Ext.CLIJ2_meanOfAllPixels(image);
Ext.CLIJ2_maximumOfAllPixels(image);
print("" + nResults + " rows");
print("size", getResult("Width", 0), getResult("Height", 0));
print("sum", getResult("Sum", 1), "mean", getResult("Mean", 2));
Ext.CLIJ2_statisticsOfImage(image);
n = nResults;
Ext.CLIJ2_pushArray2D(labels, newArray(1, 1, 2, 0, 1, 2), 3, 2);
Ext.CLIJ2_statisticsOfLabelledPixels(image, labels);
print("statistics", n, "rows, label 2 has", getResult("PIXEL_COUNT", nResults - 1), "pixels");
print("" + nResults + " rows, the size is still", getResult("Width", 0));
