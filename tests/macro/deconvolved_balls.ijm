// SPDX-License-Identifier: BSD-3-Clause
// The errors of the balls of docs/deconvolution.md with circulant edges. NumPy's Fourier transforms, in double
// precision, give the same numbers.
// expect: blurred: 21.7
// expect: blurred, with noise: 21.8
// expect: 10 iterations: 17.5
// expect: 50 iterations: 18.8
var truth = "truth", background = 10;

run("Drua Macro Extensions", "cl_device=");
Ext.Drua_phantom(scene, "beads", 96, 96, 64, 100, 4, 14, 3);
Ext.Drua_gaussianPsf(psf, 17, 17, 25, 2, 2, 4);
Ext.Drua_convolveFft(scene, psf, blurred, false, true, "repeat");
Ext.Drua_crop3D(scene, truth, 16, 16, 16, 64, 64, 32);
Ext.Drua_crop3D(blurred, seen, 16, 16, 16, 64, 64, 32);
print("blurred: " + difference(seen));
Ext.Drua_addImageAndScalar(seen, lit, background);
Ext.Drua_cameraNoise(lit, counts, 3, 0, 1);
Ext.Drua_addImageAndScalar(counts, plain, -background);
print("blurred, with noise: " + difference(plain));
for (iterations = 10; iterations <= 50; iterations += 40) {
    Ext.Drua_deconvolve(counts, psf, restored, "edges=circulant background=10 iterations=" + iterations);
    print(iterations + " iterations: " + difference(restored));
}
Ext.Drua_clear();

// Root mean square difference from the truth.
function difference(image) {
    Ext.Drua_meanSquaredError(image, truth, square);
    return d2s(sqrt(square), 1);
}
