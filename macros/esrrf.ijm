// SPDX-License-Identifier: BSD-3-Clause
// Runs eSRRF on a movie whose truth is known. Emitters blink along two lines, whose distance grows from 0 to 5 pixels,
// and along two rings 3 pixels apart. Writes pictures of wide field, eSRRF and truth side by side, the error map, the
// drift correction, and a table over radius and sensitivity. Argument: the folder for the pictures and the table.

var magnification = 5, border = 3, even = "even", odd = "odd", output = "";

output = getArgument();
if (output == "") output = getDirectory("Folder for pictures and tables");
output = output + File.separator;

setBatchMode(true);
run("Drua Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_getGPUProperties(gpu, memory, opencl);
print("device: " + gpu);

// 64 x 64 pixels, 400 frames, background 20; 1200 emitters of sigma 1.2 pixels and 400 photons a frame, which stay on
// for 2 frames and are on for 3 % of the time
Ext.Drua_blinkingEmitters(movie, truth, 64, 64, 400, 1200, 1.2, 400, 20, 2, 0.03, 1, 0, 0);
Ext.CLIJ2_meanZProjection(movie, wide_field);
Ext.CLIJ2_reduceStack(movie, even, 2, 0);
Ext.CLIJ2_reduceStack(movie, odd, 2, 1);

// The table has a row for each setting: the agreement with the wide-field image (RSP) and the finest detail in which
// odd and even frames agree (FRC, in pixels of the movie). Each setting also gives a picture.
run("Clear Results");
Ext.Drua_eSRRFSweep(movie, pictures, "1 1.5 2", "1 2 4", "magnification=" + magnification);
table = "radius,sensitivity,FRC,RSP,RSE\n";
for (i = 0; i < nResults; i++) {
    radius = getResult("Radius", i);
    sensitivity = getResult("Sensitivity", i);
    table = table + radius + "," + sensitivity + "," + d2s(getResult("FRC", i), 2) + "," + d2s(getResult("RSP", i), 4) + "," + d2s(getResult("RSE", i), 3) + "\n";
    print("radius " + radius + ", sensitivity " + sensitivity + ": RSP " + d2s(getResult("RSP", i), 4) + ", FRC " + d2s(getResult("FRC", i), 2) + " pixels");
    Ext.CLIJ2_copySlice(pictures, sharp, i);
    save(to_grey(sharp), "esrrf_radius" + radius + "_sensitivity" + sensitivity);
}
run("Clear Results");
File.saveString(table, output + "esrrf_settings.csv");

// eSRRF leaves a border of `radius` pixels black; comparisons ignore it.
wide_inside = inside(wide_field, border);
options = "magnification=" + magnification + " radius=2 sensitivity=4";
Ext.Drua_eSRRF(movie, average, options + " projection=AVG");
Ext.Drua_eSRRF(movie, variance, options + " projection=VAR");
Ext.Drua_magnify(wide_field, magnified, magnification, "bicubic", "registered");
Ext.CLIJ2_gaussianBlur2D(truth, drawn, 1, 1);
side_by_side(magnified, average, drawn, "esrrf");
average_inside = inside(average, border * magnification);
variance_inside = inside(variance, border * magnification);
Ext.Drua_errorMap(wide_inside, average_inside, errors_of_average, error, correlation, sigma);
print("AVG, radius 2, sensitivity 4: error " + d2s(error, 2) + ", correlation " + d2s(correlation, 4));
Ext.Drua_errorMap(wide_inside, variance_inside, errors_of_variance, error, correlation, sigma);
print("VAR, radius 2, sensitivity 4: error " + d2s(error, 2) + ", correlation " + d2s(correlation, 4));
Ext.Drua_magnify(wide_inside, magnified_inside, magnification, "bicubic", "registered");
side_by_side(magnified_inside, variance_inside, errors_of_variance, "esrrf_errors");
Ext.Drua_eSRRF(movie, noisy, "magnification=" + magnification + " radius=1 sensitivity=1");
Ext.Drua_eSRRF(movie, merged, "magnification=" + magnification + " radius=4 sensitivity=4");
side_by_side(noisy, average, merged, "esrrf_choices");
Ext.CLIJ2_meanZProjection(even, wide_even);
Ext.CLIJ2_meanZProjection(odd, wide_odd);
Ext.Drua_fourierRingCorrelation(wide_even, wide_odd, resolution, 1, 1 / 7);
run("Clear Results");
print("wide field: FRC " + d2s(resolution, 2) + " pixels");

// The same view, which drifts 3 pixels to the right and 4 up during the movie.
Ext.Drua_blinkingEmitters(drifting, truth, 64, 64, 400, 1200, 1.2, 400, 20, 2, 0.03, 1, 3, -4);
Ext.Drua_eSRRF(drifting, blurred, options);
Ext.Drua_eSRRF(drifting, corrected, options + " drift_correction=true");
print("drift found: " + d2s(getResult("Drift_X", 399) - getResult("Drift_X", 0), 2) + ", " + d2s(getResult("Drift_Y", 399) - getResult("Drift_Y", 0), 2) + " pixels");
run("Clear Results");
side_by_side(average, blurred, corrected, "esrrf_drift");
Ext.CLIJ2_clear();

function inside(image, margin) {
    Ext.CLIJ2_getDimensions(image, width, height, depth);
    Ext.CLIJ2_crop2D(image, cropped, margin, margin, width - 2 * margin, height - 2 * margin);
    return cropped;
}

// Converts to 8 bits, from the smallest value to a little below the largest.
function to_grey(image) {
    Ext.CLIJ2_getMinimumOfAllPixels(image, low);
    Ext.CLIJ2_getMaximumOfAllPixels(image, high);
    Ext.CLIJ2_addImageAndScalar(image, shifted, -low);
    Ext.CLIJ2_multiplyImageAndScalar(shifted, scaled, 330 / maxOf(high - low, 0.000001));
    Ext.CLIJ2_convertUInt8(scaled, grey);
    return grey;
}

function save(grey, name) {
    Ext.CLIJ2_pull(grey);
    setMinAndMax(0, 255);
    saveAs("PNG", output + name + ".png");
    close();
}

function side_by_side(a, b, c, name) {
    left = to_grey(a);
    middle = to_grey(b);
    right = to_grey(c);
    Ext.CLIJ2_combineHorizontally(left, middle, two);
    Ext.CLIJ2_combineHorizontally(two, right, three);
    save(three, name);
}
