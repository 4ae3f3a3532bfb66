// SPDX-License-Identifier: BSD-3-Clause
// # Count nuclei
//
// How many nuclei does this picture show? The nuclei are brighter than their surroundings, so a threshold finds the
// pixels that belong to them. Each group of connected pixels is then one nucleus.
//
// 1. A [Gaussian blur](../../docs/reference/gaussian_blur.md) of 2 pixels removes noise, which would otherwise give
//    ragged outlines and small false objects.
// 2. [Otsu's threshold](../../docs/reference/automatic_threshold.md) separates nuclei from background.
// 3. [Connected components](../../docs/reference/connected_components_box.md) get numbers: 1, 2, 3 and so on.
// 4. Objects of less than 50 pixels are debris. The program removes this debris and renumbers the nuclei. The largest
//    number is now the count.
//
// Look at the colours: each nucleus should have one colour. Two nuclei of one colour touch each other; see
// [Separate touching cells](separate_cells.ijm). A nucleus in several colours needs a stronger blur. Count one corner
// by hand: the two counts should differ by less than one in twenty.
//
// words: count nuclei|count cells|how many cells|how many nuclei|number of nuclei|cell count|count objects
// image: nuclei.tif the nuclei
// labels: labels.tif the labels, one colour for each nucleus
// expect: 65 nuclei
open("macros/images/BBBC022_nuclei.tif");
rename("nuclei");

run("Drua Macro Extensions", "cl_device=");
labels = "labels"; // the title of its window
Ext.Drua_push("nuclei");
Ext.Drua_gaussianBlur("nuclei", blurred, 2, 2, 0);
Ext.Drua_automaticThreshold(blurred, mask, "Otsu");
Ext.Drua_connectedComponentsLabelingBox(mask, objects);
Ext.Drua_excludeLabelsOutsideSizeRange(objects, labels, 50, 100000);
Ext.Drua_maximumOfAllPixels(labels, count);
Ext.Drua_pull(labels);
print(count + " nuclei");
