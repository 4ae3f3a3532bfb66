// SPDX-License-Identifier: BSD-3-Clause
// Measurements of labels go from the Results table to neighbours and into maps.
// only: patched
// expect: 80.0 81.0 62.0 83.0 64.0
// expect: 81.0 81.0 62.0 62.0
// expect: 81.0 81.0 62.0 62.0
// expect: 83.0 83.0 80.0 64.0
// expect: 83.0 83.0 64.0 64.0
// expect: 0.0 0.0 0.0 0.0 0.0
// expect: 0.0 0.0 0.0 0.0 0.0
// expect: 1.0 1.0 0.0 0.0 0.0
// expect: 1.0 1.0 0.0 0.0 0.0
// expect: 1.0 0.0 1.0 1.0 0.0
// expect: 72.25 75.333336 71.75 77.0 72.25
// expect: 80.0 81.0 80.0 81.0 80.0
// expect: 3.0 2.0 3.0 3.0 3.0
// expect: 2.0 2.0 2.0 2.0
// expect: 2.0 2.0 2.0 2.0
// expect: 2.0 2.0 0.0 2.0
// expect: 2.0 2.0 2.0 2.0
// expect: 0.5 2.5 0.5 2.6666667
// expect: 0.5 0.5 2.5 2.6666667
// expect: 0.0 0.0 0.0 0.0
// expect:  ,X0,X1,X2 4 2.5
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
run("Clear Results");
Ext.CLIJ2_pushString(lab, "1 1 2 2\n1 1 2 2\n3 3 0 4\n3 3 4 4", 4, 4, 1);
Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels(lab, lab);
for (i = 0; i < nResults(); i++) {
    offset = 80;
    if (getResult("MASS_CENTER_X", i) > 1) offset = 60;
    setResult("Measurement", i, offset + i);
}
Ext.CLIJ2_pushResultsTableColumn(measurement, "Measurement");
Ext.CLIJ2_print(measurement);
Ext.CLIJ2_replaceIntensities(lab, measurement, par); Ext.CLIJ2_print(par);
Ext.CLIJ2_generateTouchMatrix(lab, tm); Ext.CLIJ2_print(tm);
Ext.CLIJ2_meanOfTouchingNeighbors(measurement, tm, mm); Ext.CLIJ2_print(mm);
Ext.CLIJ2_medianOfTouchingNeighbors(measurement, tm, md); Ext.CLIJ2_print(md);
Ext.CLIJ2_countTouchingNeighbors(tm, cnt); Ext.CLIJ2_print(cnt);
Ext.CLIJ2_touchingNeighborCountMap(lab, tmap); Ext.CLIJ2_print(tmap);
Ext.CLIJ2_centroidsOfLabels(lab, pts); Ext.CLIJ2_print(pts);
run("Clear Results");
Ext.CLIJ2_transposeXY(pts, ptsT);
Ext.CLIJ2_pullToResultsTable(ptsT);
print(replace(String.getResultsHeadings, "\t", ","), nResults, getResult("X1", 2));
