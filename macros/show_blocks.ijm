// SPDX-License-Identifier: BSD-3-Clause
// Shows the image and the mask of ./dev demo blocks from above. Argument: their folder.

var folder = getArgument();
setBatchMode(true);
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_read(folder + "/image.zarr", image);
Ext.Drua_read(folder + "/mask.zarr", mask);
save(image, "image.png");
save(mask, "mask.png");
Ext.CLIJ2_clear();

function save(stack, name) {
    Ext.CLIJ2_maximumZProjection(stack, seen);
    Ext.CLIJ2_pull(seen);
    resetMinAndMax();
    run("8-bit");
    saveAs("PNG", folder + "/" + name);
    close();
    Ext.CLIJ2_release(seen);
}
