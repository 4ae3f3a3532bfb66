// SPDX-License-Identifier: BSD-3-Clause
// # Remove background
//
// How bright are cells on a background that rises from one side to the other? No single threshold finds all of them:
// the bright side of the background is brighter than a cell on the dark side. The program draws twelve cells, each 60
// grey values brighter than its surroundings.
//
// 1. A [top hat](../../docs/reference/top_hat_sphere.md) of radius 25, larger than a cell, removes everything that is
//    wider than the window. Its speed hardly depends on the radius.
// 2. Otsu's threshold and labels, before and after, show the effect.
// 3. The middles of the cells in the corrected image give the mean brightness.
//
// After the correction the count is 12, and all cells have the same brightness. Their mean is a few grey values below
// 60, because the window follows the slope of the background a little way into each cell. If cells lose brightness in
// their middle, the radius is too small. If the background still shows, the radius is too large.
//
// words: remove background|subtract background|background subtraction|rolling ball|uneven background
// image: image.tif cells on a rising background
// labels: before.tif objects by Otsu's threshold before the correction
// image: corrected.tif the image without its background
// labels: after.tif objects after the correction
// expect: before: 4 objects
// expect: after: 12 objects, 55 grey values bright
newImage("drawn", "32-bit black", 320, 240, 1);
for (cell = 0; cell < 12; cell++) {
    makeOval(22 + 75 * (cell % 4), 22 + 75 * floor(cell / 4), 36, 36);
    run("Set...", "value=60");
}
run("Select None");
newImage("slope", "32-bit ramp", 320, 240, 1);

run("Drua Macro Extensions", "cl_device=");
image = "image"; before = "before"; corrected = "corrected"; after = "after"; // the titles of the windows
Ext.Drua_push("drawn");
Ext.Drua_push("slope");
Ext.Drua_addImagesWeighted("drawn", "slope", light, 1, 150);
Ext.Drua_cameraNoise(light, image, 5, 0, 2);
Ext.Drua_gaussianBlur(image, blurred, 2, 2, 0);
Ext.Drua_topHatSphere(blurred, corrected, 25, 25, 0);
Ext.Drua_automaticThreshold(blurred, mask_before, "Otsu");
Ext.Drua_connectedComponentsLabelingBox(mask_before, before);
Ext.Drua_automaticThreshold(corrected, mask_after, "Otsu");
Ext.Drua_connectedComponentsLabelingBox(mask_after, after);
Ext.Drua_maximumOfAllPixels(before, count_before);
Ext.Drua_maximumOfAllPixels(after, count_after);
Ext.Drua_erodeLabels(after, middles, 5, false);
Ext.Drua_statisticsOfLabelledPixels(corrected, middles);
close("*");
Ext.Drua_pull(image);
Ext.Drua_pull(before);
Ext.Drua_pull(corrected);
Ext.Drua_pull(after);
mean = 0;
for (row = 0; row < nResults; row++) mean += getResult("MEAN_INTENSITY", row) / nResults;
print("before: " + count_before + " objects");
print("after: " + count_after + " objects, " + d2s(mean, 0) + " grey values bright");
