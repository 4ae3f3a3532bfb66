// SPDX-License-Identifier: BSD-3-Clause
// error: pullToROIManager: ImageJ's ROI Manager needs a display
// error: in line 7
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
Ext.Drua_pushArray2d(mask, newArray(0, 1), 2, 1);
Ext.CLIJ2_pullToROIManager(mask);
