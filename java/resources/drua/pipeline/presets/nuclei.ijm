// SPDX-License-Identifier: BSD-3-Clause
// Nuclei: each gets a label and a table row. Adjust the spot sigma to half the radius of a nucleus.
run("Drua Macro Extensions", "cl_device=");
image1 = getTitle();
Ext.Drua_push(image1);
Ext.Drua_voronoiOtsuLabeling(image1, segmented1, 6, 2);
Ext.Drua_excludeLabelsOutsideSizeRange(segmented1, sized1, 50, 100000);
Ext.Drua_excludeLabelsOnEdges(sized1, nuclei1);
Ext.Drua_pull(nuclei1);
Ext.Drua_statisticsOfLabelledPixels(image1, nuclei1);
Ext.Drua_clear();
