// SPDX-License-Identifier: BSD-3-Clause
// Drua_measureLabels agrees with Set Measurements of ImageJ, where both define a measure.
// only: patched
// expect: 5 labels, 18 measures, 0 differ
newImage("labels", "8-bit black", 120, 90, 1);
setColor(1);
makeOval(5, 4, 40, 27);
fill();
setColor(2);
makeRectangle(45, 10, 30, 22);
fill();
setColor(3);
makePolygon(80, 5, 117, 30, 90, 44, 78, 30);
fill();
setColor(4);
makePolygon(10, 40, 60, 45, 75, 80, 60, 60, 20, 85);
fill();
setColor(5);
makeRectangle(118, 0, 1, 90);
fill();
run("Select None");
run("Set Scale...", "distance=1 known=0.5 unit=micron");
newImage("grey", "8-bit black", 120, 90, 1);
for (y = 0; y < 90; y++)
    for (x = 0; x < 120; x++)
        setPixel(x, y, (x * 31 + y * 17 + x * y * 3) % 251);
run("Set Scale...", "distance=1 known=0.5 unit=micron");
run("Clear Results");
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_push("labels");
Ext.Drua_push("grey");
Ext.Drua_measureLabels("grey", "labels", "shape hull feret intensity");
imagej = newArray("Area", "X", "Y", "XM", "YM", "Mean", "Min", "Max", "Median", "Mode", "Skew", "Kurt", "RawIntDen",
    "Feret", "MinFeret", "FeretAngle", "StdDev", "Solidity");
drua = newArray("AREA", "CENTROID_X", "CENTROID_Y", "MASS_CENTER_X", "MASS_CENTER_Y", "MEAN_INTENSITY",
    "MINIMUM_INTENSITY", "MAXIMUM_INTENSITY", "MEDIAN_INTENSITY", "MODE_INTENSITY", "SKEWNESS_INTENSITY",
    "KURTOSIS_INTENSITY", "SUM_INTENSITY", "FERET_MAX", "FERET_MIN", "FERET_MAX_ANGLE", "STANDARD_DEVIATION_INTENSITY",
    "HULL_AREA");
differ = 0;
for (label = 1; label <= 5; label++) {
    selectImage("labels");
    setThreshold(label, label);
    run("Create Selection");
    selectImage("grey");
    run("Restore Selection");
    List.setMeasurements;
    for (i = 0; i < imagej.length; i++) {
        theirs = List.getValue(imagej[i]);
        if (imagej[i] == "StdDev") { // ImageJ divides by n - 1
            n = getResult("PIXEL_COUNT", label - 1);
            theirs = theirs * sqrt((n - 1) / n);
        }
        if (imagej[i] == "Solidity") // area over the area of the hull
            theirs = List.getValue("Area") / theirs;
        if (imagej[i] == "FeretAngle") // ImageJ counts it against the clock
            theirs = (180 - theirs) % 180;
        ours = getResult(drua[i], label - 1);
        if (abs(ours - theirs) > 0.001 + 0.00001 * abs(theirs) || isNaN(theirs)) {
            differ++;
            print(imagej[i] + " of label " + label + ": " + theirs + ", in Drua " + ours);
        }
    }
}
print("5 labels, " + imagej.length + " measures, " + differ + " differ");
