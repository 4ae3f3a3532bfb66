// SPDX-License-Identifier: BSD-3-Clause
// Pipelines of CLIJ2's commands from pixels to a table in ImageJ; each gives one row. Runs in Fiji with CLIJ2, and in
// ImageJ with Drua. Argument: part of a row's name and size, such as "segment 2048x2048"; empty: all.
//
// Times are medians of 7 runs after 2. transfer_ms: pushing the images. megabytes: images that the steps read or write,
// without launches on single pixels and points. value identifies the result: the table's rows and the sum of a column.
TIMES = 7;
FRAMES = 100;
var touched, value; // the images of a pipeline, once per step that reads or writes them
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

// Waits until all pixels are computed by reading one of them.
function lastPixel(image, width, height, depth) {
    Ext.CLIJ2_crop3D(image, corner, width - 1, height - 1, depth - 1, 1, 1, 1);
    Ext.CLIJ2_getMaximumOfAllPixels(corner, most);
    Ext.CLIJ2_release(corner);
}

// ---- the pipelines

// Counts and measures objects of one channel, without those at the border.
function segment(image, depth) {
    Ext.CLIJ2_gaussianBlur3D(image, blurred, 2, 2, 2 * (depth > 1));
    Ext.CLIJ2_thresholdOtsu(blurred, mask);
    Ext.CLIJ2_connectedComponentsLabelingBox(mask, components);
    Ext.CLIJ2_excludeLabelsOnEdges(components, objects);
    Ext.CLIJ2_statisticsOfLabelledPixels(image, objects);
    touched = newArray(image, blurred, blurred, mask, mask, components, components, objects, image, objects);
    value = "" + nResults + " " + total("PIXEL_COUNT");
}

// The same on an uneven background, without objects that are too small; measures the background too.
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

// The overlap of two channels, and one channel's intensities inside the other's objects.
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

// Spots of each frame of a movie that are brighter than their surroundings, as a table of positions.
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

// ---- images and numbers

// Round objects on an uneven background, with noise; another seed moves the objects.
function make(title, width, height, depth, seed) {
    flat = depth == 1 || depth == FRAMES;
    Ext.CLIJ2_create3D(noise, width, height, depth, 32);
    Ext.CLIJ2_setRandom(noise, 0, 1, 6 + seed);
    Ext.CLIJ2_gaussianBlur3D(noise, smooth, 5, 5, 5 * !flat);
    deviation = pow(10 * sqrt(PI), -(1 + !flat / 2)) / sqrt(12); // deviation of uniform noise after this blur
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
        Ext.CLIJ2_pull(corner); // in the image's type
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
