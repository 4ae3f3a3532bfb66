/* SPDX-License-Identifier: BSD-3-Clause */
#include "box.h"

#include "../measure/tally.h"

/* A kernel's scale, so that its sum is 1; waits. */
static double scale_of(drua_plan *p, drua_view kernel)
{
    if (!plan_flag(p, "normalize"))
        return 1;
    const double sum = tally_sum(p, kernel);
    if (!isfinite(sum) || sum == 0)
        plan_fail(p, "convolution_kernel must have a sum that is not 0 to be normalised, got %g; give normalize = 0", sum);
    return 1 / sum;
}

static void plan(drua_plan *p)
{
    const drua_shape image = plan_shape(p, "source");
    const int edges = plan_choice(p, "edges");
    const fourier_box box = fourier_box_around(image, plan_shape(p, "convolution_kernel"), edges);
    drua_view source = plan_image(p, "source"), kernel = plan_image(p, "convolution_kernel");
    fourier_check_memory(p, box, 2);
    const double scale = plan_failed(p) ? 1 : scale_of(p, kernel);
    plan_fft_prepare(p, box.shape, true);
    drua_view spectrum = fourier_kernel(p, box, kernel, scale), filled = fourier_place(p, box, source, edges);
    plan_fft_convolve(p, filled, spectrum, filled, plan_flag(p, "correlate"));
    plan_copy(p, fourier_crop(filled, box, image), plan_image(p, "destination"), 0, 0, 0);
}

const drua_op drua_op_convolve_fft = {
    .name = "convolve_fft",
    .category = "fourier",
    .summary = "Convolves an image with a kernel of any size; the image is not carried around its edges unless asked for.",
    .source = "product of Fourier transforms; the kernel's centre is half of its extent, rounded down",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to convolve"), DRUA_IMAGE_IN("convolution_kernel", "kernel, for example a point spread function"),
                DRUA_IMAGE_OUT("destination", "convolved image", .type = DRUA_FLOAT32),
                DRUA_BOOLEAN("correlate", "correlation: the kernel is not mirrored", .preset = 0),
                DRUA_BOOLEAN("normalize", "scales the kernel so that its sum is 1", .preset = 1),
                DRUA_CHOICE("edges", "what lies around the image", .preset_text = "zero", DRUA_CHOICES("zero", "repeat", "mirror", "periodic"))),
    DRUA_ALIASES("CLIJx convolveFFT: source, convolution_kernel, &destination, correlate, normalize=0"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .plan = plan,
};
