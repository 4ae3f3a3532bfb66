// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/matrix_multiply/readme.md 24fbe83da416fe868825b6cab5126ca1a2ff491e
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray(row, newArray(1, 2, 3, 4, 5), 5, 1, 1);
Ext.CLIJ2_pushArray(second, newArray(6, 7, 8, 9, 10), 5, 1, 1);
Ext.CLIJ2_transposeXY(row, first);
Ext.CLIJ2_print(first);
Ext.CLIJ2_print(second);
Ext.CLIJ2_multiplyMatrix(first, second, matrix);
Ext.CLIJ2_print(matrix);
Ext.CLIJ2_getDimensions(matrix, width, height, depth);
Ext.CLIJ2_create2D(noise, width, height, 32);
Ext.CLIJ2_setRandom(noise, 0, 1, 5);
Ext.CLIJ2_multiplyImages(matrix, noise, product);
Ext.CLIJ2_print(product);
Ext.CLIJ2_multiplyImageAndScalar(matrix, doubled, 2);
Ext.CLIJ2_print(doubled);
