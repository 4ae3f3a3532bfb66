// SPDX-License-Identifier: BSD-3-Clause
// The files that macros and commands in the documents use. Argument: their folder.
folder = getArgument() + "/";
run("Drua Macro Extensions", "cl_device=");
newImage("image", "16-bit black", 40, 32, 8);
setSlice(4);
setColor(500);
fillOval(12, 10, 9, 9);
run("Add...", "value=110 stack");
saveAs("Tiff", folder + "image.tif");
saveAs("Tiff", folder + "from_clij2.tif");
saveAs("Tiff", folder + "from_drua.tif");
rename("embryo");
Ext.Drua_push("embryo");
Ext.Drua_write("embryo", folder + "embryo.zarr");
newImage("psf", "32-bit black", 9, 9, 5);
setSlice(3);
setPixel(4, 4, 1);
run("Gaussian Blur 3D...", "x=1 y=1 z=1");
saveAs("Tiff", folder + "psf.tif");
newImage("movie", "16-bit noise", 24, 20, 200);
saveAs("Tiff", folder + "movie.tif");
newImage("channels", "16-bit grayscale-mode", 160, 160, 2, 8, 3);
saveAs("Tiff", folder + "channels.tif");
