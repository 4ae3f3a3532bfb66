// SPDX-License-Identifier: BSD-3-Clause
// Simulates the image of hollow bars in a wide-field microscope, with background and noise, and restores it in several
// ways. Prints each error against the truth. Saves pictures of the blurred image, the restored image and the truth side
// by side, from above and from the side. Argument: the folder for the pictures.

var output = getArgument();
if (output == "") output = getDirectory("Folder for the pictures");

var width = 64, height = 64, depth = 32;    // field of view in a larger scene, in voxels of 0.1 x 0.1 x 0.2 um
margin = 16;                                // light also comes from this margin
var background = 20;
photons = 3;                                // photons per grey level

var psf = "psf", counts = "counts", plain = "plain", truth = "truth", restored = "restored", canvas = "canvas";

setBatchMode(true);
run("Drua Macro Extensions", "cl_device=");
Ext.CLIJ2_getGPUProperties(gpu, memory, opencl);
print("device: " + gpu);

Ext.Drua_phantom(scene, "bars", width + 2 * margin, height + 2 * margin, depth + 2 * margin, 100, 3, 24, 1);
Ext.Drua_microscopePsf(psf, 25, 25, 25, "widefield", "born_wolf", 0.1, 0.2, 520, 1.2, 1.33, 1.33, 0, 1.515, 488, 1, 2);
Ext.Drua_convolveFft(scene, psf, blurred, false, true, "repeat");
Ext.CLIJ2_crop3D(scene, truth, margin, margin, margin, width, height, depth);
Ext.CLIJ2_crop3D(blurred, seen, margin, margin, margin, width, height, depth);
Ext.CLIJ2_addImageAndScalar(seen, lit, background);
Ext.Drua_cameraNoise(lit, counts, photons, 0, 1);
Ext.CLIJ2_addImageAndScalar(counts, plain, -background);

error = difference(plain, truth);
print("blurred: error " + d2s(error, 2));
restore("plain", "iterations=30");
restore("mirrored edges", "iterations=30 edges=mirror");
restore("circulant edges", "iterations=30 edges=circulant");
restore("accelerated", "iterations=12 accelerate");
restore("total variation", "iterations=50 tv=0.005");
restore("wiener butterworth", "iterations=2 method=wiener_butterworth");
restore("landweber", "iterations=50 method=landweber accelerate");
restore("landweber preconditioned", "iterations=5 method=landweber accelerate precondition=0.1");
curves();
Ext.CLIJ2_clear();

// Divergence between the image and the prediction of the estimate, for each iteration.
function curves() {
    Plot.create("convergence", "iteration", "divergence");
    colours = newArray("blue", "red");
    options = newArray("iterations=40 curve", "iterations=40 curve accelerate");
    for (k = 0; k < 2; k++) {
        run("Clear Results");
        Ext.Drua_deconvolve(counts, psf, restored, options[k] + " background=" + background);
        Plot.setColor(colours[k]);
        Plot.add("line", Table.getColumn("Iteration", "Results"), Table.getColumn("Divergence", "Results"));
        Ext.CLIJ2_release(restored);
    }
    Plot.setLogScaleY(true);
    Plot.setLimitsToFit();
    Plot.setColor("black");
    Plot.addLegend("plain\taccelerated", "top-right");
    Plot.show();
    saveAs("PNG", output + File.separator + "bars_convergence.png");
    close();
}

function restore(name, options) {
    Ext.Drua_deconvolve(counts, psf, restored, options + " background=" + background);
    left = difference(restored, truth);
    print(name + " (" + options + "): error " + d2s(left, 2));
    picture(replace(name, " ", "_"));
    Ext.CLIJ2_release(restored);
}

// Root mean square difference.
function difference(a, b) {
    Ext.CLIJ2_getMeanSquaredError(a, b, square);
    return sqrt(square);
}

// A slice from above and a slice from the side of each of the three images.
function picture(name) {
    Ext.CLIJ2_create2D(canvas, 3 * width + 8, height + depth + 4, 32);
    Ext.CLIJ2_set(canvas, 60);
    column(plain, 0);
    column(restored, width + 4);
    column(truth, 2 * width + 8);
    Ext.CLIJ2_pull(canvas);
    setMinAndMax(0, 110);
    run("8-bit");
    run("Size...", "width=" + 3 * getWidth() + " height=" + 3 * getHeight() + " depth=1 interpolation=None");
    saveAs("PNG", output + File.separator + "bars_" + name + ".png");
    close();
    Ext.CLIJ2_release(canvas);
}

function column(image, x) {
    Ext.CLIJ2_copySlice(image, slice, floor(depth * 0.375));
    Ext.CLIJ2_paste2D(slice, canvas, x, 0);
    Ext.CLIJ2_resliceTop(image, side);
    Ext.CLIJ2_copySlice(side, edge, floor(height / 2));
    Ext.CLIJ2_paste2D(edge, canvas, x, height + 4);
    Ext.CLIJ2_release(slice);
    Ext.CLIJ2_release(side);
    Ext.CLIJ2_release(edge);
}
