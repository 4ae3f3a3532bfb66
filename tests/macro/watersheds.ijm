// SPDX-License-Identifier: BSD-3-Clause
// Touching discs are cut; maxima are found and numbered; shapes, textures and stains are measured.
// expect: objects 1 2 2, pixels 0 1
// expect: maxima 3, above 2, plateaus 3, inverted 3
// expect: seeds 1 2 0
// expect: ratio 4.2, values 1.25 2 5.25, moments 60 120
// expect: pairs 6 7 7 20, sides 4 4 4 12, shares 0.15 0.5
// expect: stains 1 2 0.5
// expect: moved 0, slices 0
// expect: line 4 4 9 9 0, angle 0.785 -0.785 0
// expect: correlation 1 -1, hat 40 0, filtered 40 0
// error: CLIJx_colorDeconvolution: source must have 3 slices, red, green and blue, got 1
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_create2D(discs, 40, 24, 8);
Ext.CLIJ2_drawSphere(discs, 12, 12, 0, 8, 8, 0, 1);
Ext.CLIJ2_drawSphere(discs, 27, 12, 0, 8, 8, 0, 1);
Ext.CLIJ2_watershed(discs, cut);
Ext.CLIJx_parametricWatershed(discs, smooth, 1, 1, 0);
function objects(mask) {
    Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
    Ext.CLIJ2_getMaximumOfAllPixels(labels, count);
    Ext.CLIJ2_release(labels);
    return count;
}
function at(image, x, y) {
    Ext.CLIJ2_crop2D(image, pixel, x, y, 1, 1);
    Ext.CLIJ2_getMaximumOfAllPixels(pixel, value);
    Ext.CLIJ2_release(pixel);
    return value;
}
print("objects " + objects(discs), objects(cut), objects(smooth) + ", pixels", at(cut, 4, 12), at(cut, 12, 12));

Ext.CLIJ2_pushString(hills, "0 1 0 1 2 1 0\n1 9 1 2 7 7 1\n0 1 0 3 2 1 0\n1 2 3 8 3 2 1\n0 1 2 3 2 1 0", 7, 5, 1);
Ext.CLIJx_detectAndLabelMaxima(hills, all, 0, 0, 0, false);
Ext.CLIJx_detectAndLabelMaximaAboveThreshold(hills, high, 0, 0, 0, 7.5, false);
Ext.CLIJx_findMaximaPlateaus(hills, flat);
Ext.CLIJ2_multiplyImageAndScalar(hills, holes, -1);
Ext.CLIJx_detectAndLabelMaxima(holes, low, 0, 0, 0, true);
Ext.CLIJ2_getMaximumOfAllPixels(all, a);
Ext.CLIJ2_getMaximumOfAllPixels(high, b);
Ext.CLIJ2_getMaximumOfAllPixels(low, d);
print("maxima " + a + ", above " + b + ", plateaus " + objects(flat) + ", inverted", d);

Ext.CLIJ2_pushString(seeds, "1 0 0 0 0 2", 6, 1, 1);
Ext.CLIJ2_pushString(heights, "9 6 5 1 7 8", 6, 1, 1);
Ext.CLIJx_seededWatershed(seeds, heights, regions, 1);
print("seeds", at(regions, 2, 0), at(regions, 4, 0), at(regions, 3, 0));

// The variance of n pixels in a row is (n * n - 1) / 12.
Ext.CLIJ2_create3D(box, 12, 12, 12, 8);
Ext.CLIJ2_drawBox(box, 2, 3, 4, 7, 4, 3, 1);
Ext.CLIJ2_getBinaryImageEigenValues3D(box, ex, ey, ez);
Ext.CLIJ2_getBinaryImageAspectRatio3D(box, ratio);
Ext.CLIJ2_create3D(small, 12, 12, 12, 8);
Ext.CLIJ2_drawBox(small, 2, 3, 4, 4, 3, 2, 1);
Ext.CLIJ2_binaryImageMoments3D(small, moments);
Ext.CLIJ2_copySlice(moments, along_x_y, 0);
print("ratio " + round(ratio * 1000) / 1000 + ", values", ex, ey, ez + ", moments", at(along_x_y, 0, 0), at(along_x_y, 2, 0));

Ext.CLIJ2_pushString(texture, "0 0 1\n0 1 1\n1 1 1", 3, 3, 1);
Ext.CLIJx_generateIntegerGreyValueCooccurrenceCountMatrixHalfBox(texture, around);
Ext.CLIJx_generateIntegerGreyValueCooccurrenceCountMatrixHalfDiamond(texture, sides);
Ext.CLIJx_generateGreyValueCooccurrenceMatrixBox(texture, shares, 0, 1);
print("pairs", at(around, 0, 0), at(around, 1, 0), at(around, 0, 1), at(around, 1, 1) + ", sides", at(sides, 0, 0), at(sides, 1, 0),
    at(sides, 0, 1), at(sides, 1, 1) + ", shares", round(at(shares, 0, 0) * 1000) / 1000, at(shares, 1, 1));

Ext.CLIJ2_create3D(black, 1, 1, 3, 8);
Ext.CLIJ2_pushArray(vectors, newArray(5, 0, 0, 0, 2.5, 0, 0, 0, 10), 9, 1, 1);
Ext.CLIJx_colorDeconvolution(black, vectors, stains);
Ext.CLIJ2_copySlice(stains, first, 0);
Ext.CLIJ2_copySlice(stains, second, 1);
Ext.CLIJ2_copySlice(stains, third, 2);
print("stains", at(first, 0, 0), at(second, 0, 0), at(third, 0, 0));

Ext.CLIJ2_create2D(still, 30, 20, 16);
Ext.CLIJ2_drawBox(still, 5, 4, 0, 6, 3, 0, 900);
Ext.CLIJ2_create2D(shifted, 30, 20, 16);
Ext.CLIJ2_drawBox(shifted, 14, 9, 0, 6, 3, 0, 900);
Ext.CLIJx_translationRegistration(still, shifted, moved);
Ext.CLIJ2_getMeanSquaredError(still, moved, error);
Ext.CLIJ2_concatenateStacks(still, shifted, movie);
Ext.CLIJx_translationTimelapseRegistration(movie, stable);
Ext.CLIJ2_concatenateStacks(still, still, twice);
Ext.CLIJ2_getMeanSquaredError(twice, stable, errors);
print("moved " + error + ", slices", errors);

Ext.CLIJ2_create2D(line, 12, 3, 8);
Ext.CLIJx_drawTwoValueLine(line, 1, 1, 0, 10, 1, 0, 2, 4, 9);
Ext.CLIJ2_pushString(here, "0\n0", 1, 2, 1);
Ext.CLIJ2_pushString(there, "1 2\n1 -2", 2, 2, 1);
Ext.CLIJx_generateAngleMatrix(here, there, angles);
print("line", at(line, 1, 1), at(line, 5, 1), at(line, 6, 1), at(line, 10, 1), at(line, 1, 0) + ", angle", round(at(angles, 1, 1) * 1000) / 1000,
    round(at(angles, 1, 2) * 1000) / 1000, at(angles, 0, 1));

Ext.CLIJ2_pushString(up, "0 1 2 3 4 5 6 7 8 9", 10, 1, 1);
Ext.CLIJ2_multiplyImageAndScalar(up, down, -1);
Ext.CLIJ2_pushString(middle, "4 4 4 4 4 4 4 4 4 4", 10, 1, 1);
Ext.CLIJ2_multiplyImageAndScalar(middle, below, -1);
Ext.CLIJx_crossCorrelation(up, middle, up, middle, same, 2, 0, 0);
Ext.CLIJx_crossCorrelation(up, middle, down, below, against, 2, 0, 0);
Ext.CLIJ2_create2D(spot, 20, 20, 32);
Ext.CLIJ2_set(spot, 10);
Ext.CLIJ2_drawBox(spot, 9, 9, 0, 0, 0, 0, 50);
Ext.CLIJx_topHatOctagonSliceBySlice(spot, hat, 1);
Ext.CLIJ2_create2D(large, 20, 20, 32);
Ext.CLIJ2_drawBox(large, 2, 2, 0, 4, 4, 0, 40);
Ext.CLIJ2_drawBox(large, 15, 15, 0, 0, 0, 0, 50);
Ext.CLIJx_greyLevelAtttributeFiltering(large, filtered, 256, 10);
print("correlation", round(at(same, 3, 0) * 1000) / 1000, round(at(against, 7, 0) * 1000) / 1000 + ", hat", at(hat, 9, 9), at(hat, 3, 3) + ", filtered",
    round(at(filtered, 4, 4)), at(filtered, 15, 15));
Ext.CLIJx_colorDeconvolution(line, vectors, none);
