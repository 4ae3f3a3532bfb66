// SPDX-License-Identifier: BSD-3-Clause
// CLIJ2's tutorials ask for the values of 0 nearest neighbours; as in CLIJ2, this means one neighbour.
// expect: 7.0 7.0 9.0 9.0 9.0 0.0 9.0 9.0
// expect: 5.0 5.0 5.0 5.0 5.0 0.0 7.0 7.0
// expect: 0.0 0.0 0.0 0.0
// expect: 0.0 0.0 0.0 0.0
// expect: 0.0 1.0 0.0 0.0
// expect: 0.0 0.0 1.0 0.0
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_pushString(labels, "1 1 2 2 2 0 3 3", 8, 1, 1);
Ext.CLIJ2_pushString(values, "5 5 7 7 7 0 9 9", 8, 1, 1);
Ext.CLIJ2_maximumOfNNearestNeighborsMap(values, labels, maxima, 0);
Ext.CLIJ2_print(maxima);
Ext.CLIJ2_minimumOfNNearestNeighborsMap(values, labels, minima, 0);
Ext.CLIJ2_print(minima);
Ext.CLIJ2_centroidsOfLabels(labels, centroids);
Ext.CLIJ2_generateDistanceMatrix(centroids, centroids, distances);
Ext.CLIJ2_generateNNearestNeighborsMatrix(distances, touches, 0);
Ext.CLIJ2_print(touches);
