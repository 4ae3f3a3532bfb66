// SPDX-License-Identifier: BSD-3-Clause
// Tracking: finds bright cells in each frame and links them. Adjust sigma to the radius of a cell; distance is in pixels.
run("Drua Macro Extensions", "cl_device=");
image1 = getTitle();
Ext.Drua_push(image1);
Ext.Drua_gaussianBlur(image1, smooth1, 4, 4, 0);
Ext.Drua_detectMaxima(smooth1, maxima1, 1, 1, 0, true);
Ext.Drua_automaticThreshold(smooth1, bright1, "Otsu");
Ext.Drua_binaryAnd(maxima1, bright1, marked1);
Ext.Drua_labelSpots(marked1, centres1);
Ext.Drua_trackLabels(centres1, tracked1, tracks1, 10, "distance=20 gap_frames=1");
Ext.Drua_pull(tracked1);
Ext.Drua_measureTracks(tracks1, "");
Ext.Drua_clear();
