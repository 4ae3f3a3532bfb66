// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// Counts bright foci in each nucleus and measures them: a table with a row for each nucleus, "Foci per nucleus".
// Argument: an image whose first channel shows nuclei and whose second channel shows foci, a plane or a stack. Without
// an argument, the macro draws six nuclei with 0 to 5 foci:
// expect: nucleus 1: 0 foci
// expect: nucleus 2: 1 foci
// expect: nucleus 3: 2 foci
// expect: nucleus 4: 3 foci
// expect: nucleus 5: 4 foci
// expect: nucleus 6: 5 foci
focus_radius = 2;       // pixels
strictness = 5;         // foci rise above the noise of pixels by this factor
smallest_nucleus = 300; // pixels
smallest_focus = 3;

run("Drua Macro Extensions", "cl_device=");
setBatchMode(true);
path = getArgument();
if (path == "") draw_example(); else open(path);
image = getTitle();
run("Duplicate...", "title=nuclei duplicate channels=1");
selectImage(image);
run("Duplicate...", "title=foci duplicate channels=2");
Ext.Drua_push("nuclei");
Ext.Drua_push("foci");
nuclei = "nuclei";
foci = "foci";

// nuclei: blur, threshold, one number each, without those at the border and small ones
Ext.Drua_gaussianBlur(nuclei, blurred, 2, 2, 0);
Ext.Drua_thresholdOtsu(blurred, mask);
Ext.Drua_binaryFillHoles(mask, filled);
Ext.Drua_connectedComponentsLabelingBox(filled, all_nuclei);
Ext.Drua_excludeLabelsOnEdges(all_nuclei, inner_nuclei);
Ext.Drua_excludeLabelsOutsideSizeRange(inner_nuclei, labels, smallest_nucleus, 1e9);

// foci: a top hat removes all that is wider than foci; the threshold is a multiple of the noise in the median nucleus
Ext.Drua_gaussianBlur(foci, smooth, 0.75 * focus_radius, 0.75 * focus_radius, 0);
Ext.Drua_topHatSphere(smooth, sharp, 3 * focus_radius, 3 * focus_radius, 0);
Ext.Drua_medianBox(foci, background, 3, 3, 0);
Ext.Drua_absoluteDifference(foci, background, residuals);
run("Clear Results");
Ext.Drua_measureLabels(residuals, labels, "shape intensity units=pixels");
count = nResults;
noise = newArray(count);
areas = newArray(count);
for (i = 0; i < count; i++) {
    noise[i] = 1.4826 * getResult("MEDIAN_INTENSITY", i);
    areas[i] = getResult("PIXEL_COUNT", i);
}
sorted = Array.copy(noise);
Array.sort(sorted);
threshold = strictness * sorted[floor(count / 2)];

// each focus is the region around a maximum, down to the threshold
Ext.Drua_detectMaxima(sharp, maxima, 2 * focus_radius, 2 * focus_radius, 0, false);
Ext.Drua_threshold(sharp, high, threshold);
Ext.Drua_binaryAnd(maxima, high, tops);
Ext.Drua_mask(tops, labels, seeds);
Ext.Drua_invert(sharp, basins);
Ext.Drua_markerControlledWatershed(basins, seeds, high, floods, 4, true, true);
Ext.Drua_fillHoles(floods, solid, 4);
Ext.Drua_mask(solid, labels, inside);
Ext.Drua_excludeLabelsOutsideSizeRange(inside, focus_labels, smallest_focus, 1e9);

// the brightest pixel of the label map of nuclei below a focus is the number of its nucleus
run("Clear Results");
Ext.Drua_statisticsOfLabelledPixels(labels, focus_labels);
found = nResults;
nucleus_of = newArray(found);
sizes = newArray(found);
for (i = 0; i < found; i++) {
    nucleus_of[i] = getResult("MAXIMUM_INTENSITY", i);
    sizes[i] = getResult("PIXEL_COUNT", i);
}
run("Clear Results");
Ext.Drua_statisticsOfLabelledPixels(foci, focus_labels);
intensities = newArray(found);
for (i = 0; i < found; i++)
    intensities[i] = getResult("MEAN_INTENSITY", i);
run("Clear Results");
for (nucleus = 1; nucleus <= count; nucleus++) {
    number = 0;
    size = 0;
    intensity = 0;
    for (i = 0; i < found; i++)
        if (nucleus_of[i] == nucleus) {
            number++;
            size += sizes[i];
            intensity += intensities[i];
        }
    row = nResults;
    setResult("Nucleus", row, nucleus);
    setResult("Area", row, areas[nucleus - 1]);
    setResult("Foci", row, number);
    setResult("Mean focus size", row, size / number);
    setResult("Mean focus intensity", row, intensity / number);
    print("nucleus " + nucleus + ": " + number + " foci");
}
updateResults();
Ext.Drua_clear();

function draw_example() {
    random("seed", 11);
    newImage("example", "16-bit grayscale-mode", 240, 160, 2, 1, 1);
    for (channel = 1; channel <= 2; channel++) {
        setSlice(channel);
        for (n = 0; n < 6; n++) {
            setColor(600 - 350 * (channel - 1));
            fillOval(15 + 75 * (n % 3), 15 + 72 * floor(n / 3), 56, 58);
            setColor(1500);
            for (focus = 0; focus < n * (channel - 1); focus++)
                fillOval(28 + 75 * (n % 3) + 13 * (focus % 3), 33 + 72 * floor(n / 3) + 17 * floor(focus / 3), 4, 4);
        }
        for (y = 0; y < 160; y++)
            for (x = 0; x < 240; x++)
                setPixel(x, y, getPixel(x, y) + 100 + 20 * random);
    }
}
