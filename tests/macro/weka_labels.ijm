// SPDX-License-Identifier: BSD-3-Clause
// Classifies labels by their measurements: three small ones and two large ones that touch.
// expect: sizes 4,4,4,25,25,
// expect: neighbours 0,0,0,1,1,
// expect: rows 1,1,1,2,2,
// expect: labels 1,1,1,2,2,
// expect: regions 1,1,1,2,2,
// expect: groups 1,1,1,2,2,
// expect: groups again 1,1,1,2,2,
// expect: named groups 1,1,1,2,2,
// expect: faint 1,1,2,2,2,
// expect: faint again 1,1,2,2,2,
folder = getDirectory("temp") + "labels" + File.separator;
setBatchMode(true);
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("labels", "8-bit black", 40, 20, 1);
for (i = 0; i < 3; i++) {
    setColor(i + 1);
    fillRect(2 + 10 * i, 2, 2, 2);
}
for (i = 0; i < 2; i++) {
    setColor(i + 4);
    fillRect(10 + 5 * i, 10, 5, 5);
}
Ext.CLIJ2_push("labels");
Ext.CLIJx_generateLabelFeatureImage("labels", "labels", "measured_destination", "PIXEL_COUNT count_touching_neighbors");
Ext.CLIJ2_pull("measured_destination");
shown = getImageID();
sizes = "";
neighbours = "";
for (i = 0; i < 5; i++) {
    sizes = sizes + getPixel(0, i) + ",";
    neighbours = neighbours + (getPixel(1, i) - 1) + ",";
}
print("sizes " + sizes);
print("neighbours " + neighbours);
Ext.CLIJ2_pullToResultsTable("measured_destination");
for (i = 0; i < 5; i++)
    setResult("class", i, 1 + (i > 2));
Ext.CLIJx_trainWekaFromTable("class", folder + "labels.model", 20, 2, 0);
for (i = 0; i < 5; i++)
    setResult("class", i, 0);
Ext.CLIJx_applyWekaToTable("class", folder + "labels.model");
rows = "";
for (i = 0; i < 5; i++)
    rows = rows + getResult("class", i) + ",";
print("rows " + rows);
Ext.CLIJx_wekaLabelClassifier("labels", "labels", classified, "pixel_count count_touching_neighbors", folder + "labels.model");
show("labels", classified);
for (i = 0; i < 10; i++) {
    for (k = 0; k < 2; k++)
        setResult("X" + k, i, 3 * i);
    setResult("class", i, 1 + (i > 4));
}
Ext.CLIJx_trainWekaFromTable("class", folder + "regions.model", 20, 2, 0);
Ext.CLIJx_wekaRegionalLabelClassifier("labels", "labels", regions, "pixel_count", folder + "regions.model", 0, 0, 6, 0);
show("regions", regions);
Ext.CLIJx_kMeansLabelClusterer("labels", "labels", groups, "pixel_count mean_distance_to_centroid", folder + "groups.csv", 2, 0, true);
show("groups", groups);
Ext.CLIJx_kMeansLabelClusterer("labels", "labels", again, "pixel_count mean_distance_to_centroid", folder + "groups.csv", 2, 1, false);
show("groups again", again);
File.saveString(" ,Label,C1\n1,small one,4\n2,large one,25\n", folder + "named.csv");
Ext.CLIJx_kMeansLabelClusterer("labels", "labels", named, "pixel_count", folder + "named.csv", 2, 0, false);
show("named groups", named);
newImage("faint", "32-bit black", 40, 20, 1);
for (i = 0; i < 3; i++) {
    for (k = 0; k < 4; k++)
        setPixel(2 + 10 * i + k % 2, 2 + floor(k / 2), pow(3, i) * 1e-10);
}
for (i = 0; i < 50; i++)
    setPixel(10 + i % 10, 10 + floor(i / 10), 9e-10);
Ext.CLIJ2_push("faint");
Ext.CLIJx_kMeansLabelClusterer("faint", "labels", faint, "mean_intensity", folder + "faint.csv", 2, 0, true);
show("faint", faint);
Ext.CLIJx_kMeansLabelClusterer("faint", "labels", faint, "mean_intensity", folder + "faint.csv", 2, 0, false);
show("faint again", faint);

function show(what, image) {
    Ext.CLIJ2_pull(image);
    shown = getImageID();
    text = "";
    for (i = 0; i < 3; i++)
        text = text + getPixel(2 + 10 * i, 2) + ",";
    for (i = 0; i < 2; i++)
        text = text + getPixel(12 + 5 * i, 12) + ",";
    print(what + " " + text);
}
