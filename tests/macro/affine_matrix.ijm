// SPDX-License-Identifier: BSD-3-Clause
// A transform may be given as the rows of its matrix from the result to the source: 2 x 3 numbers for planes, 3 x 4 for stacks.
// expect: 2.0 3.0 4.0 0.0
// expect: 4.0 3.0 2.0 1.0
// expect: 3.0 4.0 0.0 0.0
// error: transform holds 'matrix=1,0,1'; a stack takes
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray(stack, newArray(1, 2, 3, 4), 4, 1, 1);
Ext.CLIJ2_affineTransform3D(stack, moved, "matrix=1,0,0,1,0,1,0,0,0,0,1,0");
Ext.CLIJx_pullString(moved, text);
print(String.trim(text));
Ext.CLIJ2_affineTransform3D(stack, turned, "matrix=-1,0,0,4,0,1,0,0,0,0,1,0");
Ext.CLIJx_pullString(turned, text);
print(String.trim(text));
Ext.CLIJ2_create2D(plane, 4, 1, 32);
Ext.CLIJ2_copySlice(stack, plane, 0);
Ext.CLIJ2_affineTransform2D(plane, moved2D, "translateX=1 matrix=1,0,1,0,1,0");
Ext.CLIJx_pullString(moved2D, text);
print(String.trim(text));
Ext.CLIJ2_affineTransform3D(stack, moved, "matrix=1,0,1");
