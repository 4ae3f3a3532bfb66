/* SPDX-License-Identifier: BSD-3-Clause */
#include "separable.h"

static void filter_and_subtract(drua_plan *p, const separable_difference *two, drua_view narrow_from,
                                drua_view wide_from, drua_view to)
{
    const separable_join join = {SEPARABLE_OTHER_LESS_RESULT, separable_middle(p, narrow_from, two->type), two->type};
    separable_filter(p, two->narrow, narrow_from, join.other, NULL);
    separable_filter(p, two->wide, wide_from, to, &join);
}

/* Filters along x and y with one kernel for both blurs. Returns false if no such kernel is available. */
static bool filter_both(drua_plan *p, const separable_difference *two, drua_view from, drua_view to)
{
    if (!separable_fits_two(p, two, from, to))
        return false;
    if (two->narrow->radius[2] < 0)
        return separable_special_two(p, two, from, to, (drua_view){0});
    const drua_view a = separable_middle(p, from, DRUA_FLOAT32), b = separable_middle(p, from, DRUA_FLOAT32);
    if (plan_failed(p) || !separable_special_two(p, two, from, a, b))
        return false;
    if (!separable_special_two_z(p, two, a, b, to)) {
        const separable narrow_z = separable_axes(two->narrow, 2, 2), wide_z = separable_axes(two->wide, 2, 2);
        filter_and_subtract(p, &(separable_difference){&narrow_z, &wide_z, two->type}, a, b, to);
    }
    return true;
}

/* Both blurs have the source's type, as in CLIJ2. For a signed difference, the source must be float32. */
static void launch_difference_of_gaussian(drua_plan *p)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const double sigma[2][3] = {{plan_number(p, "sigma1_x"), plan_number(p, "sigma1_y"), plan_number(p, "sigma1_z")},
                                {plan_number(p, "sigma2_x"), plan_number(p, "sigma2_y"), plan_number(p, "sigma2_z")}};
    const separable narrow = separable_gaussian(p, sigma[0], from), wide = separable_gaussian(p, sigma[1], from);
    const separable_difference two = {&narrow, &wide, plan_type(p, "source")};
    if (!plan_failed(p) && !filter_both(p, &two, from, to))
        filter_and_subtract(p, &two, from, from, to);
}

static void parts_difference_of_gaussian(drua_plan *p, drua_parts *parts)
{
    static const char *const sigma[][2] = {
        {"sigma1_x", "sigma2_x"}, {"sigma1_y", "sigma2_y"}, {"sigma1_z", "sigma2_z"}};
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] =
            separable_gaussian_radius(fmax(plan_number(p, sigma[axis][0]), plan_number(p, sigma[axis][1])));
    parts->columns = true;
}

/* Runs one blur after the other if a tile with the borders of both does not fit the device. */
static void large_difference_of_gaussian(drua_plan *p)
{
    const drua_type type = plan_type(p, "source");
    const drua_operand source = plan_operand(p, "source");
    const drua_operand narrow = CALL(p, "gaussian_blur", type, source, NUMBER(plan_number(p, "sigma1_x")),
                                     NUMBER(plan_number(p, "sigma1_y")), NUMBER(plan_number(p, "sigma1_z")));
    const drua_operand wide = CALL(p, "gaussian_blur", type, source, NUMBER(plan_number(p, "sigma2_x")),
                                   NUMBER(plan_number(p, "sigma2_y")), NUMBER(plan_number(p, "sigma2_z")));
    if (!plan_failed(p))
        plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), narrow, wide));
}

#define SIGMA(name, doc, default_)                                                                                     \
    DRUA_NUMBER(name, doc, .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = default_)
#define SIGMAS(n, which, xy)                                                                                           \
    SIGMA("sigma" n "_x", which " along x", xy), SIGMA("sigma" n "_y", which " along y", xy),                          \
        SIGMA("sigma" n "_z", which " along z", 0)

DRUA_OP(difference_of_gaussian) = {
    .name = "difference_of_gaussian",
    .category = "filter",
    .menu = true,
    .summary =
        "Subtracts a wide Gaussian from a narrow one: keeps structures of one size, removes noise and background.",
    .source = "gaussian_blur twice, each in the source's type",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"),
                SIGMAS("1", "standard deviation of the narrow Gaussian", 2),
                SIGMAS("2", "standard deviation of the wide Gaussian", 10)),
    DRUA_ALIASES("CLIJ2/CLIJx differenceOfGaussian3D: source, &destination, sigma1_x, sigma1_y, sigma1_z, sigma2_x, "
                 "sigma2_y, sigma2_z",
                 "CLIJ2/CLIJx differenceOfGaussian2D: source, &destination, sigma1_x, sigma1_y, sigma1_z=0, sigma2_x, "
                 "sigma2_y, sigma2_z=0"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_PROLOGUE_FLOATS | DRUA_EPILOGUE,
    .launch = launch_difference_of_gaussian,
    .parts = parts_difference_of_gaussian,
    .build_large = large_difference_of_gaussian,
};
