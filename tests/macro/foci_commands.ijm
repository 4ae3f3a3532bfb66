// SPDX-License-Identifier: BSD-3-Clause
// The commands of a published macro that counts foci in nuclei (Foci Analyzer of the Netherlands Cancer Institute), with
// its arguments, in its order, on a stack with planted nuclei and foci. Two foci of each nucleus lie in both channels.
// expect: nuclei 5 4 4
// expect: rims 1
// expect: vector 9 4 0
// expect: normalized 0 1
// expect: CLIJ2_detectMaxima3DBox: radius_x is not a whole number, so digits after the decimal point are dropped, as in CLIJ2
// expect: CLIJ2_detectMaxima3DBox: radius_y is not a whole number, so digits after the decimal point are dropped, as in CLIJ2
// expect: CLIJ2_detectMaxima3DBox: radius_z is not a whole number, so digits after the decimal point are dropped, as in CLIJ2
// expect: foci 14 16
// expect: overlap 8
// expect: nucleus 1: 3 foci, 2 overlap
// expect: nucleus 2: 2 foci, 2 overlap
// expect: nucleus 3: 5 foci, 2 overlap
// expect: nucleus 4: 4 foci, 2 overlap
// expect: of stack 3 3 9
// expect: pasted 4
// expect: projections 1
run("CLIJ2 Macro Extensions", "cl_device=");
setBatchMode(true);
Ext.CLIJ2_clear();
width = 130; height = 130; slices = 9;

// Four nuclei and one at the border. The nuclei are numbered from above: they have 3, 2, 5 and 4 foci in channel A,
// and four each in channel B.
newImage("nuclei_2D", "16-bit black", width, height, 1);
newImage("foci_chA", "16-bit black", width, height, slices);
newImage("foci_chB", "16-bit black", width, height, slices);
for (n = 0; n < 5; n++) {
    left = newArray(10, 70, 10, 70, 54);
    top = newArray(10, 8, 72, 70, -20);
    selectImage("nuclei_2D");
    setColor(900);
    fillOval(left[n], top[n], 46 - 20 * (n == 4), 46 - 20 * (n == 4));
    for (channel = 0; channel < 2 && n < 4; channel++) {
        selectImage("foci_ch" + fromCharCode(65 + channel));
        shift = 0;
        many = n + 2;
        if (channel == 1)
            many = 4;
        for (f = 0; f < many; f++) {
            if (channel == 1 && f > 1)
                shift = 6;
            for (z = 4; z <= 6; z++) {
                setSlice(z);
                setColor(2000 - 500 * abs(z - 5));
                fillOval(left[n] + 9 + 12 * (f % 3) + shift, top[n] + 12 + 14 * floor(f / 3) + shift, 4, 4);
            }
        }
    }
}
labels = "Labelmap_nuclei";
Ext.CLIJ2_push("nuclei_2D");
Ext.CLIJ2_gaussianBlur3D("nuclei_2D", blurred, 1, 1, 1);
Ext.CLIJ2_maximumZProjection(blurred, projected);
Ext.CLIJ2_automaticThreshold(projected, mask, "Otsu");
Ext.CLIJ2_connectedComponentsLabelingBox(mask, unfiltered);
Ext.CLIJ2_getMaximumOfAllPixels(unfiltered, all);
Ext.CLIJ2_excludeLabelsOnEdges(unfiltered, inner);
Ext.CLIJ2_excludeLabelsOutsideSizeRange(inner, sized, 200, 5000);
Ext.CLIJ2_closeIndexGapsInLabelMap(sized, closed);
Ext.CLIJ2_greyscaleOpeningSphere(closed, labels, 2, 2, 0);
Ext.CLIJ2_getMaximumOfAllPixels(labels, nuclei);
Ext.CLIJ2_detectLabelEdges(labels, edges);
Ext.CLIJ2_mask(labels, edges, outlines);
Ext.CLIJ2_pullBinary(outlines);
run("Clear Results");
Ext.CLIJ2_statisticsOfLabelledPixels(labels, labels);
print("nuclei " + all, nuclei, nResults);
x0 = Table.getColumn("BOUNDING_BOX_X", "Results");
y0 = Table.getColumn("BOUNDING_BOX_Y", "Results");
w0 = Table.getColumn("BOUNDING_BOX_WIDTH", "Results");
h0 = Table.getColumn("BOUNDING_BOX_HEIGHT", "Results");

Ext.CLIJ2_getDimensions(labels, w, h, d);
Ext.CLIJ2_imageToStack(labels, labels_3D, slices);
Ext.CLIJ2_dilateLabels(labels_3D, dilated, 2);
Ext.CLIJ2_copySlice(dilated, plane, 0);
Ext.CLIJ2_maximumSliceBySliceSphere(dilated, high, 1, 1);
Ext.CLIJ2_minimumSliceBySliceSphere(dilated, low, 1, 1);
Ext.CLIJ2_subtractImages(high, low, rims);
Ext.CLIJ2_threshold(rims, rim_mask, 1);
Ext.CLIJ2_getMaximumOfAllPixels(rim_mask, rim);
print("rims " + rim);

Ext.CLIJx_flagLabelsOnEdges(unfiltered, flags);
Ext.CLIJ2_excludeLabels(flags, unfiltered, kept);
Ext.CLIJ2_getMaximumOfAllPixels(kept, left_over);
values = newArray(0, 3, 9, 5, 7);
Ext.CLIJ2_pushArray(vector, values, 5, 1, 1);
Ext.CLIJ2_generateParametricImage(labels, vector, map);
Ext.CLIJ2_getMaximumOfAllPixels(map, largest);
Ext.CLIJ2_withinIntensityRange(map, in_range, 4, 1E10);
Ext.CLIJ2_multiplyImages(labels, in_range, some);
Ext.CLIJ2_getMinimumOfAllPixels(some, smallest);
print("vector " + largest, left_over, smallest);
Ext.CLIJx_normalize("nuclei_2D", normalized);
Ext.CLIJ2_getMinimumOfAllPixels(normalized, least);
Ext.CLIJ2_getMaximumOfAllPixels(normalized, most);
print("normalized " + least, most);

function detect(channel, labelled) {
    raw = "foci_ch" + channel;
    Ext.CLIJ2_push(raw);
    Ext.CLIJ2_convertFloat(raw, foci);
    Ext.CLIJ2_gaussianBlur3D(foci, sharp, 0.5, 0.5, 0.25);
    Ext.CLIJ2_gaussianBlur3D(foci, wide, 4, 4, 2);
    Ext.CLIJ2_subtractImages(sharp, wide, filtered);
    Ext.CLIJ2_detectMaxima3DBox(filtered, maxima, 1.5, 1.5, 0.75);
    Ext.CLIJ2_threshold(filtered, above, 300);
    Ext.CLIJ2_mask(maxima, above, spots);
    Ext.CLIJ2_connectedComponentsLabelingBox(spots, spot_labels);
    Ext.CLIJ2_mask(spot_labels, dilated, seeds);
    Ext.CLIJ2_invert(filtered, inverted);
    Ext.CLIJx_morphoLibJMarkerControlledWatershed(inverted, seeds, above, flooded);
    Ext.CLIJx_morphoLibJFillHoles(flooded, full);
    Ext.CLIJ2_excludeLabelsOutsideSizeRange(full, of_size, 3, 9999);
    Ext.CLIJ2_closeIndexGapsInLabelMap(of_size, labelled);
    Ext.CLIJ2_mask(seeds, labelled, left_seeds);
    Ext.CLIJ2_dilateBox(left_seeds, large_seeds);
    Ext.CLIJ2_pullBinary(large_seeds);
    Ext.CLIJ2_getMaximumOfAllPixels(labelled, found);
    Ext.CLIJ2_release(filtered);
    return found;
}
a = "A"; b = "B";
found_a = detect("A", a);
found_b = detect("B", b);
print("foci " + found_a, found_b);

Ext.CLIJ2_binaryIntersection(a, b, overlap);
Ext.CLIJ2_connectedComponentsLabelingBox(overlap, overlap_labels);
Ext.CLIJ2_getJaccardIndex(a, b, jaccard);
Ext.CLIJ2_getMaximumOfAllPixels(overlap_labels, overlaps);
print("overlap " + overlaps);
for (i = 0; i < nuclei; i++) {
    Ext.CLIJ2_crop3D(labels_3D, cut, x0[i], y0[i], 0, w0[i], h0[i], slices);
    Ext.CLIJ2_crop3D(a, cut_a, x0[i], y0[i], 0, w0[i], h0[i], slices);
    Ext.CLIJ2_crop3D(overlap_labels, cut_overlap, x0[i], y0[i], 0, w0[i], h0[i], slices);
    Ext.CLIJ2_maskLabel(cut_a, cut, own, i + 1);
    Ext.CLIJ2_closeIndexGapsInLabelMap(own, own_closed);
    Ext.CLIJ2_getMaximumOfAllPixels(own_closed, number);
    Ext.CLIJ2_maskLabel(cut_overlap, cut, shared, i + 1);
    Ext.CLIJ2_closeIndexGapsInLabelMap(shared, shared_closed);
    Ext.CLIJ2_getMaximumOfAllPixels(shared_closed, both);
    Ext.CLIJ2_countNonZeroPixels(shared_closed);
    print("nucleus " + i + 1 + ": " + number + " foci, " + both + " overlap");
    Ext.CLIJ2_release(cut);
    Ext.CLIJ2_release(cut_a);
    Ext.CLIJ2_release(cut_overlap);
    Ext.CLIJ2_release(own);
    Ext.CLIJ2_release(own_closed);
    Ext.CLIJ2_release(shared);
    Ext.CLIJ2_release(shared_closed);
}
run("Clear Results");
Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels("foci_chA", labels_3D);
Ext.CLIJ2_reduceLabelsToCentroids(a, centroids);
Ext.CLIJ2_detectMaximaSliceBySliceBox("foci_chA", in_slices, 2, 2);
Ext.CLIJ2_distanceMap(labels_3D, distances);
Ext.CLIJ2_convertUInt16("foci_chA", wide_integers);
Ext.CLIJ2_convertUInt8("foci_chA", bytes);
Ext.CLIJ2_copy(labels_3D, copied);
Ext.CLIJ2_getDimensions(copied, w, h, d);
print("of stack " + lengthOf("" + w), lengthOf("" + h), d);
Ext.CLIJ2_create3D(large, 200, 200, slices, 16);
Ext.CLIJ2_set(large, 0);
Ext.CLIJ2_paste3D(copied, large, 20, 30, 0);
Ext.CLIJ2_getMaximumOfAllPixels(large, pasted);
print("pasted " + pasted);
selectImage("foci_chA");
rename("now");
Ext.CLIJ2_pushCurrentZStack("now");
Ext.CLIJ2_extendedDepthOfFocusSobelProjection("now", focused, 10);
Ext.CLIJ2_gaussianBlur2D(focused, soft, 0.5, 0.5);
Ext.CLIJ2_getDimensions(soft, w, h, d);
print("projections " + d);
Ext.CLIJ2_clear();
