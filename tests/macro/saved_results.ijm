// SPDX-License-Identifier: BSD-3-Clause
// --out saves the final Results table; rows of different commands share it.
// only: patched
// results:  ,Width,Height,Depth,Sum,X0,X1
// results: 1,3,2,2,0,0,0
// results: 2,0,0,0,42,0,0
// results: 3,0,0,0,0,7,8
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
run("Clear Results");
Ext.CLIJ2_pushArray(image, newArray(1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1), 3, 2, 2);
Ext.CLIJ2_getSize(image);
Ext.CLIJ2_sumOfAllPixels(image);
Ext.CLIJ2_pushArray2D(pair, newArray(7, 8), 2, 1);
Ext.CLIJ2_pullToResultsTable(pair);
