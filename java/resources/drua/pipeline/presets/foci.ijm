// SPDX-License-Identifier: BSD-3-Clause
// Foci in nuclei: SUM_INTENSITY is the number of foci in a nucleus. Slice 0 is the channel of nuclei, 1 that of foci.
run("Drua Macro Extensions", "cl_device=");
image1 = getTitle();
Ext.Drua_push(image1);
Ext.Drua_copySlice(image1, nuclei_channel1, 0);
Ext.Drua_copySlice(image1, foci_channel1, 1);
Ext.Drua_voronoiOtsuLabeling(nuclei_channel1, segmented1, 6, 2);
Ext.Drua_excludeLabelsOnEdges(segmented1, nuclei1);
Ext.Drua_pull(nuclei1);
Ext.Drua_differenceOfGaussian(foci_channel1, filtered1, 1, 1, 0, 4, 4, 0);
Ext.Drua_detectMaxima(filtered1, maxima1, 1, 1, 0, false);
Ext.Drua_automaticThreshold(filtered1, bright1, "MaxEntropy");
Ext.Drua_binaryAnd(maxima1, bright1, foci1);
Ext.Drua_pull(foci1);
Ext.Drua_statisticsOfLabelledPixels(foci1, nuclei1);
Ext.Drua_clear();
