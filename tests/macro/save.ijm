// SPDX-License-Identifier: BSD-3-Clause
// Images are saved with their scale; missing folders are created, and a missing extension is added.
// expect: 16-bit 3 slices 0.25 microns
// expect: ending added 1
// expect: as CLIJ2 1 pixels
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("stack", "16-bit ramp", 5, 4, 3);
setVoxelSize(0.25, 0.25, 2, "micron");
Ext.Drua_push("stack");
folder = getDirectory("temp") + "drua_save" + getTime() + File.separator;
Ext.Drua_saveAsTif("stack", folder + "made" + File.separator + "stack.tif");
open(folder + "made" + File.separator + "stack.tif");
getPixelSize(unit, width, height);
print("" + bitDepth() + "-bit", nSlices, "slices", width, unit);
close();
Ext.CLIJ2_saveAsTIF("stack", folder + "plain");
print("ending added", File.exists(folder + "plain.tif"));
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_saveAsTIF("stack", folder + "plain.TIF");
open(folder + "plain.TIF");
getPixelSize(unit, width, height);
print("as CLIJ2", width, unit);
