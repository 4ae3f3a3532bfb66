// SPDX-License-Identifier: BSD-3-Clause
// Scale, unit and colours travel to results of the same size; CLIJ2's start command shows plain pixels as CLIJ2 did.
// expect: source 0.5 0.25 2 microns colour
// expect: copy 0.5 0.25 2 microns colour
// expect: float 0.5 0.25 2 microns grey
// expect: crop-like 1 1 1 pixels grey
// expect: inverting 0
// expect: middle slice 2 of 4
// expect: CLIJ2 1 1 1 pixels grey
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("source", "8-bit ramp", 4, 3, 4);
setVoxelSize(0.5, 0.25, 2, "micron");
run("Fire");
show("source");
Ext.Drua_push("source");
Ext.Drua_copy("source", copy);
Ext.Drua_pull(copy);
show("copy");
Ext.Drua_convertFloat("source", float);
Ext.Drua_pull(float);
show("float");
Ext.Drua_create2d(other, 2, 2, 8);
Ext.Drua_pull(other);
show("crop-like");
newImage("inverting", "8-bit white", 3, 3, 1);
run("Invert LUT");
Ext.Drua_push("inverting");
Ext.Drua_copy("inverting", plain);
Ext.Drua_pull(plain);
print("inverting", is("Inverting LUT"));
selectImage(copy);
print("middle slice", getSliceNumber(), "of", nSlices);

run("CLIJ2 Macro Extensions", "cl_device=[a device of another machine]");
Ext.CLIJ2_copy("source", as_clij2);
Ext.CLIJ2_pull(as_clij2);
show("CLIJ2");

function show(what) {
    getVoxelSize(width, height, depth, unit);
    getLut(reds, greens, blues);
    colour = "grey";
    if (reds[128] != blues[128])
        colour = "colour";
    print(what, width, height, depth, unit, colour);
}
