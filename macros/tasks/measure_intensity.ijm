// SPDX-License-Identifier: BSD-3-Clause
// # Measure intensity per cell
//
// How bright is each cell? The question has three parts: which pixels belong to a cell, the mean of these pixels, and
// the brightness of the background, which the mean contains too. The program draws twelve cells of 40, 60, 80 and so on
// grey values above a background of 30, so that the answer is known.
//
// 1. Blur, threshold and [labels](../../docs/reference/connected_components_box.md) find the cells.
// 2. The mean of all pixels outside the cells is the background.
// 3. [Eroded labels](../../docs/reference/erode_labels.md) leave out the rim. The label of a bright cell contains more
//    of the cell's blurred rim. In this image, the rim would make the mean too small by up to a fifth.
// 4. [Label means](../../docs/reference/statistics_of_labelled_pixels.md) are measured in the image, not in its blurred
//    copy, and fill a table with a row for each cell. [A map of the means](../../docs/reference/mean_intensity_map.md)
//    paints each cell with its mean.
//
// Each mean minus the background should be the brightness that was drawn. With your own images, measure the same cells
// again with labels that are eroded by one pixel more. If the means change by more than a few percent, the outlines
// decide the result.
//
// words: measure intensity|intensity per cell|measure brightness|mean intensity per cell|fluorescence per cell
// table: PIXEL_COUNT MEAN_INTENSITY STANDARD_DEVIATION_INTENSITY
// image: cells.tif twelve cells with noise
// labels: labels.tif their labels
// image: means.tif each cell with its mean
// expect: background 30
// expect: 12 cells; drawn 40 to 260, measured 40 to 260
newImage("drawn", "32-bit black", 320, 240, 1);
run("Set...", "value=30");
for (cell = 0; cell < 12; cell++) {
    makeOval(20 + 75 * (cell % 4), 15 + 75 * floor(cell / 4), 54, 48);
    run("Set...", "value=" + (30 + 40 + 20 * cell));
}
run("Select None");

run("Drua Macro Extensions", "cl_device=");
cells = "cells"; labels = "labels"; means = "means"; // the titles of the windows
Ext.Drua_push("drawn");
Ext.Drua_cameraNoise("drawn", cells, 1, 2, 7);
Ext.Drua_gaussianBlur(cells, blurred, 2, 2, 0);
Ext.Drua_threshold(blurred, mask, 50);
Ext.Drua_connectedComponentsLabelingBox(mask, labels);
Ext.Drua_erodeLabels(labels, middles, 5, false);
Ext.Drua_binaryNot(mask, outside);
Ext.Drua_meanOfMaskedPixels(cells, outside, background);
Ext.Drua_statisticsOfLabelledPixels(cells, middles);
Ext.Drua_meanIntensityMap(cells, labels, means);
close("drawn");
Ext.Drua_pull(cells);
Ext.Drua_pull(labels);
Ext.Drua_pull(means);
print("background " + d2s(background, 0));
measured = Array.sort(Table.getColumn("MEAN_INTENSITY"));
dim = d2s(measured[0] - background, 0);
bright = d2s(measured[nResults - 1] - background, 0);
print(nResults + " cells; drawn 40 to 260, measured " + dim + " to " + bright);
