/* SPDX-License-Identifier: BSD-3-Clause */
/* Background estimation with a wide Gaussian blur, in the source's type as in CLIJ2. */
#include "separable.h"

static drua_operand build_background(drua_plan *p)
{
    return CALL(p, "gaussian_blur", plan_type(p, "source"), plan_operand(p, "source"),
                NUMBER(plan_number(p, "sigma_x")), NUMBER(plan_number(p, "sigma_y")),
                NUMBER(plan_number(p, "sigma_z")));
}

static void launch_subtract(drua_plan *p)
{
    const separable_join join = {SEPARABLE_OTHER_LESS_RESULT, plan_image(p, "source"), plan_type(p, "source")};
    const double sigma[] = {plan_number(p, "sigma_x"), plan_number(p, "sigma_y"), plan_number(p, "sigma_z")};
    const separable filter = separable_gaussian(p, sigma, join.other);
    const drua_view to = plan_image(p, "destination");
    if (!plan_failed(p))
        separable_filter(p, &filter, join.other, to, &join);
}

static void build_divide(drua_plan *p)
{
    plan_return(p, "destination",
                CALL(p, "divide_images", plan_type(p, "destination"), plan_operand(p, "source"), build_background(p)));
}

#define SIGMAS DRUA_SIGMA("x", 10), DRUA_SIGMA("y", 10), DRUA_SIGMA("z", 0)

DRUA_OP(subtract_gaussian_background) = {
    .name = "subtract_gaussian_background",
    .category = "filter",
    .menu = true,
    .summary = "Subtracts a wide Gaussian of the image: evens out the background.",
    .source = "image minus gaussian_blur in its type",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"), SIGMAS),
    DRUA_ALIASES("CLIJx subtractBackground3D: source, &destination, sigma_x, sigma_y, sigma_z",
                 "CLIJx subtractBackground2D: source, &destination, sigma_x, sigma_y, sigma_z=0",
                 "CLIJx subtractGaussianBackground: source, &destination, sigma_x, sigma_y, sigma_z"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_EPILOGUE,
    .launch = launch_subtract,
    .parts = separable_gaussian_parts,
};

DRUA_OP(divide_by_gaussian_background) = {
    .name = "divide_by_gaussian_background",
    .category = "filter",
    .menu = true,
    .summary = "Divides by a wide Gaussian of the image: evens out the illumination.",
    .source = "image divided by gaussian_blur in its type",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"),
                DRUA_IMAGE_OUT("destination", "filtered image", .type = DRUA_FLOAT32), SIGMAS),
    DRUA_ALIASES("CLIJ2/CLIJx divideByGaussianBackground: source, &destination, sigma_x, sigma_y, sigma_z"),
    .numeric = DRUA_DEVICE,
    .build = build_divide,
};
