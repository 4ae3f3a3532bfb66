// SPDX-License-Identifier: BSD-3-Clause
// An RGB image is stored on the device as three planes, which are not slices.
// error: deconvolve: source is an RGB image
run("Drua Macro Extensions", "cl_device=");
image = "image";
newImage(image, "RGB white", 16, 16, 2);
Ext.Drua_push(image);
Ext.Drua_gaussianPsf(psf, 5, 5, 3, 1, 1, 1);
Ext.Drua_deconvolve(image, psf, restored, "iterations=2");
