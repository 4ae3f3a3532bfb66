// SPDX-License-Identifier: BSD-3-Clause
// Moves an image so that its centre of mass lies at given shares of its extents.
// expect: 12 9 0 of 20.5, bright 10 7.5 0
// expect: stack 10 8 3
// error: CLIJx_driftCorrectionByCentroidFixation: source has no centre of mass, because its pixels add up to 0
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_create2D(plane, 24, 18, 32);
Ext.CLIJ2_drawBox(plane, 3, 4, 0, 0, 0, 0, 20);
Ext.CLIJ2_drawBox(plane, 9, 4, 0, 0, 0, 0, 0.5);
Ext.CLIJx_driftCorrectionByCenterOfMassFixation(plane, moved, 0.5, 0.5, 0.5);
Ext.CLIJ2_getCenterOfMass(moved, x, y, z);
Ext.CLIJ2_getSumOfAllPixels(moved, sum);
Ext.CLIJx_driftCorrectionByCentroidFixation(plane, bright, 10 / 24, 7.5 / 18, 0, 10);
Ext.CLIJ2_threshold(bright, mask, 5);
Ext.CLIJ2_mask(bright, mask, one);
Ext.CLIJ2_getCenterOfMass(one, a, b, c);
print(round(x * 1000) / 1000, round(y * 1000) / 1000, round(z) + " of " + sum + ", bright", round(a * 1000) / 1000, round(b * 1000) / 1000, c);
Ext.CLIJ2_create3D(stack, 20, 16, 6, 16);
Ext.CLIJ2_drawSphere(stack, 6, 6, 2, 3, 3, 1, 500);
Ext.CLIJx_driftCorrectionByCentroidFixation(stack, middle, 0.5, 0.5, 0.5, 100);
Ext.CLIJ2_getCenterOfMass(middle, x, y, z);
print("stack", x, y, z);
Ext.CLIJx_driftCorrectionByCentroidFixation(stack, none, 0.5, 0.5, 0.5, 1000);
