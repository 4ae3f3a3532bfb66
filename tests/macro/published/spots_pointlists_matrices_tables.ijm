// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/spots_pointlists_matrices_tables/readme.md 24fbe83da416fe868825b6cab5126ca1a2ff491e
run("CLIJ2 Macro Extensions", "cl_device=");
spots = newArray(
    0, 0, 0, 0, 0,
    0, 0, 1, 0, 1,
    0, 1, 0, 0, 0,
    0, 0, 0, 1, 0,
    1, 0, 0, 0, 0);
Ext.CLIJ2_pushArray(image, spots, 5, 5, 1);
Ext.CLIJ2_labelSpots(image, labels);
Ext.CLIJ2_labelVoronoiOctagon(labels, cells);
Ext.CLIJ2_statisticsOfLabelledPixels(image, cells);
