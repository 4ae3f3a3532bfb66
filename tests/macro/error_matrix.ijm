// SPDX-License-Identifier: BSD-3-Clause
// Matrices whose inner extents differ cannot be multiplied.
// error: matrix1 is 3 wide and matrix2 is 4 high, but both numbers must be equal
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_create2D(left, 3, 4, 32);
Ext.CLIJ2_create2D(right, 3, 4, 32);
Ext.CLIJ2_multiplyMatrix(left, right, product);
print(product);
