// SPDX-License-Identifier: BSD-3-Clause
// Results keep scale (for new voxel sizes), unit and colours; after CLIJ2's start command they are plain pixels.
// expect: source 0.5 0.25 2 microns colour
// expect: copy 0.5 0.25 2 microns colour
// expect: float 0.5 0.25 2 microns grey
// expect: crop-like 1 1 1 pixels grey
// expect: inverting 0
// expect: middle slice 2 of 4
// expect: isotropic 0.5 0.5 0.5 microns colour
// expect: resampled 0.5 0.5 1 microns colour
// expect: reduced 0.5 0.5 4 microns colour
// expect: downsampled 0.5 1 4 microns colour
// expect: scaled 0.25 0.25 2 microns colour
// expect: scaled in place 0.25 0.25 2 microns colour
// expect: copied in place 0.5 0.5 2 microns colour
// expect: transposed 2 0.5 0.5 microns colour
// expect: transposed twice 0.5 0.5 2 microns colour
// expect: from the side 2 0.5 0.5 microns colour
// expect: from above 0.5 0.5 2 microns colour
// expect: turned in the plane 0.5 0.5 2 microns colour
// expect: turned about x 1 1 1 pixels colour
// expect: cropped 0.5 0.5 2 microns colour
// expect: polar 1 1 1 pixels grey
// expect: plain 1 1 1 pixels grey
// expect: saved 2 0.5 0.5 microns
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

newImage("cube", "8-bit ramp", 32, 32, 32);
setVoxelSize(0.5, 0.5, 2, "micron");
run("Fire");
Ext.Drua_push("cube");
Ext.Drua_crop3D("cube", flat, 0, 0, 0, 32, 32, 8);
Ext.Drua_makeIsotropic(flat, made, 0.5, 0.5, 2, 0.5);
Ext.Drua_convertUInt8(made, isotropic);
pulled(isotropic, "isotropic");
Ext.Drua_resample("cube", resampled, 1, 1, 0.5, true);
pulled(resampled, "resampled");
Ext.Drua_reduceStack("cube", reduced, 2, 0);
pulled(reduced, "reduced");
Ext.Drua_downsample3D("cube", downsampled, 1, 0.5, 0.5);
pulled(downsampled, "downsampled");
Ext.Drua_scale3D("cube", scaled, 2, 2, 1, true);
pulled(scaled, "scaled");
Ext.Drua_copy("cube", there);
Ext.Drua_scale3D("cube", there, 2, 2, 1, true);
pulled(there, "scaled in place");
Ext.Drua_copy("cube", there);
pulled(there, "copied in place");
Ext.Drua_transposeXZ("cube", transposed);
pulled(transposed, "transposed");
Ext.Drua_transposeXZ(transposed, back);
pulled(back, "transposed twice");
Ext.Drua_maximumXProjection("cube", side);
pulled(side, "from the side");
Ext.CLIJ2_maximumZProjection("cube", above);
pulled(above, "from above");
Ext.Drua_rotate3D("cube", turned, 0, 0, 30, true);
pulled(turned, "turned in the plane");
Ext.Drua_rotate3D("cube", tilted, 30, 0, 0, true);
pulled(tilted, "turned about x");
Ext.Drua_crop3D("cube", cropped, 4, 5, 6, 7, 8, 9);
pulled(cropped, "cropped");
Ext.Drua_sphereTransform("cube", polar, 32, 1, 0.5, 0.5, 0.5);
pulled(polar, "polar");
Ext.Drua_create3D(empty, 32, 32, 32, 8);
Ext.Drua_copy("cube", there);
Ext.Drua_copy(empty, there);
pulled(there, "plain");
path = getDirectory("temp") + "drua_metadata_test.tif";
Ext.Drua_saveAsTIF(transposed, path);
open(path);
getVoxelSize(width, height, depth, unit);
print("saved", width, height, depth, unit);
deleted = File.delete(path);

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

function pulled(image, what) {
    Ext.Drua_pull(image);
    show(what);
}
