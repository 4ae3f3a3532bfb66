// SPDX-License-Identifier: BSD-3-Clause
// Prints the errors that docs/deconvolution.md gives for balls. Restores the balls with each kind of edges, with the
// inverse filter, with Landweber's iteration and with a floor of the total variation. Each line gives the error against
// the truth.

var width = 64, depth = 32, margin = 16;    // field of view in a larger scene; light also comes from outside
var background = 10, photons = 3;           // photons per grey level
var psf = "psf", counts = "counts", plain = "plain", truth = "truth", restored = "restored";

setBatchMode(true);
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_phantom(scene, "beads", width + 2 * margin, width + 2 * margin, depth + 2 * margin, 100, 4, 14, 3);
Ext.Drua_gaussianPsf(psf, 17, 17, 25, 2, 2, 4);
Ext.Drua_convolveFft(scene, psf, blurred, false, true, "repeat");
Ext.CLIJ2_crop3D(scene, truth, margin, margin, margin, width, width, depth);
Ext.CLIJ2_crop3D(blurred, seen, margin, margin, margin, width, width, depth);
print("blurred: error " + difference(seen));
Ext.CLIJ2_addImageAndScalar(seen, lit, background);
Ext.Drua_cameraNoise(lit, counts, photons, 0, 1);
Ext.CLIJ2_addImageAndScalar(counts, plain, -background);
print("blurred, with noise: error " + difference(plain));

restore("iterations=10 edges=circulant");
restore("iterations=50 edges=circulant");
restore("iterations=200 edges=circulant");
restore("iterations=10 edges=mirror");
restore("iterations=50 edges=mirror");
restore("iterations=200 edges=mirror");
restore("iterations=10");
restore("iterations=50");
restore("iterations=200");

restore("iterations=20");
restore("iterations=30 method=landweber");
restore("iterations=100 method=landweber");
restore("iterations=30 method=landweber accelerate");
restore("iterations=5 method=landweber accelerate precondition=0.1");
restore("iterations=100 accelerate");
restore("iterations=100 accelerate at_noise=go_on");
invert("wiener", 0.01);
invert("laplacian", 0.01);

restore("iterations=100 tv=0.01");
restore("iterations=100 tv=0.01 tv_floor=0.053");
restore("iterations=100 tv=0.05");
restore("iterations=100 tv=0.05 tv_floor=0.265");
Ext.CLIJ2_clear();

function restore(options) {
    Ext.Drua_deconvolve(counts, psf, restored, options + " background=" + background);
    print(options + ": error " + difference(restored));
    Ext.CLIJ2_release(restored);
}

function invert(regularization, weight) {
    Ext.Drua_deconvolveInverse(plain, psf, restored, regularization, weight, "mirror");
    print("inverse, " + regularization + ", weight " + weight + ": error " + difference(restored));
    Ext.CLIJ2_release(restored);
}

// Root mean square difference from the truth.
function difference(image) {
    Ext.CLIJ2_getMeanSquaredError(image, truth, square);
    return d2s(sqrt(square), 2);
}
