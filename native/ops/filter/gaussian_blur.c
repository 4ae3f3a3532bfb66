/* SPDX-License-Identifier: BSD-3-Clause */
#include "gaussian_weights.h"
#include "separable.h"

extern const drua_op drua_op_gaussian_blur;

int separable_gaussian_radius(double sigma)
{
    int taps = (int)(8 * sigma);
    taps += taps % 2 == 0;
    return (taps - 1) / 2;
}

/*
 * Upper bound on the rounding error of flat images: it assumes that every axis has as many weights as the longest one.
 */
static double rounding_bound(const double sigma[3])
{
    const int radius = separable_gaussian_radius(fmax(sigma[0], fmax(sigma[1], sigma[2])));
    return 3 * (1 + 1.25 * sqrt(2 * radius + 1));
}

separable separable_gaussian(drua_plan *p, const double sigma[3], drua_view from)
{
    separable filter = {.kind = SEPARABLE_GAUSSIAN, .divisor = rounding_bound(sigma), .sums = DRUA_FLOAT32};
    for (int axis = 0; axis < 3; axis++) {
        const int radius = sigma[axis] > 0 && from.layout.extent[axis] > 1 ? separable_gaussian_radius(sigma[axis]) : 0;
        filter.radius[axis] = radius > 0 ? radius : -1;
        const bool same = axis > 0 && radius > 0 && filter.radius[axis - 1] == radius && sigma[axis - 1] == sigma[axis];
        filter.weights[axis] = same         ? filter.weights[axis - 1]
                               : radius > 0 ? plan_host_memory(p, (size_t)(2 * radius + 1) * sizeof **filter.weights)
                                            : NULL;
        if (filter.weights[axis] && !same)
            gaussian_weights(sigma[axis], radius, filter.weights[axis]);
    }
    return filter;
}

static void launch_gaussian_blur(drua_plan *p)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const double *const whole_sigma = plan_state(p);
    separable filter = separable_gaussian(
        p, (double[]){plan_number(p, "sigma_x"), plan_number(p, "sigma_y"), plan_number(p, "sigma_z")}, from);
    if (whole_sigma)
        filter.divisor = rounding_bound(whole_sigma);
    if (!plan_failed(p))
        separable_filter(p, &filter, from, to, NULL);
}

void separable_gaussian_parts(drua_plan *p, drua_parts *parts)
{
    static const char *const sigma[] = {"sigma_x", "sigma_y", "sigma_z"};
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = separable_gaussian_radius(plan_number(p, sigma[axis]));
    parts->columns = true;
}

/*
 * Splits the filter by axes if a tile with its borders is too large. Planes are filtered first, then z; within planes,
 * x first, then y.
 */
static void large_gaussian_blur(drua_plan *p)
{
    const double x = plan_number(p, "sigma_x"), y = plan_number(p, "sigma_y"), z = plan_number(p, "sigma_z");
    const drua_shape from = plan_shape(p, "source"), to = plan_shape(p, "destination");
    if ((x > 0) + (y > 0) + (z > 0) < 2 || from.width != to.width || from.height != to.height ||
        from.depth != to.depth) {
        plan_fail_memory(p, "the slices that one slice of the result needs do not fit the device's memory; choose a "
                            "smaller sigma, or allow more with DRUA_MEMORY");
        return;
    }
    const double rest = z > 0 ? 0 : y;
    drua_operand first =
        CALL(p, "gaussian_blur", DRUA_FLOAT32, plan_operand(p, "source"), NUMBER(x), NUMBER(y - rest), NUMBER(0));
    if (plan_failed(p))
        return;
    double sigma[] = {x, y, z}; /* the second call rounds as the complete filter does */
    plan_return(p, "destination", plan_call_private(p, &drua_op_gaussian_blur, sigma, plan_type(p, "destination"),
                                                    (drua_operand[]){first, NUMBER(0), NUMBER(rest), NUMBER(z)}, 4));
}

DRUA_OP(gaussian_blur) = {
    .name = "gaussian_blur",
    .category = "filter",
    .menu = true,
    .summary = "Smooths an image with a Gaussian; the usual first step against noise. Sigma 0 leaves an axis alone.",
    .source = "separable convolution; (int)(8 sigma) taps made odd, weights normalised, borders repeated",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to smooth"), DRUA_IMAGE_OUT("destination", "smoothed image"),
                DRUA_SIGMA("x", 1), DRUA_SIGMA("y", 1), DRUA_SIGMA("z", 0)),
    DRUA_ALIASES("CLIJ2/CLIJx gaussianBlur3D: source, &destination, sigma_x, sigma_y, sigma_z",
                 "CLIJ2/CLIJx gaussianBlur2D: source, &destination, sigma_x, sigma_y, sigma_z=0",
                 "CLIJ2/CLIJx blur3D: source, &destination, sigma_x, sigma_y, sigma_z",
                 "CLIJ2/CLIJx blur2D: source, &destination, sigma_x, sigma_y, sigma_z=0",
                 "CLIJ2/CLIJx blur3DSliceBySlice: source, &destination, sigma_x, sigma_y, sigma_z=0",
                 "CLIJ blur3D: source, destination, sigma_x, sigma_y, sigma_z",
                 "CLIJx blurBuffers3D: source, &destination, sigma_x, sigma_y, sigma_z",
                 "CLIJx blurImages3D: source, &destination, sigma_x, sigma_y, sigma_z",
                 "CLIJx blurSliceBySlice: source, &destination, sigma_x, sigma_y, sigma_z=0",
                 "CLIJ blur3DFast: source, destination, sigma_x, sigma_y, sigma_z",
                 "CLIJ blur2D: source, destination, sigma_x, sigma_y, sigma_z=0",
                 "CLIJ blur3DSliceBySlice: source, destination, sigma_x, sigma_y, sigma_z=0",
                 "CLIJxt gaussianBlur3D: source, &destination, sigma_x, sigma_y, sigma_z, ~tile_width, ~tile_height, "
                 "~tile_depth, "
                 "~margin_width, ~margin_height, ~margin_depth"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_PROLOGUE_FLOATS | DRUA_EPILOGUE,
    .launch = launch_gaussian_blur,
    .parts = separable_gaussian_parts,
    .build_large = large_gaussian_blur,
};
