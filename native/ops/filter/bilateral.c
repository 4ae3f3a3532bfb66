/* SPDX-License-Identifier: BSD-3-Clause */
/* Edge-preserving filters. */
#include "../window/window.h"

#include <float.h>

/* Sigma 0 is the limit of small sigmas: only pixels of equal value count. */
static double per_square(double factor, double sigma)
{
    return fmin(factor / (sigma * sigma), FLT_MAX);
}

typedef struct radii {
    int32_t of[3];
} radii;

static radii radii_of(drua_plan *p)
{
    return (radii){{(int32_t)plan_integer(p, "radius_x"), (int32_t)plan_integer(p, "radius_y"),
                    plan_shape(p, "source").depth > 1 ? (int32_t)plan_integer(p, "radius_z") : 0}};
}
#define RADII INT(r.of[0]), INT(r.of[1]), INT(r.of[2])

static int64_t pixels_of(radii r)
{
    return (2 * (int64_t)r.of[0] + 1) * (2 * (int64_t)r.of[1] + 1) * (2 * (int64_t)r.of[2] + 1);
}

static void launch_bilateral(drua_plan *p)
{
    const drua_view to = plan_image(p, "destination");
    const radii r = radii_of(p);
    LAUNCH(p, "bilateral", grid_of_turns(plan_grid_of_vectors(p, to.layout, 8), pixels_of(r)),
           ARG(window_taps(p, plan_image(p, "source"), to.layout, r.of)), ARG(to), RADII,
           REAL(per_square(0.5, plan_number(p, "sigma_intensity"))),
           REAL(per_square(0.5, plan_number(p, "sigma_space"))));
}

static void launch_likely_mean(drua_plan *p)
{
    const drua_view to = plan_image(p, "destination");
    const radii r = radii_of(p);
    const drua_view from = window_taps(p, plan_image(p, "source"), to.layout, r.of),
                    likely = window_taps(p, plan_image(p, "likely"), to.layout, r.of);
    LAUNCH(p, "differ", plan_grid_of_vectors(p, from.layout, 8), ARG(from), ARG(likely), ARG(likely));
    LAUNCH(p, "likely_mean", grid_of_turns(plan_grid_of_vectors(p, to.layout, 8), pixels_of(r)), ARG(from), ARG(likely),
           ARG(to), RADII, REAL(per_square(1, plan_number(p, "sigma"))));
}

static void build_non_local_means(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"), x = NUMBER((double)plan_integer(p, "radius_x")),
                 y = NUMBER((double)plan_integer(p, "radius_y")), z = NUMBER((double)plan_integer(p, "radius_z")),
                 mean = CALL(p, "mean_box", DRUA_FLOAT32, source, x, y, z);
    plan_return(p, "destination",
                CALL(p, "mean_box_of_likely", plan_type(p, "destination"), source, mean, x, y, z,
                     NUMBER(plan_number(p, "sigma"))));
}

#define SOURCE DRUA_IMAGE_IN("source", "image to smooth")
#define RESULT DRUA_IMAGE_OUT("destination", "smoothed image")
#define RADIUS(axis)                                                                                                   \
    DRUA_INTEGER("radius_" axis, "half width of the box along " axis, .unit = "pixel", DRUA_RANGE(0, 100),             \
                 .default_value = 2)
#define BOX RADIUS("x"), RADIUS("y"), RADIUS("z")
#define GREY(name, doc_, min) DRUA_NUMBER(name, doc_, .unit = "grey value", DRUA_RANGE(min, 1e30), .default_value = 10)
/*
 * Sigma must be greater than 0. At 0, only pixels nearest to the mean would count, so the last bit of the mean would
 * decide the result.
 */
#define SIGMA GREY("sigma", "difference that counts as small", 1e-6)

DRUA_OP(bilateral) = {
    .name = "bilateral",
    .category = "filter",
    .menu = true,
    .summary = "Smooths an image but keeps its edges: near pixels with similar grey values count most.",
    .source =
        "mean of a box with Gaussian weights of difference and distance (Tomasi and Manduchi 1998), borders repeated",
    DRUA_PARAMS(SOURCE, RESULT, BOX, GREY("sigma_intensity", "difference of grey values that counts as small", 0),
                DRUA_NUMBER("sigma_space", "distance that counts as small", .unit = "pixel", DRUA_RANGE(0, 1000),
                            .default_value = 2)),
    DRUA_ALIASES("CLIJx bilateral: source, &destination, radius_x, radius_y, radius_z, sigma_intensity, sigma_space"),
    .numeric = DRUA_DEVICE,
    .launch = launch_bilateral,
    .parts = plan_parts_radii,
};

DRUA_OP(mean_box_of_likely) = {
    .name = "mean_box_of_likely",
    .category = "filter",
    .summary = "Takes a weighted mean of a box: the more a pixel differs from a second image, the smaller its weight.",
    .source = "weights fall with the square of the difference as a Gaussian does, borders repeated",
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_IN("likely", "image of the expected grey values"), RESULT, BOX, SIGMA),
    .numeric = DRUA_DEVICE,
    .launch = launch_likely_mean,
    .parts = plan_parts_radii,
};

DRUA_OP(non_local_means) = {
    .name = "non_local_means",
    .category = "filter",
    .summary = "Smooths an image with small weights for pixels that differ much from the mean of the box around them.",
    .source =
        "mean of a box, weights exp(-d d / sigma / sigma) with the difference d of a pixel from its own box's mean",
    DRUA_PARAMS(SOURCE, RESULT, BOX, SIGMA),
    DRUA_ALIASES("CLIJx nonLocalMeans: source, &destination, radius_x, radius_y, radius_z, sigma"),
    .numeric = DRUA_DEVICE,
    .build = build_non_local_means,
};
