/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms for macros, and arithmetic on complex images, which store real and imaginary parts side by side
 * along x.
 */
#include "box.h"
#include "plan_fft.h"

static void spectrum_shape(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "source");
    shape->width = 2 * (shape->width / 2 + 1);
}

static drua_view box_of(drua_plan *p, drua_shape shape)
{
    plan_fft_prepare(p, shape, false);
    return plan_fft_scratch(p, shape);
}

static void launch_forward(drua_plan *p)
{
    drua_view source = plan_image(p, "source"), box = box_of(p, plan_shape(p, "source"));
    plan_copy(p, source, box, 0, 0, 0);
    plan_fft_forward(p, box);
    plan_copy(p, plan_fft_spectrum(box), plan_image(p, "destination"), 0, 0, 0);
}

DRUA_OP(forward_fft) = {
    .name = "forward_fft",
    .category = "fourier",
    .summary = "Transforms an image into its half spectrum: pairs of numbers along x, frequency 0 first. Any size; no "
               "scaling.",
    .source = "fast Fourier transform (Cooley and Tukey 1965)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to transform"),
                DRUA_IMAGE_OUT("destination", "half spectrum, 2 (width / 2 + 1) numbers wide", .shape = spectrum_shape,
                               .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx forwardFFT: source, &destination"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_forward,
};

static void image_shape(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "source");
    if (shape->width % 2 || shape->width < 2)
        plan_fail(p, "source must be pairs of numbers along x, got a width of %lld; use an image made by forwardFFT",
                  (long long)shape->width);
    shape->width = shape->width > 2 ? shape->width - 2 : 1;
}

/*
 * Transforms a spectrum back. An even width and the next odd width have spectra of the same size; the width of an
 * existing destination decides between them.
 */
static void launch_inverse(drua_plan *p)
{
    drua_shape has = plan_shape(p, "source"), wanted = plan_shape(p, "destination"), shape = has;
    shape.width = wanted.width == has.width - 1 ? wanted.width : has.width > 2 ? has.width - 2 : 1;
    drua_view source = plan_image(p, "source"), box = box_of(p, shape);
    plan_copy(p, source, plan_fft_spectrum(box), 0, 0, 0);
    plan_fft_inverse(p, box);
    plan_copy(p, box, plan_image(p, "destination"), 0, 0, 0);
}

DRUA_OP(inverse_fft) = {
    .name = "inverse_fft",
    .category = "fourier",
    .summary = "Transforms a half spectrum back into its image; an existing destination decides between an even and an "
               "odd width.",
    .source = "fast Fourier transform (Cooley and Tukey 1965)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "half spectrum made by forward_fft"),
                DRUA_IMAGE_OUT("destination", "image", .shape = image_shape, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx inverseFFT: source, &destination"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_inverse,
};

static void launch_multiply(drua_plan *p)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "complex_multiply", GRID((out.layout.width + 1) / 2, out.layout.height, out.layout.depth, 32, 4, 1),
           ARG(plan_image(p, "factor1")), ARG(plan_image(p, "factor2")), ARG(out));
}

DRUA_OP(multiply_complex_images) = {
    .name = "multiply_complex_images",
    .category = "fourier",
    .summary = "Multiplies two images of complex numbers, pairs of numbers along x.",
    .source = "(a + bi)(c + di) = ac - bd + (ad + bc)i",
    DRUA_PARAMS(DRUA_IMAGE_IN("factor1", "first complex image"), DRUA_IMAGE_IN("factor2", "second complex image"),
                DRUA_IMAGE_OUT("destination", "complex product")),
    DRUA_ALIASES("CLIJx multiplyComplexImages: factor1, factor2, &destination"),
    .numeric = DRUA_DEVICE,
    .launch = launch_multiply,
    .parts = plan_parts_pixels,
};

static void half_width(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "source");
    shape->width = (shape->width + 1) / 2;
}

static void launch_split_complex(drua_plan *p)
{
    drua_view real = plan_image(p, "real"), imaginary = plan_image(p, "imaginary");
    drua_layout all = real.layout;
    all.width = all.width > imaginary.layout.width ? all.width : imaginary.layout.width;
    all.height = all.height > imaginary.layout.height ? all.height : imaginary.layout.height;
    all.depth = all.depth > imaginary.layout.depth ? all.depth : imaginary.layout.depth;
    LAUNCH(p, "complex_split", plan_grid(all), ARG(plan_image(p, "source")), ARG(real), ARG(imaginary));
}

DRUA_OP(split_complex_image) = {
    .name = "split_complex_image",
    .category = "fourier",
    .summary = "Takes the real and the imaginary parts of a complex image apart.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "complex image, pairs of numbers along x"),
                DRUA_IMAGE_OUT("real", "real parts", .shape = half_width, .type = DRUA_FLOAT32),
                DRUA_IMAGE_OUT("imaginary", "imaginary parts", .shape = half_width, .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx splitComplexImage: source, &real, &imaginary"),
    .numeric = DRUA_EXACT,
    .launch = launch_split_complex,
    .parts = plan_parts_pixels,
};

static void double_width(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "real");
    shape->width *= 2;
}

static void launch_combine(drua_plan *p)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "complex_combine", GRID((out.layout.width + 1) / 2, out.layout.height, out.layout.depth, 32, 4, 1),
           ARG(plan_image(p, "real")), ARG(plan_image(p, "imaginary")), ARG(out));
}

DRUA_OP(combine_complex_image) = {
    .name = "combine_complex_image",
    .category = "fourier",
    .summary = "Puts real and imaginary parts beside each other along x.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("real", "real parts"), DRUA_IMAGE_IN("imaginary", "imaginary parts"),
                DRUA_IMAGE_OUT("destination", "complex image, twice as wide", .shape = double_width,
                               .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJx combineComplexImage: real, imaginary, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_combine,
    .parts = plan_parts_pixels,
};

/* The complete spectrum has the image's extent. */
static void launch_power(drua_plan *p)
{
    drua_view source = plan_image(p, "source"), out = plan_image(p, "destination"),
              box = box_of(p, plan_shape(p, "source"));
    fourier_check_numbers(p, "source");
    plan_copy(p, source, box, 0, 0, 0);
    plan_fft_forward(p, box);
    drua_view whole = plan_scratch(p, plan_shape(p, "source"), DRUA_FLOAT32);
    LAUNCH(p, "power_of_spectrum", plan_grid(whole.layout), ARG(plan_fft_spectrum(box)), ARG(whole),
           INT(plan_flag(p, "logarithmic")));
    plan_copy(p, whole, out, 0, 0, 0);
}

DRUA_OP(power_spectrum) = {
    .name = "power_spectrum",
    .category = "fourier",
    .menu = true,
    .summary = "Shows how much of each frequency an image contains: squared amplitudes, frequency 0 in the middle.",
    .source = "squared length of the complex numbers of forwardFFT",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to analyse"),
                DRUA_IMAGE_OUT("destination", "power spectrum", .type = DRUA_FLOAT32),
                DRUA_BOOLEAN("logarithmic", "log(1 + power) instead of the power", .default_value = 1)),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_power,
};
