// SPDX-License-Identifier: BSD-3-Clause
// Objects of a stack: threshold, label, measure, exclude.
// only: patched
// expect: 3
// expect: 144 27.5 4.5 3.5 1000 4
// expect: 191 10 10 5 300 7
// expect: 585 28 28 6 500 9
// expect: 2
// expect: 3
// expect: 12 40 1
// expect: 40 12 1
// expect: 40 12 40
// expect: 40 40 36
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
st = "st";
newImage("st", "16-bit black", 40, 40, 12);
Ext.CLIJ2_push(st); close();
Ext.CLIJ2_drawSphere(st, 10, 10, 5, 4, 4, 3, 300);
Ext.CLIJ2_drawSphere(st, 28, 28, 6, 6, 6, 4, 500);
Ext.CLIJ2_drawBox(st, 25, 2, 2, 5, 5, 3, 1000);
Ext.CLIJ2_gaussianBlur3D(st, bl, 1, 1, 1);
Ext.CLIJ2_detectMaxima3DBox(bl, sp, 2, 2, 2);
Ext.CLIJ2_voronoiOtsuLabeling(st, vo, 2, 1);
Ext.CLIJ2_getMaximumOfAllPixels(vo, n); print(n);
Ext.CLIJ2_greaterConstant(st, m, 100); Ext.CLIJ2_connectedComponentsLabelingBox(m, l);
run("Clear Results");
Ext.CLIJ2_statisticsOfLabelledPixels(st, l);
for (i = 0; i < nResults; i++) print(getResult("PIXEL_COUNT", i), getResult("CENTROID_X", i), getResult("CENTROID_Y", i), getResult("CENTROID_Z", i), getResult("MEAN_INTENSITY", i), getResult("BOUNDING_BOX_DEPTH", i));
Ext.CLIJ2_excludeLabelsOutsideSizeRange(l, l2, 100, 400); Ext.CLIJ2_getMaximumOfAllPixels(l2, n); print(n);
Ext.CLIJ2_excludeLabelsOnEdges(l, l3); Ext.CLIJ2_getMaximumOfAllPixels(l3, n); print(n);
Ext.CLIJ2_maximumXProjection(l, px); Ext.CLIJ2_getDimensions(px, w, h, d); print(w, h, d);
Ext.CLIJ2_maximumYProjection(l, py); Ext.CLIJ2_getDimensions(py, w, h, d); print(w, h, d);
Ext.CLIJ2_resliceTop(l, rt); Ext.CLIJ2_getDimensions(rt, w, h, d); print(w, h, d);
Ext.CLIJ2_makeIsotropic(st, iso, 0.5, 0.5, 1.5, 0.5); Ext.CLIJ2_getDimensions(iso, w, h, d); print(w, h, d);
