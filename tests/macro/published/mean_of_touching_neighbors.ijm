// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/measure_statistics/readme.md 24fbe83da416fe868825b6cab5126ca1a2ff491e (the upper part of its table, made by md/mean_of_touching_neighbors)
// input: blobs.gif
// A label without pixels, here the background, had a box and intensities of 0 in earlier releases.
// now: 2 0,1.798E308,1.798E308,1.798E308,-1.798E308,-1.798E308,-1.798E308,-Infinity,-Infinity,-Infinity,1.798E308,-1.798E308,NaN,0,NaN,0,0,0,0,NaN,NaN,NaN,0,0,0,NaN,NaN,NaN,0.000,NaN,0.000,NaN,0.000,NaN,0.000,NaN
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_thresholdOtsu(blobs, mask);
Ext.CLIJ2_voronoiOctagon(mask, lines);
Ext.CLIJ2_binaryNot(lines, cells);
Ext.CLIJ2_connectedComponentsLabelingBox(cells, apart);
Ext.CLIJ2_maximum2DBox(apart, touching, 2, 2);
Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels(blobs, touching);
