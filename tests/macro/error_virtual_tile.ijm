// SPDX-License-Identifier: BSD-3-Clause
// A pulled tile would be written into copies of a virtual stack's slices, so the stack would not change.
// only: patched
// error: pullTile: image: 'disk' is a virtual stack, whose slices cannot be changed; duplicate it first (Image>Duplicate)
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("stack", "8-bit ramp", 8, 8, 3);
path = getDirectory("temp") + "drua-virtual-tile.tif";
saveAs("tiff", path);
close();
run("TIFF Virtual Stack...", "open=[" + path + "]");
rename("disk");
tile = "disk";
Ext.CLIJ2_pushTile("disk", 0, 0, 0, 4, 4, 1, 0, 0, 0);
Ext.CLIJ2_pullTile("disk", 0, 0, 0, 4, 4, 1, 0, 0, 0);
