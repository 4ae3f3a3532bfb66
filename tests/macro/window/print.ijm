// SPDX-License-Identifier: BSD-3-Clause
// An empty line separates slices in the Log window, and nothing follows the last row.
// expect: 1.0 2.0
// expect:
// expect: 3.0 4.0
// expect: 5.0 6.0
// expect: end
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray(stack, newArray(1, 2, 3, 4), 2, 1, 2);
Ext.CLIJ2_print(stack);
Ext.CLIJ2_pushArray2D(row, newArray(5, 6), 2, 1);
Ext.CLIJ2_print(row);
print("end");
