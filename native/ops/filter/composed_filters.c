/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters that are composed of other operations. */
#include "plan.h"

static drua_operand build_blur(drua_plan *p, const char *image, drua_type type)
{
    return CALL(p, "gaussian_blur", type, plan_operand(p, image), NUMBER(plan_number(p, "sigma_x")),
                NUMBER(plan_number(p, "sigma_y")), NUMBER(plan_number(p, "sigma_z")));
}

static void build_laplacian_of_gaussian(drua_plan *p)
{
    plan_return(p, "destination",
                CALL(p, "laplace_box", plan_type(p, "destination"), build_blur(p, "source", DRUA_FLOAT32)));
}

static void build_unsharp_mask(drua_plan *p)
{
    double amount = plan_number(p, "amount");
    drua_operand sharp = CALL(p, "add_images_weighted", DRUA_FLOAT32, plan_operand(p, "source"),
                              build_blur(p, "source", DRUA_FLOAT32), NUMBER(1 + amount), NUMBER(-amount));
    plan_return(p, "destination",
                /* power 1 rounds the result to integers */
                CALL(p, "power", plan_type(p, "destination"), sharp, NUMBER(1)));
}

static void build_blur_in_place(drua_plan *p)
{
    plan_return(p, "image", build_blur(p, "image", plan_type(p, "image")));
}

static drua_operand difference_of_gaussian(drua_plan *p, const char *image, drua_type type)
{
    return CALL(p, "difference_of_gaussian", type, plan_operand(p, image), NUMBER(plan_number(p, "sigma1_x")),
                NUMBER(plan_number(p, "sigma1_y")), NUMBER(plan_number(p, "sigma1_z")),
                NUMBER(plan_number(p, "sigma2_x")), NUMBER(plan_number(p, "sigma2_y")),
                NUMBER(plan_number(p, "sigma2_z")));
}

static void build_difference_in_place(drua_plan *p)
{
    plan_return(p, "image", difference_of_gaussian(p, "image", plan_type(p, "image")));
}

static void build_threshold_dog(drua_plan *p)
{
    drua_operand one = NUMBER(plan_number(p, "sigma1")), two = NUMBER(plan_number(p, "sigma2")),
                 limit = NUMBER(plan_number(p, "threshold"));
    drua_operand source = CALL(p, "convert_float", DRUA_FLOAT32, plan_operand(p, "source"));
    drua_operand difference = CALL(p, "difference_of_gaussian", DRUA_FLOAT32, source, one, one, one, two, two, two);
    plan_return(p, "destination",
                CALL(p, plan_flag(p, "above") ? "greater_constant" : "smaller_or_equal_constant",
                     plan_type(p, "destination"), difference, limit));
}

static void build_local_extrema(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"), x = NUMBER((double)plan_integer(p, "radius_x")),
                 y = NUMBER((double)plan_integer(p, "radius_y")), z = NUMBER((double)plan_integer(p, "radius_z"));
    drua_operand low = CALL(p, "minimum_box", DRUA_NO_TYPE, source, x, y, z),
                 high = CALL(p, "maximum_box", DRUA_NO_TYPE, source, x, y, z);
    plan_return(p, "destination", CALL(p, "extrema", plan_type(p, "destination"), low, high));
}

static void build_top_hat_octagon(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"), steps = NUMBER((double)plan_integer(p, "steps"));
    drua_operand low = CALL(p, "minimum_octagon", DRUA_NO_TYPE, source, steps),
                 open = CALL(p, "maximum_octagon", DRUA_NO_TYPE, low, steps);
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), source, open));
}

/*
 * An octagon without extent along z, from pairs of steps over eight and four neighbours. For 2D images, the ordinary
 * octagon already has no extent along z.
 */
static void build_top_hat_octagon_slices(drua_plan *p)
{
    if (plan_shape(p, "source").depth == 1) {
        build_top_hat_octagon(p);
        return;
    }
    const drua_operand source = plan_operand(p, "source"), one = NUMBER(1), none = NUMBER(0);
    const int64_t steps = plan_integer(p, "steps");
    drua_operand open = source;
    for (int64_t i = 0; i < 2 * steps; i++) {
        const bool box = i % steps % 2 == 0;
        const drua_operand last = open;
        open = CALL(p,
                    i < steps ? (box ? "minimum_box" : "minimum_sphere")
                    : box     ? "maximum_box"
                              : "maximum_sphere",
                    DRUA_NO_TYPE, last, one, one, none);
        if (i > 0)
            plan_release_image(p, last);
    }
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), source, open));
}

#define SOURCE DRUA_IMAGE_IN("source", "image to filter")
#define RESULT DRUA_IMAGE_OUT("destination", "filtered image")
#define SIGMA(name, default_)                                                                                          \
    DRUA_NUMBER(name, "standard deviation of the Gaussian", .unit = "pixel", DRUA_RANGE(0, 1000),                      \
                .default_value = default_)
#define SIGMAS DRUA_SIGMA("x", 1), DRUA_SIGMA("y", 1), DRUA_SIGMA("z", 0)
#define RADIUS(axis)                                                                                                   \
    DRUA_INTEGER("radius_" axis, "half width along " axis, .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 1)

DRUA_OP(laplacian_of_gaussian) = {
    .name = "laplacian_of_gaussian",
    .category = "filter",
    .summary = "Finds edges and blobs: smooths with a Gaussian, then compares each pixel with its neighbours.",
    .source = "gaussianBlur, then laplaceBox",
    DRUA_PARAMS(SOURCE, RESULT, SIGMAS),
    DRUA_ALIASES("CLIJx laplacianOfGaussian3D: source, &destination, sigma_x, sigma_y, sigma_z"),
    .numeric = DRUA_DEVICE,
    .build = build_laplacian_of_gaussian,
};

DRUA_OP(unsharp_mask) = {
    .name = "unsharp_mask",
    .category = "filter",
    .summary = "Sharpens an image: adds the structures that a Gaussian removes.",
    .source = "source + amount (source - blurred)",
    DRUA_PARAMS(SOURCE, RESULT, SIGMAS,
                DRUA_NUMBER("amount", "share of the removed structures that is added", .default_value = 1)),
    .numeric = DRUA_DEVICE,
    .build = build_unsharp_mask,
};

DRUA_OP(gaussian_blur_in_place) = {
    .name = "gaussian_blur_in_place",
    .category = "filter",
    .summary = "Smooths an image with a Gaussian, in place.",
    .source = "as gaussianBlur",
    DRUA_PARAMS(DRUA_IMAGE_INOUT("image", "image to smooth"), SIGMAS),
    DRUA_ALIASES("CLIJx blurInplace3D: image, sigma_x, sigma_y, sigma_z"),
    .numeric = DRUA_DEVICE,
    .build = build_blur_in_place,
};

DRUA_OP(difference_of_gaussian_in_place) = {
    .name = "difference_of_gaussian_in_place",
    .category = "filter",
    .summary = "Keeps structures between two sizes, in place.",
    .source = "as differenceOfGaussian",
    DRUA_PARAMS(DRUA_IMAGE_INOUT("image", "image to filter"), SIGMA("sigma1_x", 1), SIGMA("sigma1_y", 1),
                SIGMA("sigma1_z", 0), SIGMA("sigma2_x", 5), SIGMA("sigma2_y", 5), SIGMA("sigma2_z", 0)),
    DRUA_ALIASES(
        "CLIJx differenceOfGaussianInplace3D: image, sigma1_x, sigma1_y, sigma1_z, sigma2_x, sigma2_y, sigma2_z"),
    .numeric = DRUA_DEVICE,
    .build = build_difference_in_place,
};

DRUA_OP(threshold_difference_of_gaussian) = {
    .name = "threshold_difference_of_gaussian",
    .category = "threshold",
    .summary = "Marks structures between two sizes: the difference of two Gaussians, then a threshold.",
    .source = "difference of Gaussians in float32, compared with the threshold",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "image to segment"), DRUA_IMAGE_OUT("destination", "mask"), SIGMA("sigma1", 2),
        SIGMA("sigma2", 10),
        DRUA_NUMBER("threshold", "limit of the difference", .unit = "grey value", .default_value = 100, .example = 5),
        DRUA_BOOLEAN("above", "marks pixels above the threshold; if off, marks the others", .default_value = 1)),
    DRUA_ALIASES("CLIJx thresholdDoG: source, &destination, sigma1, sigma2, threshold, above"),
    .numeric = DRUA_DEVICE,
    .build = build_threshold_dog,
};

DRUA_OP(local_extrema_box) = {
    .name = "local_extrema_box",
    .category = "filter",
    .summary = "Takes the smallest or the largest value in a box, whichever has the larger magnitude.",
    .source = "minimumBox, maximumBox, extrema",
    DRUA_PARAMS(SOURCE, RESULT, RADIUS("x"), RADIUS("y"), RADIUS("z")),
    DRUA_ALIASES("CLIJx localExtremaBox: source, &destination, radius_x, radius_y, radius_z"),
    .numeric = DRUA_EXACT,
    .build = build_local_extrema,
};

DRUA_OP(top_hat_octagon) = {
    .name = "top_hat_octagon",
    .category = "filter",
    .summary = "Removes background: subtracts an opening with an octagon.",
    .source = "minimumOctagon, maximumOctagon, difference",
    DRUA_PARAMS(SOURCE, RESULT,
                DRUA_INTEGER("steps", "radius of the octagon", .unit = "pixel", DRUA_RANGE(0, 1000),
                             .default_value = 10)),
    DRUA_ALIASES("CLIJx topHatOctagon: source, &destination, steps"),
    .numeric = DRUA_EXACT,
    .build = build_top_hat_octagon,
};

DRUA_OP(top_hat_octagon_slice_by_slice) = {
    .name = "top_hat_octagon_slice_by_slice",
    .category = "filter",
    .summary = "Removes background of each slice: subtracts an opening with a flat octagon.",
    .source = "minima, then maxima, alternately over eight and over four neighbours; difference",
    DRUA_PARAMS(SOURCE, RESULT,
                DRUA_INTEGER("steps", "radius of the octagon", .unit = "pixel", DRUA_RANGE(0, 1000),
                             .default_value = 10)),
    DRUA_ALIASES("CLIJx topHatOctagonSliceBySlice: source, &destination, steps"),
    .numeric = DRUA_EXACT,
    .build = build_top_hat_octagon_slices,
};
