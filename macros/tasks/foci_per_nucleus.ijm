// SPDX-License-Identifier: BSD-3-Clause
// # Foci per nucleus
//
// How many foci does each nucleus contain? One channel shows the nuclei, another one the foci. The program draws six
// nuclei with 1, 2, 3, 4, 5 and 6 foci, and two foci outside all nuclei.
//
// 1. Blur, threshold and labels find the nuclei in the first channel.
// 2. [Find Maxima](../../docs/reference/find_maxima.md) numbers the foci in the second channel; see
//    [Count spots](count_spots.ijm).
// 3. [Label Overlap Count Map](../../docs/reference/label_overlap_count_map.md) paints each nucleus with the number of
//    foci inside. The mean of this map in each nucleus is a column of the Results table.
//
// The numbers should be 1 to 6, and the foci outside count for no nucleus. With your own images, look at both pictures
// together. A focus at the rim belongs to a nucleus only if the label contains it. If the rims of nuclei are dim, dilate
// the labels by one pixel. Nuclei without foci show how many false foci the tolerance finds.
//
// words: foci per nucleus|spots per cell|foci per cell|count foci|dots per nucleus|foci in nuclei|spots in nuclei
// image: nuclei.tif the first channel: nuclei
// image: foci.tif the second channel: foci
// labels: counts.tif nuclei, one colour for each number of foci
// expect: 6 nuclei with 1, 2, 3, 4, 5, 6 foci
newImage("nucleus", "32-bit black", 330, 220, 1);
newImage("points", "32-bit black", 330, 220, 1);
for (i = 0; i < 6; i++) {
    x = 55 + 110 * (i % 3);
    y = 55 + 110 * floor(i / 3);
    selectImage("nucleus");
    makeOval(x - 38, y - 32, 76, 64);
    run("Set...", "value=100");
    selectImage("points");
    for (k = 0; k <= i; k++) setPixel(x + round(20 * cos(k * 2 * PI / 6)), y + round(20 * sin(k * 2 * PI / 6)), 2500);
}
setPixel(110, 110, 2500);
setPixel(220, 110, 2500);

run("Drua Macro Extensions", "cl_device=");
nuclei = "nuclei"; foci = "foci"; counts = "counts"; // the titles of the windows
Ext.Drua_push("nucleus");
Ext.Drua_push("points");
Ext.Drua_addImageAndScalar("nucleus", light, 20);
Ext.Drua_cameraNoise(light, nuclei, 1, 2, 5);
Ext.Drua_gaussianBlur("points", spread, 2, 2, 0);
Ext.Drua_addImageAndScalar(spread, glow, 20);
Ext.Drua_cameraNoise(glow, foci, 1, 1, 6);
Ext.Drua_gaussianBlur(nuclei, blurred, 2, 2, 0);
Ext.Drua_automaticThreshold(blurred, mask, "Otsu");
Ext.Drua_connectedComponentsLabelingBox(mask, labels);
Ext.Drua_gaussianBlur(foci, smooth, 1.5, 1.5, 0);
Ext.Drua_findMaxima(smooth, maxima, 25);
Ext.Drua_labelOverlapCountMap(labels, maxima, counts);
Ext.Drua_statisticsOfLabelledPixels(counts, labels);
close("*");
Ext.Drua_pull(nuclei);
Ext.Drua_pull(foci);
Ext.Drua_pull(counts);
text = "";
for (row = 0; row < nResults; row++) text = text + ", " + d2s(getResult("MEAN_INTENSITY", row), 0);
print(nResults + " nuclei with " + substring(text, 2) + " foci");
