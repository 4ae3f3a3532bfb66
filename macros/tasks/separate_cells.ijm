// SPDX-License-Identifier: BSD-3-Clause
// # Separate touching cells
//
// How can cells that touch be counted one by one? A threshold joins them, but a pair of round cells is narrow where
// they touch. The program draws twelve pairs of overlapping cells.
//
// 1. A threshold makes a mask; its connected components are the pairs.
// 2. [Watershed](../../docs/reference/watershed.md) computes how far each pixel of the mask is from the background and
//    cuts where two deep places meet.
// 3. The connected components of the cut mask are the cells.
//
// The count should rise from 12 to 24, and each cell should have one colour. If cuts go across single cells, the
// outlines are ragged: blur more, or use [Parametric Watershed](../../docs/reference/parametric_watershed.md). If pairs
// stay joined, no narrow place is left; [Voronoi-Otsu labelling](voronoi_otsu.ijm) then uses the brightness instead.
//
// words: split touching cells|separate touching cells|touching cells|split cells|separate nuclei|split nuclei|touching nuclei
// image: cells.tif pairs of cells
// labels: pairs.tif connected components of the threshold
// labels: labels.tif labels after the watershed
// expect: 12 objects, after the watershed 24
newImage("drawn", "32-bit black", 320, 240, 1);
run("Set...", "value=20");
for (pair = 0; pair < 12; pair++) {
    x = 40 + 80 * (pair % 4);
    y = 40 + 80 * floor(pair / 4);
    for (side = -1; side <= 1; side += 2) {
        makeOval(x + round(15 * side * cos(pair)) - 19, y + round(15 * side * sin(pair)) - 19, 38, 38);
        run("Set...", "value=120");
    }
}
run("Select None");

run("Drua Macro Extensions", "cl_device=");
cells = "cells"; pairs = "pairs"; labels = "labels"; // the titles of the windows
Ext.Drua_push("drawn");
Ext.Drua_cameraNoise("drawn", cells, 1, 2, 9);
Ext.Drua_gaussianBlur(cells, blurred, 2, 2, 0);
Ext.Drua_automaticThreshold(blurred, mask, "Otsu");
Ext.Drua_connectedComponentsLabelingBox(mask, pairs);
Ext.Drua_watershed(mask, cut);
Ext.Drua_connectedComponentsLabelingBox(cut, labels);
Ext.Drua_maximumOfAllPixels(pairs, before);
Ext.Drua_maximumOfAllPixels(labels, after);
close("*");
Ext.Drua_pull(cells);
Ext.Drua_pull(pairs);
Ext.Drua_pull(labels);
print(before + " objects, after the watershed " + after);
