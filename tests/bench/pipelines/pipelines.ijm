// SPDX-License-Identifier: BSD-3-Clause
// Whole pipelines of CLIJ2's commands, from pixels in ImageJ to a table in ImageJ: a row each. Runs in Fiji with CLIJ2 too, and in ImageJ
// with Drua. Argument: a part of a row's name and size, such as "segment 2048x2048"; nothing: all.
//
// A time is the median of 7 after 2. transfer_ms is that of pushing the images alone. megabytes are those of each step's images, read
// or written once; launches on single pixels and points count nothing. value tells results apart: the table's rows and the sum of a column.
TIMES = 7;
FRAMES = 100;
var touched, value; // a pipeline's images, each as often as a step reads or writes it
setBatchMode(true);
run("CLIJ2 Macro Extensions", "cl_device=");
print("pipeline\tsize\tms\ttransfer_ms\tmegabytes\tvalue");
sizes = newArray(2048, 2048, 1, 512, 512, 512);
for (s = 0; s < sizes.length; s += 3) {
    measure("segment", sizes[s], sizes[s + 1], sizes[s + 2], 1);
    measure("background", sizes[s], sizes[s + 1], sizes[s + 2], 1);
    measure("colocalisation", sizes[s], sizes[s + 1], sizes[s + 2], 2);
}
measure("tracking", 512, 512, FRAMES, 1);
Ext.CLIJ2_clear();

function measure(pipeline, width, height, depth, channels) {
    size = "" + width + "x" + height + "x" + depth;
    wanted = split(getArgument(), " ");
    for (i = 0; i < wanted.length; i++) {
        if (indexOf(pipeline + " " + size, wanted[i]) < 0) return;
    }
    Ext.CLIJ2_clear();
    for (c = 1; c <= channels; c++) make("channel" + c, width, height, depth, c);
    times = newArray(TIMES);
    transfers = newArray(TIMES);
    bytes = 0;
    for (i = -2; i < TIMES; i++) {
        Ext.CLIJ2_clear();
        run("Clear Results");
        start = now();
        push(channels);
        lastPixel("channel" + channels, width, height, depth);
        half = now();
        Ext.CLIJ2_clear();
        begin = now();
        push(channels);
        if (pipeline == "segment") segment("channel1", depth);
        if (pipeline == "background") background("channel1", depth);
        if (pipeline == "colocalisation") colocalisation("channel1", "channel2", depth);
        if (pipeline == "tracking") tracking("channel1", depth);
        if (i >= 0) {
            times[i] = now() - begin;
            transfers[i] = half - start;
        }
        if (i < -1) bytes = bytesTouched();
    }
    print(pipeline + "\t" + size + "\t" + d2s(median(times), 2) + "\t" + d2s(median(transfers), 2) + "\t" + d2s(bytes / 1e6, 1) + "\t" + value);
    close("*");
}

function push(channels) {
    for (c = 1; c <= channels; c++) Ext.CLIJ2_push("channel" + c);
}

// Waits until all pixels are there: one of them comes back.
function lastPixel(image, width, height, depth) {
    Ext.CLIJ2_crop3D(image, corner, width - 1, height - 1, depth - 1, 1, 1, 1);
    Ext.CLIJ2_getMaximumOfAllPixels(corner, most);
    Ext.CLIJ2_release(corner);
}

// ---- the pipelines

// Objects of one channel, counted and measured; those at the border are left out.
function segment(image, depth) {
    Ext.CLIJ2_gaussianBlur3D(image, blurred, 2, 2, 2 * (depth > 1));
    Ext.CLIJ2_thresholdOtsu(blurred, mask);
    Ext.CLIJ2_connectedComponentsLabelingBox(mask, components);
    Ext.CLIJ2_excludeLabelsOnEdges(components, objects);
    Ext.CLIJ2_statisticsOfLabelledPixels(image, objects);
    touched = newArray(image, blurred, blurred, mask, mask, components, components, objects, image, objects);
    value = "" + nResults + " " + total("PIXEL_COUNT");
}

// The same on a background that slopes, with objects too small to count left out, and the background measured too.
function background(image, depth) {
    Ext.CLIJ2_topHatBox(image, flat, 15, 15, 15 * (depth > 1));
    Ext.CLIJ2_gaussianBlur3D(flat, blurred, 1, 1, (depth > 1));
    Ext.CLIJ2_thresholdOtsu(blurred, mask);
    Ext.CLIJ2_connectedComponentsLabelingBox(mask, components);
    Ext.CLIJ2_excludeLabelsOutsideSizeRange(components, objects, 20, 1000000);
    Ext.CLIJ2_statisticsOfBackgroundAndLabelledPixels(image, objects);
    touched = newArray(image, flat, flat, blurred, blurred, mask, mask, components, components, objects, image, objects);
    value = "" + nResults + " " + total("PIXEL_COUNT");
}

// How two channels overlap, and what one has inside the other's objects.
function colocalisation(one, other, depth) {
    Ext.CLIJ2_gaussianBlur3D(one, blurred1, 1, 1, (depth > 1));
    Ext.CLIJ2_thresholdOtsu(blurred1, mask1);
    Ext.CLIJ2_gaussianBlur3D(other, blurred2, 1, 1, (depth > 1));
    Ext.CLIJ2_thresholdOtsu(blurred2, mask2);
    Ext.CLIJ2_binaryAnd(mask1, mask2, both);
    Ext.CLIJ2_getJaccardIndex(mask1, mask2, jaccard);
    Ext.CLIJ2_getSumOfAllPixels(both, overlap);
    Ext.CLIJ2_getMeanOfMaskedPixels(other, mask1, inside);
    Ext.CLIJ2_connectedComponentsLabelingBox(mask1, objects);
    Ext.CLIJ2_statisticsOfLabelledPixels(other, objects);
    touched = newArray(one, blurred1, blurred1, mask1, other, blurred2, blurred2, mask2, mask1, mask2, both, mask1, mask2, both, other, mask1, mask1, objects,
        other, objects);
    value = "" + nResults + " " + overlap + " " + d2s(jaccard, 4) + " " + d2s(inside, 2);
}

// Spots of each frame of a movie, brighter than their surroundings, as a table of positions.
function tracking(movie, frames) {
    for (frame = 0; frame < frames; frame++) {
        Ext.CLIJ2_copySlice(movie, image, frame);
        Ext.CLIJ2_differenceOfGaussian2D(image, spotty, 1, 1, 3, 3);
        Ext.CLIJ2_detectMaxima2DBox(spotty, maxima, 2, 2);
        Ext.CLIJ2_greaterConstant(spotty, bright, 8);
        Ext.CLIJ2_binaryAnd(maxima, bright, spots);
        Ext.CLIJ2_spotsToPointList(spots, points);
        Ext.CLIJ2_transposeXY(points, table);
        Ext.CLIJ2_pullToResultsTable(table);
    }
    frame = newArray(image, image, image, spotty, spotty, maxima, spotty, bright, maxima, bright, spots, spots);
    touched = newArray(0);
    for (i = 0; i < frames; i++) touched = Array.concat(touched, frame);
    value = "" + nResults;
}

// ---- pictures and numbers

// Round objects on a background that slopes, with noise; another seed moves the objects.
function make(title, width, height, depth, seed) {
    flat = depth == 1 || depth == FRAMES;
    Ext.CLIJ2_create3D(noise, width, height, depth, 32);
    Ext.CLIJ2_setRandom(noise, 0, 1, 6 + seed);
    Ext.CLIJ2_gaussianBlur3D(noise, smooth, 5, 5, 5 * !flat);
    deviation = pow(10 * sqrt(PI), -(1 + !flat / 2)) / sqrt(12); // that of uniform noise after this Gaussian
    Ext.CLIJ2_greaterConstant(smooth, objects, 0.5 + deviation);
    Ext.CLIJ2_setRampX(noise);
    Ext.CLIJ2_multiplyImageAndScalar(noise, slope, 40 / width);
    Ext.CLIJ2_setRandom(noise, 0, 30, 8 + seed);
    Ext.CLIJ2_addImages(noise, slope, behind);
    Ext.CLIJ2_addImagesWeighted(behind, objects, grey, 1, 120);
    Ext.CLIJ2_convertUInt16(grey, made);
    Ext.CLIJ2_pull(made);
    rename(title);
    Ext.CLIJ2_clear();
}

function bytesTouched() {
    bytes = 0;
    for (k = 0; k < touched.length; k++) {
        Ext.CLIJ2_getDimensions(touched[k], width, height, depth);
        Ext.CLIJ2_crop3D(touched[k], corner, 0, 0, 0, 1, 1, 1);
        Ext.CLIJ2_pull(corner); // of the image's type
        bytes += width * height * depth * bitDepth() / 8;
        close();
    }
    return bytes;
}

function total(column) {
    sum = 0;
    for (k = 0; k < nResults; k++) sum += getResult(column, k);
    return sum;
}

function now() { return parseFloat(call("java.lang.System.nanoTime")) / 1e6; }

function median(list) {
    Array.sort(list);
    return list[floor(list.length / 2)];
}
