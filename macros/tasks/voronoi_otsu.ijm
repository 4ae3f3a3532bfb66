// SPDX-License-Identifier: BSD-3-Clause
// # Segment by Voronoi-Otsu labelling
//
// Which pixels belong to which nucleus if nuclei are dense and touch? Voronoi-Otsu labelling answers this in one
// command with two numbers: how large nuclei are, and how smooth their outlines should be.
//
// 1. A strong blur, here 4 pixels, leaves one maximum for each nucleus.
// 2. A weak blur, here 1 pixel, and Otsu's threshold find the outline of all nuclei together.
// 3. Each pixel inside the outline gets the number of the nearest maximum.
// 4. [Labels on the edges](../../docs/reference/exclude_labels_on_edges.md) are removed, because parts of these nuclei
//    are outside the picture.
//
// Each nucleus should have one colour. If nuclei are cut into pieces, the first number is too small; if neighbours
// share a colour, it is too large. A good value is about a quarter of a nucleus' diameter. The program prints the
// count for several values: the right ones lie where the count changes least.
//
// words: voronoi otsu|segment nuclei|segment cells|dense nuclei|instance segmentation
// image: nuclei.tif nuclei of Drosophila cells
// labels: labels.tif labels of Voronoi-Otsu labelling
// labels: inner.tif labels that do not touch the edges
// expect: sigma 2: 86 nuclei
// expect: sigma 3: 73 nuclei
// expect: sigma 4: 69 nuclei
// expect: sigma 5: 68 nuclei
// expect: sigma 6: 66 nuclei
open("macros/images/BBBC007_20P1_POS0007_D_1UL.tif");
rename("nuclei");

run("Drua Macro Extensions", "cl_device=");
labels = "labels"; inner = "inner"; // the titles of the windows
Ext.Drua_push("nuclei");
for (sigma = 2; sigma <= 6; sigma++) {
    Ext.Drua_voronoiOtsuLabeling("nuclei", tried, sigma, 1);
    Ext.Drua_maximumOfAllPixels(tried, count);
    print("sigma " + sigma + ": " + count + " nuclei");
}
Ext.Drua_voronoiOtsuLabeling("nuclei", labels, 4, 1);
Ext.Drua_excludeLabelsOnEdges(labels, inner);
Ext.Drua_pull(labels);
Ext.Drua_pull(inner);
