// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/tables/readme.md 4d51e23cac77987adc5b868a365778f77a2be8f0
// input: blobs.gif
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
makeRectangle(74, 44, 100, 100);
run("Crop");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_thresholdOtsu(blobs, mask);
Ext.CLIJ2_connectedComponentsLabeling(mask, labels);
Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels(blobs, labels);
columns = split(Table.headings, "\t");
for (i = 0; i < columns.length; i++) {
    spare = !matches(columns[i], "IDENTIFIER|MEAN_INTENSITY") && Table.columnExists(columns[i]);
    if (spare) Table.deleteColumn(columns[i]);
}
Ext.CLIJ2_centroidsOfLabels(labels, centres);
Ext.CLIJ2_generateDistanceMatrix(centres, centres, distances);
Ext.CLIJ2_averageDistanceOfNClosestPoints(distances, nearest, 1);
Ext.CLIJx_pullToResultsTableColumn(nearest, "nearest_neighbor_distance", false);
Ext.CLIJx_flagLabelsOnEdges(labels, flags);
Ext.CLIJx_pullToResultsTableColumn(flags, "is_on_image_edge", false);
