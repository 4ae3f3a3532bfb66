// SPDX-License-Identifier: BSD-3-Clause
// # Count spots
//
// How many spots does a noisy image show? A threshold does not answer this well, because spots differ in brightness and
// may touch. A maximum that rises above its surroundings is a better sign. The program draws 40 spots.
//
// 1. A [Laplacian of Gaussian](../../docs/reference/laplacian_of_gaussian.md) of the spots' size, 2 pixels, removes
//    noise and the uneven background. Its result is negative in spots, so the program multiplies this result by -1.
// 2. [Find Maxima](../../docs/reference/find_maxima.md) numbers the maxima. A pixel is a maximum if every path from it
//    to a brighter pixel goes down by at least the tolerance.
// 3. For display, each pixel [grows to a dot](../../docs/reference/dilate_labels.md).
//
// The count should be 40. With your own images, change the tolerance: from the right value on, a change of a third
// hardly changes the count. If the count rises steeply, the tolerance finds noise. Each spot in the left picture should
// have one dot in the right one.
//
// words: count spots|detect spots|find spots|count dots|count particles|number of spots
// image: spots.tif 40 spots on uneven background
// labels: dots.tif a dot for each spot that was found
// expect: 40 spots
newImage("points", "32-bit black", 300, 200, 1);
for (i = 0; i < 40; i++) setPixel(20 + 36 * (i % 8) + (7 * i) % 13, 20 + 38 * floor(i / 8) + (5 * i) % 11, 1);
newImage("background", "32-bit ramp", 300, 200, 1);

run("Drua Macro Extensions", "cl_device=");
spots = "spots"; dots = "dots"; // the titles of the windows
Ext.Drua_push("points");
Ext.Drua_push("background");
Ext.Drua_gaussianBlur("points", light, 2, 2, 0);
Ext.Drua_addImagesWeighted(light, "background", clean, 6000, 60);
Ext.Drua_cameraNoise(clean, spots, 4, 2, 3);
Ext.Drua_laplacianOfGaussian(spots, dark, 2, 2, 0);
Ext.Drua_multiplyImageAndScalar(dark, bright, -1);
Ext.Drua_findMaxima(bright, maxima, 8);
Ext.Drua_maximumOfAllPixels(maxima, count);
Ext.Drua_dilateLabels(maxima, dots, 4);
close("*");
Ext.Drua_pull(spots);
Ext.Drua_pull(dots);
print(count + " spots");
