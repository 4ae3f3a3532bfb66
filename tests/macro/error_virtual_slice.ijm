// SPDX-License-Identifier: BSD-3-Clause
// A pulled slice would be written into a copy of a virtual stack's slice, so the stack would not change.
// only: patched
// error: pullToCurrentSlice: target_image_stack: 'disk' is a virtual stack, whose slices cannot be changed; duplicate it first (Image>Duplicate)
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("stack", "8-bit ramp", 8, 8, 3);
path = getDirectory("temp") + "drua-virtual-tile.tif";
saveAs("tiff", path);
close();
run("TIFF Virtual Stack...", "open=[" + path + "]");
rename("disk");
newImage("plane", "8-bit black", 8, 8, 1);
Ext.Drua_push("plane");
Ext.Drua_pullToCurrentSlice("plane", "disk");
