// SPDX-License-Identifier: BSD-3-Clause
// A pipeline for drua plan: an image of a wide-field microscope is restored, which is done for each block alone.
// The point spread function lies beside the image.

image = getTitle();
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_push(image);
Ext.Drua_read("psf.tif", psf);
Ext.Drua_deconvolve(image, psf, restored, "iterations=20 background=20");
Ext.Drua_pull(restored);
