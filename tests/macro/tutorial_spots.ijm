// SPDX-License-Identifier: BSD-3-Clause
// Spots are found, numbered, listed and measured.
// only: patched
// expect: 5
// expect: 5
// expect: 4.0 9.0 14.0 19.0 24.0
// expect: 3.0 7.0 11.0 15.0 19.0
// expect: 4.0 9.0 14.0 19.0 24.0
// expect: 3.0 7.0 11.0 15.0 19.0
// expect: 0.0 9.604687 6.4031243 6.4031243 6.4031243 9.604687
// expect: 0.0 0.0 0.0 0.0 0.0 0.0
// expect: 0.0 0.0 0.0 0.0 0.0 0.0
// expect: 1.0 1.0 2.0 3.0 4.0 5.0
// expect: 203
// expect: 41.0 49.0 57.0 65.0 73.0
// expect: 5 57
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
newImage("x", "8-bit black", 32, 32, 1); for (i = 0; i < 5; i++) { makeRectangle(4 + i * 5, 3 + i * 4, 2, 2); run("Set...", "value=" + (100 + 20 * i)); } run("Select None");
Ext.CLIJ2_push("x");
Ext.CLIJ2_gaussianBlur2D("x", g, 1, 1);
Ext.CLIJ2_detectMaxima2DBox(g, mx, 1, 1); Ext.CLIJ2_getSumOfAllPixels(mx, n); print(n);
Ext.CLIJ2_threshold(g, th, 40); Ext.CLIJ2_binaryAnd(th, mx, sp); Ext.CLIJ2_getSumOfAllPixels(sp, n); print(n);
Ext.CLIJ2_labelSpots(sp, ls); Ext.CLIJ2_spotsToPointList(sp, pl); Ext.CLIJ2_print(pl);
Ext.CLIJ2_labelledSpotsToPointList(ls, pl2); Ext.CLIJ2_print(pl2);
Ext.CLIJ2_generateDistanceMatrix(pl, pl2, dm); Ext.CLIJ2_averageDistanceOfNClosestPoints(dm, av, 2); Ext.CLIJ2_print(av);
Ext.CLIJ2_shortestDistances(dm, sd); Ext.CLIJ2_print(sd);
Ext.CLIJ2_nClosestPoints(dm, nc, 2); Ext.CLIJ2_print(nc);
Ext.CLIJ2_voronoiOctagon(sp, vo); Ext.CLIJ2_getSumOfAllPixels(vo, n); print(n);
Ext.CLIJ2_readValuesFromPositions(pl, g, vals); Ext.CLIJ2_print(vals);
Ext.CLIJ2_pullToResultsTableColumn(vals, "value", false); print(nResults, getResult("value", 2));
