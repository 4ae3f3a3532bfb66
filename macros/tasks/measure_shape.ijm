// SPDX-License-Identifier: BSD-3-Clause
// # Measure shape: perimeter and Feret's diameter
//
// How long is the outline of an object, and how long is the object itself? The program draws a disc, an ellipse, a
// square and a bar, whose sizes are known, and measures all of them at once.
//
// 1. [Connected components](../../docs/reference/connected_components_box.md) number the objects in the order of their
//    first pixels, from top to bottom.
// 2. [Measure Labels](../../docs/reference/measure_labels.md) adds a row for each label to the Results table. The words
//    `shape` and `feret` choose the columns, and `units=pixels` the unit. Without this word, lengths are in the unit of
//    the image. [Shape of labels](../../docs/shape.md) has all formulas.
//
// The disc of radius 30 has the perimeter 2 x pi x 30 = 188.5, and Feret's diameter is 60. The measured perimeter
// counts changes along lines, so it is right to about one percent for round outlines. For long edges along the pixel
// grid, it is up to 6 % smaller than the true perimeter. Feret's diameter is the distance between the two corners of
// pixels that are farthest apart, so it may be a pixel longer. Only the disc has a circularity near 1.
//
// words: measure shape|perimeter|feret|circularity|feret diameter|roundness|outline length
// table: AREA PERIMETER FERET_MAX CIRCULARITY
// image: shapes.tif disc, ellipse, square and bar
// labels: labels.tif their labels
// expect: disc: perimeter 188.7 of 188.5, Feret 61.2 of 60.0
// expect: square: perimeter 188.5 of 200.0, Feret 70.7 of 70.7
// expect: ellipse: perimeter 193.1 of 193.8, Feret 80.2 of 80.0
// expect: bar: perimeter 169.5 of 180.0, Feret 80.6 of 80.6
lefts = newArray(20, 100, 200, 270);
names = newArray("disc", "ellipse", "square", "bar");
perimeters = newArray(188.5, 193.8, 200, 180);
lengths = newArray(60, 80, 70.7, 80.6);
newImage("shapes", "8-bit black", 360, 120, 1);
setColor(255);
fillOval(20, 30, 60, 60);
fillOval(100, 40, 80, 40);
fillRect(200, 35, 50, 50);
fillRect(270, 55, 80, 10);

run("Drua Macro Extensions", "cl_device=");
labels = "labels"; // the title of its window
Ext.Drua_push("shapes");
Ext.Drua_connectedComponentsLabelingBox("shapes", labels);
Ext.Drua_measureLabels("shapes", labels, "shape feret units=pixels");
Ext.Drua_pull(labels);
for (row = 0; row < nResults; row++) {
    box = getResult("BOX_X", row);
    name = 0;
    for (i = 0; i < 4; i++) if (box >= lefts[i]) name = i;
    print(names[name] + ": perimeter " + d2s(getResult("PERIMETER", row), 1) + " of " + d2s(perimeters[name], 1)
        + ", Feret " + d2s(getResult("FERET_MAX", row), 1) + " of " + d2s(lengths[name], 1));
}
