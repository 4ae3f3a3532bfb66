// SPDX-License-Identifier: BSD-3-Clause
// # Remove noise and keep edges
//
// Which filter removes noise without blurring edges? The program draws shapes with sharp edges, adds a camera's noise,
// applies four filters, and compares each result with the drawing.
//
// 1. [Gaussian blur](../../docs/reference/gaussian_blur.md): the mean of neighbouring pixels; edges become wide.
// 2. [Median](../../docs/reference/median_box.md): the middle one of the neighbours' grey values; edges stay sharp,
//    corners are rounded.
// 3. [Bilateral](../../docs/reference/bilateral.md): neighbours with similar grey values count most. The program sets
//    "similar" to about twice the noise.
// 4. [Non-local means](../../docs/reference/non_local_means.md): pixels with similar surroundings count most. The
//    program passes the same value.
//
// The root mean square error says how far a result is from the drawing; the smaller, the better. A good filter lowers
// the error and leaves the edges as they were. With your own images there is no drawing: subtract the result from the
// image. The difference should look like noise alone. If it shows outlines, the filter has removed structure.
//
// words: denoise|remove noise|keep edges|noise reduction|edge preserving|noisy image
// image: noisy.tif shapes with noise
// image: gaussian.tif Gaussian blur
// image: median.tif median
// image: bilateral.tif bilateral filter
// image: nonlocal.tif non-local means
// expect: error of the noisy image 17.8
// expect: Gaussian blur 11.5
// expect: median 7.8
// expect: bilateral 6.2
// expect: non-local means 10.3
newImage("drawn", "32-bit black", 160, 160, 1);
run("Set...", "value=100");
makeRectangle(20, 20, 60, 50);
run("Set...", "value=200");
makeOval(85, 60, 60, 60);
run("Set...", "value=160");
for (i = 0; i < 5; i++) {
    makeRectangle(15 + 14 * i, 100, 4 + i, 45);
    run("Set...", "value=190");
}
run("Select None");

run("Drua Macro Extensions", "cl_device=");
noisy = "noisy"; gaussian = "gaussian"; median = "median"; // the titles of the windows
bilateral = "bilateral"; nonlocal = "nonlocal";
Ext.Drua_push("drawn");
Ext.Drua_cameraNoise("drawn", noisy, 0.4, 3, 8);
Ext.Drua_gaussianBlur(noisy, gaussian, 2, 2, 0);
Ext.Drua_medianBox(noisy, median, 2, 2, 0);
Ext.Drua_bilateral(noisy, bilateral, 4, 4, 0, 45, 3);
Ext.Drua_nonLocalMeans(noisy, nonlocal, 2, 2, 0, 45);
report("error of the noisy image", noisy);
report("Gaussian blur", gaussian);
report(median, median);
report(bilateral, bilateral);
report("non-local means", nonlocal);
close("drawn");

function report(name, image) {
    Ext.Drua_meanSquaredError("drawn", image, error);
    print(name + " " + d2s(sqrt(error), 1));
    Ext.Drua_pull(image);
}
