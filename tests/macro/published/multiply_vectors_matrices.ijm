// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/multiply_vectors_matrices/readme.md 24fbe83da416fe868825b6cab5126ca1a2ff491e
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray(size, newArray(0.2, 0.2, 0.5), 1, 3, 1);
Ext.CLIJ2_print(size);
Ext.CLIJ2_pushArray(points, newArray(1, 3, 5, 11, 0, 6, 1, 2, 9, 11, 6, 2), 4, 3, 1);
Ext.CLIJ2_print(points);
Ext.CLIJ2_multiplyImages(points, size, scaled);
Ext.CLIJ2_print(scaled);
Ext.CLIJ2_multiplyImages(size, points, first);
Ext.CLIJ2_print(first);
