// SPDX-License-Identifier: BSD-3-Clause
// # Deconvolve with beads
//
// How can the blur of a microscope be undone? A microscope blurs every point of a sample into the same pattern, the
// point spread function. Beads that are smaller than the resolution show this pattern, so record them with the same
// settings as the sample. The program blurs beads and a sample of hollow bars with the same known function.
//
// 1. [Measure PSF](../../docs/reference/measure_psf.md) finds the beads, averages them, and removes their background.
//    The result is the point spread function.
// 2. [Deconvolve](../../docs/reference/deconvolve.md) runs at most 30 accelerated iterations of Richardson and Lucy's
//    method with this function. Pass the background of the image, because the method assumes that all light above the
//    background comes from the sample. [Deconvolution](../../docs/deconvolution.md) says how to choose the options.
//
// The measured widths should be 2.355 sigma: 4.7 pixels, and 7.1 slices. The restored bars are hollow again, and the
// error to the true object is smaller. If the result shows rings or dots in smooth regions, take fewer iterations. The
// sum of grey values of the result should differ by less than a tenth from that of the image minus its background,
// because deconvolution only moves light.
//
// words: deconvolve with beads|deconvolution|measure psf|beads|sharpen microscope image|remove blur|psf from beads
// image: blurred.tif the bars as the microscope records them
// image: psf.tif the function measured from beads
// image: object.tif the true bars
// image: restored.tif the bars after deconvolution
// expect: 9 beads, 4.6 x 4.6 pixels x 7.1 slices wide
// expect: error: blurred 55, restored 36
run("Drua Macro Extensions", "cl_device=");
true_plane = "object"; blurred_plane = "blurred"; restored_plane = "restored"; psf = "psf"; // titles of windows
newImage("points", "32-bit black", 96, 96, 48);
for (bead = 0; bead < 9; bead++) {
    setSlice(24);
    setPixel(16 + 32 * (bead % 3), 16 + 32 * floor(bead / 3), 200000);
}
Ext.Drua_push("points");
close("points");
Ext.Drua_gaussianBlur("points", light, 2, 2, 3);
Ext.Drua_addImageAndScalar(light, glow, 100);
Ext.Drua_cameraNoise(glow, beads, 1, 1, 1);
Ext.Drua_measurePsf(beads, psf, 25, 25, 31, 0.3, number, width_x, width_y, width_z);

Ext.Drua_phantom(bars, "bars", 96, 96, 32, 200, 3, 24, 1);
Ext.Drua_gaussianBlur(bars, soft, 2, 2, 3);
Ext.Drua_addImageAndScalar(soft, lit, 100);
Ext.Drua_cameraNoise(lit, blurred, 1, 1, 2);
Ext.Drua_deconvolve(blurred, psf, restored, "iterations=30 accelerate background=100");

width = d2s(width_x, 1) + " x " + d2s(width_y, 1) + " pixels x " + d2s(width_z, 1) + " slices wide";
print(number + " beads, " + width);
Ext.Drua_meanSquaredError(bars, soft, before);
Ext.Drua_meanSquaredError(bars, restored, after);
print("error: blurred " + d2s(sqrt(before), 0) + ", restored " + d2s(sqrt(after), 0));
Ext.Drua_copySlice(bars, true_plane, 11); // a plane in which bars are hollow
Ext.Drua_copySlice(blurred, blurred_plane, 11);
Ext.Drua_copySlice(restored, restored_plane, 11);
Ext.Drua_pull(true_plane);
Ext.Drua_pull(blurred_plane);
Ext.Drua_pull(restored_plane);
Ext.Drua_pull(psf);
