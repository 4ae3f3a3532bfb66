/* SPDX-License-Identifier: BSD-3-Clause */
#include "richardson_lucy.h"
#include "plan_fft.h"

#include <stdio.h>

#define SOURCE DRUA_IMAGE_IN("source", "blurred image: counts of light, with their background")
#define PSF DRUA_IMAGE_IN("psf", "point spread function, its centre at half of its extent, rounded down")
#define DESTINATION DRUA_IMAGE_OUT("destination", "restored image", .type = DRUA_FLOAT32)

static void launch_deconvolve(drua_plan *p)
{
    const rl_options options = rl_read_options(p);
    if (!plan_failed(p))
        rl_run(p, &options, NULL);
}

static void named_large(drua_plan *p)
{
    const rl_options options = rl_read_options(p);
    if (!plan_failed(p))
        rl_run_large(p, &options, NULL);
}

#define CONVERGENCE                                                                                                    \
    {                                                                                                                  \
        .name = "convergence",                                                                                         \
        .doc = "with curve, divergence of prediction and image before each listed iteration; with keep_partial but "   \
               "without curve, number of finished iterations and, in blocks, their layers",                            \
        .kind = DRUA_KIND_TABLE_OUT                                                                                    \
    }

DRUA_OP(deconvolve) = {
    .name = "deconvolve",
    .category = "deconvolution",
    .menu = true,
    .summary =
        "Undoes the blur of a microscope by Richardson-Lucy iterations. Light from outside the field of view is taken "
        "into account.",
    .source = "Richardson 1972, Lucy 1974; edges as Bertero and Boccacci 2005; total variation as Dey and others 2006; "
              "heavy ball: momentum (k - 1) / (k + 2); Biggs and Andrews 1997; Wiener-Butterworth back projector: Guo "
              "and others 2020; Landweber 1951; preconditioner: Piana and Bertero 1997; ends where the residual is "
              "white: Hansen, Kilmer and Kjeldsen 2006, Almeida and Figueiredo 2013",
    DRUA_PARAMS(SOURCE, PSF, DESTINATION, RL_OPTIONS, CONVERGENCE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .estimate = "estimate_deconvolution",
    .launch = launch_deconvolve,
    .build_large = named_large,
    .describe_blocks = rl_parts_apart,
    .write_measured_settings = rl_settle,
    .effort = rl_effort,
    .scratch = rl_scratch,
};

static void launch_deconvolve_masked(drua_plan *p)
{
    const rl_options options = rl_read_options(p);
    if (!plan_failed(p))
        rl_run(p, &options, "mask");
}

static void masked_large(drua_plan *p)
{
    const rl_options options = rl_read_options(p);
    if (!plan_failed(p))
        rl_run_large(p, &options, "mask");
}

DRUA_OP(deconvolve_masked) = {
    .name = "deconvolve_masked",
    .category = "deconvolution",
    .summary = "Undoes the blur of a microscope in an image with bad pixels. Bad pixels are estimated from the light "
               "around them.",
    .source = "as deconvolve; bad pixels are treated like pixels outside the view",
    DRUA_PARAMS(SOURCE, PSF, DRUA_IMAGE_IN("mask", "bad pixels: not 0"), DESTINATION, RL_OPTIONS, CONVERGENCE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_deconvolve_masked,
    .build_large = masked_large,
};

/*
 * Returns the options for the positional arguments of CLIJ's commands. By default, the image is mirrored around its
 * edges. Total variation assumes voxels of 1 x 1 x 3.
 */
static rl_options of_position(drua_plan *p)
{
    rl_options options = rl_defaults();
    options.iterations = plan_integer(p, "num_iterations");
    options.total_variation = plan_number(p, "regularization_factor");
    options.edges = plan_flag(p, "non_circulant") ? EDGES_ZERO : EDGES_MIRROR;
    return options;
}

static void launch_richardson_lucy(drua_plan *p)
{
    const rl_options options = of_position(p);
    rl_run(p, &options, NULL);
}

static void positional_large(drua_plan *p)
{
    const rl_options options = of_position(p);
    rl_run_large(p, &options, NULL);
}

DRUA_OP(deconvolve_richardson_lucy_fft) = {
    .name = "deconvolve_richardson_lucy_fft",
    .category = "deconvolution",
    .summary = "Undoes the blur of a microscope by Richardson-Lucy iterations, with total variation as regularisation.",
    .source = "as deconvolve, with the arguments of CLIJx",
    DRUA_PARAMS(
        SOURCE, PSF, DESTINATION,
        DRUA_INTEGER("num_iterations", "number of iterations", .example = 20, DRUA_RANGE(1, 100000),
                     .default_value = 100),
        DRUA_NUMBER("regularization_factor", "weight of the total variation; values of 0.0005 to 0.01 are useful",
                    DRUA_RANGE(0, 0.21), .default_value = 0),
        DRUA_BOOLEAN("non_circulant",
                     "on: light from outside the view is estimated too; off: the image is mirrored at its edges",
                     .default_value = 0)),
    DRUA_ALIASES(
        "CLIJx deconvolveRichardsonLucyFFT: source, psf, &destination, num_iterations, regularization_factor=0, "
        "non_circulant=0",
        "CLIJx deconvolveRLTVFFT: source, psf, &destination, num_iterations, regularization_factor, non_circulant"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_richardson_lucy,
    .build_large = positional_large,
};

/* Seconds for one iteration: two convolutions, and a sixth more for the steps between them; waits. */
static double time_iteration(drua_plan *p, drua_shape box)
{
    double seconds = 0;
    float value;
    plan_fft_prepare(p, box, true);
    drua_view image = plan_fft_scratch(p, box), kernel = plan_fft_scratch(p, box);
    plan_clear(p, image);
    plan_clear(p, kernel);
    for (int round = 0; round < 2; round++) {       /* the first round compiles the kernels */
        const double start = plan_seconds();
        plan_fft_convolve(p, image, kernel, image, false);
        plan_read(p, image, &value, sizeof value);
        seconds = plan_seconds() - start;
    }
    return 2 * 7.0 / 6 * seconds;
}

static void launch_estimate(drua_plan *p)
{
    char text[1024], verdict[640] = "";
    const rl_options options = rl_read_options(p);
    const fourier_box box = rl_box(p, &options);
    const int boxes = rl_boxes(&options, false);
    const double each = (double)plan_fft_bytes(box.shape) / 1e6, left = (double)plan_memory_left(p) / 1e6;
    if (plan_failed(p))
        return;
    if (each * boxes > left || each * 1e6 > (double)plan_device(p)->largest_allocation) {
        const int64_t blocks = rl_blocks(p, &options);
        if (blocks)
            snprintf(verdict, sizeof verdict, ", so it is done in %lld blocks or more", (long long)blocks);
        else
            snprintf(verdict, sizeof verdict, ", which is too little even in blocks; crop the image or the psf");
    } else {
        const double seconds = time_iteration(p, box.shape) * (double)options.iterations;
        snprintf(verdict, sizeof verdict, "; %lld iterations take about %.2g s, transforms by %s",
                 (long long)options.iterations, seconds, plan_fft_note(p, box.shape));
    }
    snprintf(text, sizeof text,
             "%lld x %lld x %lld pixels with room for the psf; %d such images need %.1f of %.0f MB%s",
             (long long)box.shape.width, (long long)box.shape.height, (long long)box.shape.depth, boxes, each * boxes,
             left, verdict);
    plan_set_text(p, "estimate", text);
    plan_set_number(p, "bytes", each * 1e6 * boxes);
}

DRUA_OP(estimate_deconvolution) = {
    .name = "estimate_deconvolution",
    .category = "deconvolution",
    .summary = "Estimates the memory and time of a deconvolution with these options.",
    .source = "the sum of the buffers that the method uses; the time of one convolution",
    DRUA_PARAMS(SOURCE, PSF, RL_OPTIONS,
                DRUA_TEXT_OUT("estimate", "extent with room for the psf, memory that is needed and that is free, time"),
                DRUA_NUMBER_OUT("bytes", "memory needed beside the images that exist")),
    .numeric = DRUA_DEVICE,
    .launch = launch_estimate,
};
