// SPDX-License-Identifier: BSD-3-Clause
// A pipeline on files block by block gives the pixels of the whole image, for TIFF and for OME-Zarr.
// only: patched
// expect: the plan is gone
// expect: difference 0 of 255
// expect: difference 0 of 255
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
folder = getDirectory("temp") + "drua_process" + getTime() + File.separator;
File.makeDirectory(folder);
newImage("image", "8-bit ramp", 40, 30, 10);
setColor(255);
fillRect(20, 10, 5, 9);
Ext.Drua_push("image");
Ext.Drua_gaussianBlur("image", whole, 1, 0.5, 0);
Ext.Drua_write("image", folder + "image.zarr");
saveAs("Tiff", folder + "image.tif");

File.saveString("Ext.Drua_push(image);\nExt.Drua_gaussianBlur(image, blurred, 1, 0.5, 0);\nExt.Drua_pull(blurred);\n", folder + "pipeline.ijm");
Ext.Drua_processFile(folder + "pipeline.ijm", folder + "image.zarr", folder + "blurred.zarr", "block=16,16,8 chunk=16,16,8 compression=zstd overwrite");
if (!File.exists(folder + "blurred.zarr.plan.json"))
    print("the plan is gone");
compare(whole, folder + "blurred.zarr");
Ext.Drua_processFile("gaussian_blur sigma_x=1 sigma_y=0.5 sigma_z=0", folder + "image.tif", folder + "new" + File.separator + "blurred.tif", "overwrite");
compare(whole, folder + "new" + File.separator + "blurred.tif");

function compare(whole, path) {
    Ext.Drua_read(path, blocks);
    Ext.Drua_absoluteDifference(whole, blocks, difference);
    Ext.Drua_maximumOfAllPixels(difference, most);
    Ext.Drua_maximumOfAllPixels("image", all);
    print("difference", most, "of", all);
}
