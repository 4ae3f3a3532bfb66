// SPDX-License-Identifier: BSD-3-Clause
// eSRRF from a macro and from its dialog: an image, a file, with drift, as a sweep, and the estimate.
// only: patched
// expect: file 0
// expect: devices 0
// expect: dialog 128x96x2 0
// expect: drift within 0.1: 1
// expect: corrected 0
// expect: sweep 128x96x4, 4 rows: 1.5 2 1
// expect: estimate 1
// expect: of a file 1
// expect: dialog of a file 128x96x1
// expect: file of ImageJ 0
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
file = getDirectory("temp") + "drua_esrrf" + getTime() + ".tif";
Ext.Drua_blinkingEmitters(movie, truth, 64, 48, 60, 1000, 1.2, 5000, 20, 2, 0.3, 1, 1, 3);
Ext.Drua_write(movie, file);
options = "magnification=2 radius=1 projection=VAR frames_per_timepoint=30";
Ext.Drua_eSRRF(movie, sharp, options);
Ext.Drua_eSRRFFromFile(file, other, options);
print("file", difference(sharp, other));

Ext.Drua_eSRRF(movie, many, options + " devices=all");
print("devices", difference(sharp, many));

Ext.Drua_pull(movie);
rename("movie");
run("Drua Operation...", "operation=esrrf source=movie magnification=2 radius=1 projection=VAR frames_per_timepoint=30 intensity_weighting macro_pixel_correction");
rename("shown");
print("dialog " + getWidth() + "x" + getHeight() + "x" + nSlices, difference(sharp, push("shown")));

Ext.Drua_estimateDrift(movie, drift, 10);
moved = getResult("Drift_Y", 59) - getResult("Drift_Y", 0);
print("drift within 0.1: " + (abs(moved - 3) < 0.1 && nResults == 60));
run("Clear Results");
Ext.Drua_convertFloat(movie, numbers);
Ext.Drua_correctDrift(numbers, drift, still);
Ext.Drua_eSRRF(still, a, "magnification=2 macro_pixel_correction=false");
Ext.Drua_eSRRF(movie, b, "magnification=2 macro_pixel_correction=false drift_correction=true drift_frames=10");
run("Clear Results");
Ext.Drua_maximumOfAllPixels(b, most);
print("corrected", round(1000 * difference(a, b) / most));

Ext.Drua_eSRRFSweep(movie, pictures, "1 1.5", "1, 2", "magnification=2");
Ext.Drua_getDimensions(pictures, width, height, depth);
print("sweep " + width + "x" + height + "x" + depth + ", " + nResults + " rows: " + getResult("Radius", 2) + " " + getResult("Sensitivity", 1) + " " + (getResult("FRC", 0) > 0 && getResult("RSP", 0) > 0.9));
run("Clear Results");
Ext.Drua_eSRRFEstimate(movie, "magnification=2", bytes, seconds);
print("estimate " + (bytes > 100000 && seconds > 0 && seconds < 60));
Ext.Drua_eSRRFFromFileEstimate(file, "magnification=2", bytes, seconds);
print("of a file " + (bytes > 100000 && seconds > 0 && seconds < 60));
run("Drua Operation...", "operation=esrrf_from_file path=" + file + " magnification=2");
print("dialog of a file " + getWidth() + "x" + getHeight() + "x" + nSlices);

// a file written by ImageJ
Ext.Drua_pull(movie);
rename("movie2");
saveAs("Tiff", file);
rename("movie2");
Ext.Drua_eSRRFFromFile(file, other, options);
print("file of ImageJ", difference(sharp, other));
deleted = File.delete(file);

function push(title) {
    Ext.Drua_push(title);
    return title;
}

function difference(one, two) {
    Ext.Drua_absoluteDifference(one, two, between);
    Ext.Drua_maximumOfAllPixels(between, most);
    return most;
}
