// SPDX-License-Identifier: BSD-3-Clause
// Runs one task alternately by ImageJ's command and by Drua's operation on the same image. ./dev bench imagej fills in
// TASK, PICTURE, IMAGEJ, DRUA, REMARK from imagej.tsv. Their lines find the image as `source`. Drua makes `result`,
// ImageJ changes a copy, which is active, or leaves its result active. Lines that measure set `value`.
TIMES = 7; // after two warm-up runs
TIMES_IF_SLOW = 3; // after one warm-up run
SLOW = 1500; // ms
setBatchMode(true);
setOption("BlackBackground", true);
run("Drua Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();

picture = "PICTURE";
depth = 64;
if (startsWith(picture, "plane")) depth = 1;
make(picture, depth);
rename("source");
original = getImageID();
source = "source";
result = "result";
value = NaN;
valueOfImageJ = NaN;
times = TIMES;
first = -2;
byImageJ = newArray(0);
byDrua = newArray(0);
withTransfers = newArray(0);
Ext.CLIJ2_push(source);
for (i = first; i < times; i++) {
    selectImage(original);
    run("Duplicate...", "title=copy duplicate");
    start = now();
    IMAGEJ
    took = now() - start;
    if (i >= 0) byImageJ = Array.concat(byImageJ, took);
    valueOfImageJ = value;
    imageOfImageJ = getImageID();

    selectImage(original);
    start = now();
    DRUA
    Ext.CLIJ2_invalidateKernelCache(); // waits for the device
    if (i >= 0) byDrua = Array.concat(byDrua, now() - start);
    selectImage(original);
    start = now();
    Ext.CLIJ2_push(source);
    DRUA
    if (isNaN(value)) Ext.CLIJ2_pull(result);
    if (i >= 0) withTransfers = Array.concat(withTransfers, now() - start);
    if (i < times - 1) closeAllBut(original);
    if (took > SLOW && i == first) {
        times = TIMES_IF_SLOW;
        i = -1;
    }
}
print("TASK\t" + size() + "\t" + picture + "\t" + three(median(byImageJ)) + "\t" + three(median(byDrua)) + "\t" + three(median(withTransfers))
    + "\t" + three(median(byImageJ) / median(byDrua)) + "\t" + three(median(byImageJ) / median(withTransfers)) + "\t" + difference() + "\tREMARK");

function now() { return parseFloat(call("java.lang.System.nanoTime")) / 1e6; }

function median(list) {
    Array.sort(list);
    return list[floor(list.length / 2)];
}

// Rounds to three digits.
function three(number) { return d2s(number, maxOf(0, 2 - floor(log(number) / log(10)))); }

function size() {
    selectImage(original);
    return "" + getWidth() + "x" + getHeight() + "x" + nSlices;
}

function closeAllBut(image) {
    for (k = nImages; k > 0; k--) {
        selectImage(k);
        if (getImageID() != image) close();
    }
}

// Objects the size of nuclei on an uneven background, with noise; or a mask of them.
function make(picture, depth) {
    extent = 512;
    if (depth == 1) extent = 2048;
    Ext.CLIJ2_create3D(noise, extent, extent, depth, 32);
    Ext.CLIJ2_setRandom(noise, 0, 1, 7);
    Ext.CLIJ2_gaussianBlur3D(noise, smooth, 5, 5, 5 * (depth > 1));
    deviation = pow(10 * sqrt(PI), -(1 + (depth > 1) / 2)) / sqrt(12); // deviation of uniform noise after this blur
    Ext.CLIJ2_greaterConstant(smooth, objects, 0.5 + deviation);
    Ext.CLIJ2_setRampX(noise);
    Ext.CLIJ2_multiplyImageAndScalar(noise, slope, 40 / extent);
    Ext.CLIJ2_setRandom(noise, 0, 30, 8);
    Ext.CLIJ2_addImages(noise, slope, background);
    Ext.CLIJ2_addImagesWeighted(background, objects, grey, 1, 120);
    if (endsWith(picture, "mask")) {
        Ext.CLIJ2_multiplyImageAndScalar(objects, full, 255);
        Ext.CLIJ2_convertUInt8(full, made);
    } else if (endsWith(picture, "uint8")) {
        Ext.CLIJ2_convertUInt8(grey, made);
    } else if (endsWith(picture, "uint16")) {
        Ext.CLIJ2_convertUInt16(grey, made);
    } else {
        Ext.CLIJ2_copy(grey, made);
    }
    Ext.CLIJ2_pull(made);
    Ext.CLIJ2_clear();
    selectImage(made);
}

// The largest difference of two results and the share of pixels that differ; nothing if their sizes differ.
function difference() {
    if (!isNaN(value)) return "" + abs(value - valueOfImageJ) + "\t";
    selectImage(imageOfImageJ);
    rename("of ImageJ");
    Ext.CLIJ2_getDimensions(result, width, height, slices);
    if (width != getWidth() || height != getHeight() || slices != nSlices) return "\t";
    Ext.CLIJ2_push("of ImageJ");
    Ext.CLIJ2_convertFloat("of ImageJ", theirs);
    Ext.CLIJ2_convertFloat(result, ours);
    Ext.CLIJ2_absoluteDifference(theirs, ours, apart);
    Ext.CLIJ2_getMaximumOfAllPixels(apart, most);
    Ext.CLIJ2_greaterConstant(apart, differs, 0);
    Ext.CLIJ2_getMeanOfAllPixels(differs, share);
    return "" + most + "\t" + share;
}
