// SPDX-License-Identifier: BSD-3-Clause
// Drua's commands refuse fractions where a whole number is required, also commands that run in ImageJ itself.
// error: Drua_pushTile
// error: tile_x must be a whole number, got 1.7
// error: in line 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("cells", "8-bit ramp", 16, 16, 1);
Ext.Drua_pushTile("cells", 1.7, 0, 0, 8, 8, 1, 0, 0, 0);
print("not reached");
