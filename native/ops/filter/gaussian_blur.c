/* SPDX-License-Identifier: BSD-3-Clause */
#include "separable.h"

#include <stdlib.h>

enum { MOST_TAPS = DRUA_TABLE_BYTES / sizeof(float) };

static int radius_of(double sigma)
{
    int taps = (int)(8 * sigma);
    taps += taps % 2 == 0;
    return (taps - 1) / 2;
}

/* Weights in double, so that their sum is 1 to float32's last bit; returns the radius. */
static int make_weights(double sigma, float *weights)
{
    double half[MOST_TAPS / 2 + 1], sum = 0;
    const int radius = radius_of(sigma);
    for (int i = 0; i <= radius; i++)
        half[i] = exp(-(double)i * i / (2 * sigma * sigma));
    for (int i = -radius; i <= radius; i++)
        sum += half[abs(i)];
    for (int i = -radius; i <= radius; i++)
        weights[i + radius] = (float)(half[abs(i)] / sum);
    return radius;
}

static void blur_tiles(drua_plan *p, const double sigma[3], const int radius[3], separable_step s)
{
    float weights[MOST_TAPS];
    const int taps = 2 * (radius[0] + radius[1] + 1);
    make_weights(sigma[0], weights);
    make_weights(sigma[1], weights + 2 * radius[0] + 1);
    LAUNCH(p, "gaussian_tile", separable_tile_grid(s.to.layout), ARG(s.from), ARG(s.to), INT(radius[0]), INT(radius[1]),
           TABLE(weights, (size_t)taps * sizeof *weights));
}

static void blur_axis(drua_plan *p, double sigma, separable_step s)
{
    static separable_kernels kernels = {"gaussian_x", "gaussian_y", "gaussian_x_wide", "gaussian_y_wide"};
    float weights[MOST_TAPS];
    int radius = make_weights(sigma, weights);
    separable_pass pass = separable_plan(p, kernels, s.axis, s.from, s.to);
    LAUNCH(p, pass.kernel, pass.grid, ARG(pass.from), ARG(pass.to), INT(radius), TABLE(weights, (size_t)(2 * radius + 1) * sizeof *weights));
}

static void plan(drua_plan *p)
{
    double sigma[] = {plan_number(p, "sigma_x"), plan_number(p, "sigma_y"), plan_number(p, "sigma_z")};
    int radius[3];
    for (int axis = 0; axis < 3; axis++)
        radius[axis] = sigma[axis] > 0 ? radius_of(sigma[axis]) : -1;
    separable_step steps[3];
    const int count = separable_steps(p, "gaussian_tile", radius, DRUA_FLOAT32, plan_image(p, "source"), plan_image(p, "destination"), steps);
    for (int i = 0; i < count && !plan_failed(p); i++)
        if (steps[i].tile)
            blur_tiles(p, sigma, radius, steps[i]);
        else
            blur_axis(p, sigma[steps[i].axis], steps[i]);
}

static void parts(drua_plan *p, drua_parts *parts)
{
    static const char *const sigma[] = {"sigma_x", "sigma_y", "sigma_z"};
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = radius_of(plan_number(p, sigma[axis]));
}

#define SIGMA(axis) DRUA_NUMBER("sigma_" axis, "standard deviation along " axis, .unit = "pixel", DRUA_RANGE(0, 1000), .preset = 1)

const drua_op drua_op_gaussian_blur = {
    .name = "gaussian_blur",
    .category = "filter",
    .menu = true,
    .summary = "Smooths an image with a Gaussian; the usual first step against noise. Sigma 0 leaves an axis alone.",
    .source = "separable convolution; (int)(8 sigma) taps made odd, weights normalised, borders repeated",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to smooth"), DRUA_IMAGE_OUT("destination", "smoothed image"), SIGMA("x"), SIGMA("y"),
                DRUA_NUMBER("sigma_z", "standard deviation along z", .unit = "pixel", DRUA_RANGE(0, 1000), .preset = 0)),
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
                 "CLIJxt gaussianBlur3D: source, &destination, sigma_x, sigma_y, sigma_z, ~tile_width, ~tile_height, ~tile_depth, "
                 "~margin_width, ~margin_height, ~margin_depth"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_SNAP,
    .plan = plan,
    .parts = parts,
};
