// SPDX-License-Identifier: BSD-3-Clause
// Spots: each gets a table row with its position and brightness. Adjust both sigmas to the size of a spot.
run("Drua Macro Extensions", "cl_device=");
image1 = getTitle();
Ext.Drua_push(image1);
Ext.Drua_differenceOfGaussian(image1, filtered1, 1, 1, 0, 4, 4, 0);
Ext.Drua_detectMaxima(filtered1, maxima1, 1, 1, 0, false);
Ext.Drua_automaticThreshold(filtered1, bright1, "MaxEntropy");
Ext.Drua_binaryAnd(maxima1, bright1, marked1);
Ext.Drua_labelSpots(marked1, spots1);
Ext.Drua_pull(spots1);
Ext.Drua_statisticsOfLabelledPixels(image1, spots1);
Ext.Drua_clear();
