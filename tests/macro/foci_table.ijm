// SPDX-License-Identifier: BSD-3-Clause
// The table of a published macro that counts foci in nuclei (Foci Analyzer of the Netherlands Cancer Institute), made
// by its CLIJ2 steps for "tiny" foci. The nuclei are given as a label map. Nuclei have 190 and 210 alternately as grey
// values, the background has 100, and a focus adds whole numbers, so each cell can be calculated by hand. A large focus
// has 3 x 3 x 3 voxels and adds 300 + 26 * 100. A small focus has 3 x 3 voxels of one slice, which add 300 + 8 * 100,
// and the voxels above and below its centre: a flood goes one voxel beyond the mask beside its marker.
// Columns: nucleus, number of foci, mean and median of their mean grey values, mean and median volume, sum of grey
// values, mean of the nucleus, mean of the background.
// expect: nuclei 3 of 5
// expect: foci 5 5
// expect: A 1: 3 302.593 300.909 0.327 0.220 14910 204.791 110.213
// expect: A 2: 2 303.434 307.778 0.380 0.540 11600 202.790 110.213
// expect: A 3: 0 NaN NaN NaN NaN 0 200.000 110.213
// expect: B 1: 2 303.434 307.778 0.380 0.540 11600 203.547 109.724
// expect: B 2: 2 299.091 299.091 0.220 0.220 6580 201.467 109.724
// expect: B 3: 1 300.909 300.909 0.220 0.220 3310 200.917 109.724
// expect: overlaps 4 3, Jaccard index 0.23438
// expect: nucleus 1: 9.00 2 66.67
// expect: nucleus 2: 12.00 1 50.00
// expect: nucleus 3: 9.60 0 NaN
run("CLIJ2 Macro Extensions", "cl_device=");
setBatchMode(true);
Ext.CLIJ2_clear();
var width = 60, height = 40, slices = 5, count = 0, box_width = 0, box_height = 0;
var box_x = newArray(0), box_y = newArray(0);
var area = 0.2 * 0.2, volume = 0.2 * 0.2 * 0.5;
var left = newArray(4, 24, 4, 50, 44), right = newArray(18, 38, 23, 59, 46);
var top = newArray(4, 4, 24, 4, 30), bottom = newArray(18, 23, 35, 18, 32);

// The nucleus of a pixel, from 1, or 0.
function nucleus_at(x, y) {
    for (n = 0; n < 5; n++)
        if (x >= left[n] && x <= right[n] && y >= top[n] && y <= bottom[n])
            return n + 1;
    return 0;
}
newImage("nuclei_2D", "16-bit black", width, height, 1);
for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
        setPixel(x, y, 7 * nucleus_at(x, y));

// A channel without foci.
function draw(title) {
    newImage(title, "32-bit black", width, height, slices);
    for (z = 0; z < slices; z++) {
        setSlice(z + 1);
        for (y = 0; y < height; y++)
            for (x = 0; x < width; x++) {
                value = 100;
                if (nucleus_at(x, y) > 0) value = 190 + 20 * ((x + y + z) % 2);
                setPixel(x, y, value);
            }
    }
}

// Adds a focus whose centre adds `peak` and whose other voxels add `rest`.
function focus(x, y, z, radius_z, peak, rest) {
    for (c = z - radius_z; c <= z + radius_z; c++) {
        setSlice(c + 1);
        for (b = y - 1; b <= y + 1; b++)
            for (a = x - 1; a <= x + 1; a++) {
                more = rest;
                if (a == x && b == y && c == z) more = peak;
                setPixel(a, b, getPixel(a, b) + more);
            }
    }
}
function small(x, y, z) { focus(x, y, z, 0, 300, 100); }
function large(x, y, z) { focus(x, y, z, 1, 300, 100); }

// Channel A: three foci in nucleus 1, two in nucleus 2. Outside nuclei, in the nucleus at the border, too small or too
// dim foci do not count.
draw("smooth");
draw("raw_A");
small(8, 8, 2); large(14, 8, 2); small(8, 14, 1);
large(28, 8, 2); small(34, 18, 3);
large(44, 10, 2); small(55, 10, 2);
focus(14, 14, 2, 0, 300, 0);
focus(34, 8, 2, 0, 25, 20);
// Channel B: overlaps of 9, 6, 6 and 3 voxels with foci of channel A.
draw("raw_B");
large(8, 8, 2); small(15, 8, 2);
small(28, 9, 2); small(36, 18, 3);
small(10, 28, 2);

Ext.CLIJ2_push("nuclei_2D");
Ext.CLIJ2_closeIndexGapsInLabelMap("nuclei_2D", all);
Ext.CLIJ2_getMaximumOfAllPixels(all, given);
Ext.CLIJ2_excludeLabelsOnEdges("nuclei_2D", inner);
Ext.CLIJ2_excludeLabelsOutsideSizeRange(inner, sized, 50, 5000);
Ext.CLIJ2_closeIndexGapsInLabelMap(sized, nuclei);
Ext.CLIJ2_getMaximumOfAllPixels(nuclei, count);
print("nuclei " + count + " of " + given);
Ext.CLIJ2_push("smooth");
Ext.CLIJ2_create3D(nuclei_3D, width, height, slices, 16);
for (z = 0; z < slices; z++)
    Ext.CLIJ2_copySlice(nuclei, nuclei_3D, z);
run("Clear Results");
Ext.CLIJ2_statisticsOfLabelledPixels(nuclei, nuclei);
box_x = Table.getColumn("BOUNDING_BOX_X", "Results");
box_y = Table.getColumn("BOUNDING_BOX_Y", "Results");
pixels = Table.getColumn("PIXEL_COUNT", "Results");
widths = Table.getColumn("BOUNDING_BOX_WIDTH", "Results");
heights = Table.getColumn("BOUNDING_BOX_HEIGHT", "Results");
Array.getStatistics(widths, min, box_width);
Array.getStatistics(heights, min, box_height);

function median(numbers) {
    Array.sort(numbers);
    return numbers[floor(numbers.length / 2)];
}

// The steps from a channel to the label map of its foci.
function detect(raw, foci) {
    Ext.CLIJ2_push(raw);
    Ext.CLIJ2_convertFloat(raw, wide);
    run("Clear Results");
    Ext.CLIJ2_statisticsOfLabelledPixels("smooth", nuclei);
    deviations = Table.getColumn("STANDARD_DEVIATION_INTENSITY", "Results");
    threshold = 3 * median(deviations);
    Ext.CLIJ2_gaussianBlur3D(wide, sharp, 0, 0, 0);
    Ext.CLIJ2_gaussianBlur3D("smooth", blurred, 0, 0, 0);
    Ext.CLIJ2_subtractImages(sharp, blurred, filtered);
    Ext.CLIJ2_detectMaxima3DBox(filtered, maxima, 0, 0, 0);
    Ext.CLIJ2_threshold(filtered, above, threshold);
    Ext.CLIJ2_mask(maxima, above, spots);
    Ext.CLIJ2_connectedComponentsLabelingBox(spots, seeds);
    Ext.CLIJ2_invert(filtered, inverted);
    Ext.CLIJx_morphoLibJMarkerControlledWatershed(inverted, seeds, above, flooded);
    Ext.CLIJx_morphoLibJFillHoles(flooded, full);
    Ext.CLIJ2_excludeLabelsOutsideSizeRange(full, of_size, 8, 9999);
    Ext.CLIJ2_mask(of_size, nuclei_3D, inside);
    Ext.CLIJ2_closeIndexGapsInLabelMap(inside, foci);
    Ext.CLIJ2_getMaximumOfAllPixels(foci, found);
    return found;
}

// The steps from foci to the columns of their channel.
function measure(raw, foci, letter) {
    rows = newArray(count); numbers = newArray(count);
    for (i = 0; i < count; i++) {
        Ext.CLIJ2_crop3D(raw, raw_cut, box_x[i], box_y[i], 0, box_width, box_height, slices);
        Ext.CLIJ2_crop3D(nuclei_3D, nuclei_cut, box_x[i], box_y[i], 0, box_width, box_height, slices);
        Ext.CLIJ2_crop3D(foci, foci_cut, box_x[i], box_y[i], 0, box_width, box_height, slices);
        Ext.CLIJ2_maskLabel(foci_cut, nuclei_cut, own, i + 1);
        Ext.CLIJ2_closeIndexGapsInLabelMap(own, numbered);
        Ext.CLIJ2_getMaximumOfAllPixels(numbered, many);
        run("Clear Results");
        Ext.CLIJ2_statisticsOfLabelledPixels(raw_cut, numbered);
        means = newArray(many); sizes = newArray(many);
        sum = 0;
        for (k = 0; k < many; k++) {
            means[k] = getResult("MEAN_INTENSITY", k);
            sizes[k] = getResult("PIXEL_COUNT", k) * volume;
            sum += getResult("SUM_INTENSITY", k);
        }
        Array.getStatistics(means, min, max, mean);
        Array.getStatistics(sizes, min, max, size);
        middle = NaN; middle_size = NaN;
        if (many > 0) { middle = median(means); middle_size = median(sizes); }
        rows[i] = " " + i + 1 + ": " + many + " " + d2s(mean, 3) + " " + d2s(middle, 3) + " " + d2s(size, 3) + " " +
            d2s(middle_size, 3) + " " + d2s(sum, 0);
        numbers[i] = many;
    }
    run("Clear Results");
    Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels(raw, nuclei_3D);
    for (i = 0; i < count; i++)
        print(letter + rows[i], d2s(getResult("MEAN_INTENSITY", i + 1), 3), d2s(getResult("MEAN_INTENSITY", 0), 3));
    return numbers;
}
a = "foci_A"; b = "foci_B";
found_a = detect("raw_A", a);
found_b = detect("raw_B", b);
print("foci " + found_a, found_b);
count_a = measure("raw_A", a, "A");
measure("raw_B", b, "B");

// The steps from both channels to the columns of overlapping foci.
Ext.CLIJ2_binaryIntersection(a, b, both);
Ext.CLIJ2_connectedComponentsLabelingBox(both, overlaps);
Ext.CLIJ2_getJaccardIndex(a, b, jaccard);
Ext.CLIJ2_getMaximumOfAllPixels(overlaps, before);
Ext.CLIJ2_excludeLabelsOutsideSizeRange(overlaps, large_overlaps, 5, 9999);
Ext.CLIJ2_getMaximumOfAllPixels(large_overlaps, after);
print("overlaps " + before, after + ", Jaccard index " + d2s(jaccard, 5));
for (i = 0; i < count; i++) {
    Ext.CLIJ2_crop3D(nuclei_3D, nuclei_cut, box_x[i], box_y[i], 0, box_width, box_height, slices);
    Ext.CLIJ2_crop3D(large_overlaps, cut, box_x[i], box_y[i], 0, box_width, box_height, slices);
    Ext.CLIJ2_maskLabel(cut, nuclei_cut, own, i + 1);
    Ext.CLIJ2_closeIndexGapsInLabelMap(own, numbered);
    Ext.CLIJ2_getMaximumOfAllPixels(numbered, shared);
    print("nucleus " + i + 1 + ": " + d2s(pixels[i] * area, 2), shared, d2s(100 * shared / count_a[i], 2));
}
Ext.CLIJ2_clear();
