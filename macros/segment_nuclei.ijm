// SPDX-License-Identifier: BSD-3-Clause
// Counts and measures the nuclei in every TIFF image of a folder: blur, Otsu's threshold, connected components. Excludes
// nuclei that touch the border. Argument: the folder and, after a comma, the folder for tables and label pictures.

sigma = 2; // in pixels; larger than the texture of a nucleus, smaller than a nucleus

folders = split(getArgument(), ",");
if (folders.length > 0) input = folders[0];
else input = getDirectory("Folder of images");
if (!File.isDirectory(input)) exit("segment_nuclei: there is no folder " + input);
output = "";
if (folders.length > 1) output = folders[1] + File.separator;

setBatchMode(true);
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_getGPUProperties(gpu, memory, opencl);
print("device: " + gpu);

files = getFileList(input);
for (i = 0; i < files.length; i++) {
    if (endsWith(files[i], ".tif")) segment(input + File.separator, files[i]);
}
Ext.CLIJ2_clear();

function segment(folder, file) {
    open(folder + file);
    image = getTitle();
    Ext.CLIJ2_startTimeTracing();
    Ext.CLIJ2_push(image);
    Ext.CLIJ2_gaussianBlur2D(image, blurred, sigma, sigma);
    Ext.CLIJ2_thresholdOtsu(blurred, mask);
    Ext.CLIJ2_connectedComponentsLabelingBox(mask, components);
    Ext.CLIJ2_excludeLabelsOnEdges(components, nuclei);
    run("Clear Results");
    Ext.CLIJ2_statisticsOfLabelledPixels(image, nuclei);
    Ext.CLIJ2_pull(nuclei);
    Ext.CLIJ2_stopTimeTracing();
    Ext.CLIJ2_getTimeTracing(times);

    area = 0;
    for (row = 0; row < nResults; row++) area += getResult("PIXEL_COUNT", row);
    if (nResults > 0) area = area / nResults;
    print(file + ": " + nResults + " nuclei, mean area " + d2s(area, 1) + " pixels");
    print(steps(times));
    if (output != "") {
        name = replace(file, ".tif", "");
        saveAs("Results", output + name + ".csv");
        colour();
        saveAs("PNG", output + name + "_labels.png");
    }
    close("*");
    Ext.CLIJ2_clear();
}

// "gaussianBlur2D 1.2 ms, ..." from lines such as "  < gaussianBlur2D    1.2 ms".
function steps(times) {
    lines = split(times, "\n");
    text = "   ";
    for (i = 0; i < lines.length; i++) {
        at = indexOf(lines[i], "< ");
        if (at >= 0) {
            words = split(substring(lines[i], at + 2), " \t");
            if (words.length > 1) text = text + " " + words[0] + " " + d2s(parseFloat(words[1]), 1) + " ms,";
        }
    }
    return substring(text, 0, lengthOf(text) - 1);
}

// Gives consecutive labels very different colours: hues differ by the golden angle. Labels above 255 get
// the colour of 255.
function colour() {
    red = newArray(256);
    green = newArray(256);
    blue = newArray(256);
    for (i = 1; i < 256; i++) {
        hue = (i * 0.618034) % 1 * 6;
        dark = 60 + 70 * (i % 3);
        red[i] = channel(hue, dark);
        green[i] = channel((hue + 4) % 6, dark);
        blue[i] = channel((hue + 2) % 6, dark);
    }
    setMinAndMax(0, 255);
    run("8-bit");
    setLut(red, green, blue);
}

function channel(hue, dark) {
    distance = minOf(hue, 6 - hue);
    return dark + (255 - dark) * maxOf(0, minOf(1, 2 - distance));
}
