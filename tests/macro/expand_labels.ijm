// SPDX-License-Identifier: BSD-3-Clause
// Labels grow by a distance in the unit of the image, also where pixels are wider than high. Worked out by hand: pixels
// of 1 x 0.5, so a distance of 1 reaches one pixel to the sides and two up and down.
// expect: 0.0 4.0 0.0 0.0 2.0
// expect: 0.0 4.0 0.0 0.0 2.0
// expect: 4.0 4.0 4.0 2.0 2.0
// expect: 0.0 4.0 0.0 0.0 2.0
// expect: 0.0 4.0 0.0 0.0 2.0
// expect: pixels
// expect: 0.0 0.0 0.0 0.0 0.0
// expect: 0.0 4.0 0.0 0.0 2.0
// expect: 4.0 4.0 4.0 2.0 2.0
// expect: 0.0 4.0 0.0 0.0 2.0
// expect: 0.0 0.0 0.0 0.0 0.0
// error: expandLabels: distance
run("Drua Macro Extensions", "cl_device=");
newImage("map", "8-bit black", 5, 5, 1);
setVoxelSize(1, 0.5, 1, "micron");
setPixel(1, 2, 4);
setPixel(4, 2, 2);
Ext.Drua_push("map");
Ext.Drua_expandLabels("map", grown, 1, true);
Ext.Drua_print(grown);
Ext.Drua_expandLabels("map", by_pixels, 1, false);
print("pixels");
Ext.Drua_print(by_pixels);
Ext.Drua_expandLabels("map", none, -1, true);
