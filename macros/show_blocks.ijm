// SPDX-License-Identifier: BSD-3-Clause
// Shows what ./dev demo blocks made: the image and the result from above, side by side. Argument: the folder of both.

var folder = getArgument();
setBatchMode(true);
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_read(folder + "/image.zarr", image);
Ext.Drua_read(folder + "/restored.zarr", restored);
save(image, "image.png");
save(restored, "restored.png");
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
