// SPDX-License-Identifier: BSD-3-Clause
// Cells by membrane: watershed from the dark middle of each cell. Adjust the first sigma to less than half a radius of a cell.
run("Drua Macro Extensions", "cl_device=");
image1 = getTitle();
Ext.Drua_push(image1);
Ext.Drua_gaussianBlur(image1, wide1, 8, 8, 0);
Ext.Drua_detectMinima(wide1, seeds1, 1, 1, 0, false);
Ext.Drua_gaussianBlur(image1, smooth1, 1, 1, 0);
Ext.Drua_greaterOrEqualConstant(smooth1, flooded1, 0);
Ext.Drua_markerControlledWatershed(smooth1, seeds1, flooded1, segmented1, 4, false, true);
Ext.Drua_excludeLabelsOnEdges(segmented1, cells1);
Ext.Drua_pull(cells1);
Ext.Drua_statisticsOfLabelledPixels(image1, cells1);
Ext.Drua_clear();
