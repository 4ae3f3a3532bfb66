// SPDX-License-Identifier: BSD-3-Clause
// Drua_measureLabelsMap paints labels with a column of their measures.
// expect: 0 2 2 3 3 in an image of 32 bits
// error: column must be a column of measure_labels for planes, such as "AREA", got "SIZE"
newImage("labels", "8-bit black", 5, 3, 1);
setPixel(1, 0, 1);
setPixel(2, 0, 1);
for (y = 0; y < 3; y++)
    for (x = 3; x < 5; x++)
        setPixel(x, y, 3);
setPixel(1, 1, 1);
setPixel(2, 1, 1);
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_push("labels");
Ext.Drua_measureLabelsMap("labels", "labels", map, "AREA", "voxel=0.5,1,1");
Ext.Drua_pull(map);
print(getPixel(0, 0), getPixel(1, 0), getPixel(2, 1), getPixel(3, 0), getPixel(4, 2),
    "in an image of " + bitDepth() + " bits");
Ext.Drua_measureLabelsMap("labels", "labels", map, "SIZE", "");
