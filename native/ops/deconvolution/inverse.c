/* SPDX-License-Identifier: BSD-3-Clause */
#include "../fourier/box.h"
#include "plan_fft.h"

#include "richardson_lucy.h"

static void launch_deconvolve_inverse(drua_plan *p)
{
    const drua_shape image = plan_shape(p, "source");
    const int edges = plan_choice(p, "edges");
    const fourier_box box = fourier_box_around(image, plan_shape(p, "psf"), edges);
    drua_view source = plan_image(p, "source"), psf = plan_image(p, "psf");
    fourier_check_memory(p, box, 2);
    const double sum = plan_failed(p) ? 1 : rl_check_psf(p, psf);
    fourier_check_numbers(p, "source");
    plan_fft_prepare(p, box.shape, false);
    drua_view blur = plan_fft_spectrum(fourier_kernel(p, box, psf, 1 / sum)),
              filled = fourier_place(p, box, source, edges);
    drua_view spectrum = plan_fft_spectrum(filled);
    plan_fft_forward(p, filled);
    LAUNCH(p, "inverse_filter",
           GRID(spectrum.layout.width / 2, spectrum.layout.height, spectrum.layout.depth, 32, 4, 1), ARG(spectrum),
           ARG(blur), INT(box.shape.width), REAL(plan_number(p, "weight")), INT(plan_choice(p, "regularization")));
    plan_fft_inverse(p, filled);
    plan_copy(p, fourier_crop(filled, box, image), plan_image(p, "destination"), 0, 0, 0);
}

DRUA_OP(deconvolve_inverse) = {
    .name = "deconvolve_inverse",
    .category = "deconvolution",
    .menu = true,
    .summary = "Undoes a blur by one division of spectra; fast, for images with little noise. Results can be negative.",
    .source = "wiener: conj(K) G / (|K|^2 + weight), also called Tikhonov's; laplacian: weight times the squared "
              "Laplace operator instead",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "blurred image"),
                DRUA_IMAGE_IN("psf", "point spread function, its centre at half of its extent, rounded down"),
                DRUA_IMAGE_OUT("destination", "restored image", .type = DRUA_FLOAT32),
                DRUA_CHOICE("regularization",
                            "wiener penalizes large values of the result; laplacian penalizes its fine structure",
                            .default_text = "wiener", DRUA_CHOICES("wiener", "laplacian")),
                DRUA_NUMBER("weight",
                            "larger values make the result smoother; start with the power of the noise "
                            "divided by that of the image",
                            DRUA_RANGE(1e-12, 1e6), .default_value = 0.01),
                DRUA_CHOICE("edges", "surroundings of the image", .default_text = "mirror",
                            DRUA_CHOICES("zero", "repeat", "mirror", "periodic"))),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_deconvolve_inverse,
};
