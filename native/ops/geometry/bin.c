/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduces an image: each pixel of the result represents a box of pixels, as in the levels of an image pyramid. */
#include "plan.h"

static void read_factors(drua_plan *p, int64_t factor[3])
{
    static const char *const names[] = {"bin_x", "bin_y", "bin_z"};
    for (int k = 0; k < 3; k++)
        factor[k] = plan_integer(p, names[k]);
}

static void binned_shape(drua_plan *p, drua_shape *shape)
{
    int64_t factor[3];
    read_factors(p, factor);
    for (int k = 0; k < 3; k++)
        shape->extent[k] = factor[k] > 0 ? (shape->extent[k] + factor[k] - 1) / factor[k] : shape->extent[k];
}

static void launch_bins(drua_plan *p, const char *kernel, bool in_rows)
{
    enum { OF_ITEM = 256 }; /* as in kernels/geometry/bin_rows.cl */
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = to.layout;
    int64_t factor[3];
    read_factors(p, factor);
    const drua_grid grid =
        in_rows ? GRID(((int64_t)l.width + OF_ITEM - 1) / OF_ITEM, l.height, l.depth, 1, 1, 1) : plan_grid(l);
    if (plan_is_beyond_source(p, factor))
        plan_clear(p, to);
    else
        LAUNCH(p, kernel, grid, ARG(from), ARG(to), INT(factor[0]), INT(factor[1]), INT(factor[2]));
}

static void bin_mean(drua_plan *p)
{
    const bool in_rows = !plan_device(p)->is_gpu && plan_type(p, "source") == plan_type(p, "destination");
    launch_bins(p, in_rows ? "bin_mean_rows" : "bin_mean", in_rows);
}

static void bin_mode(drua_plan *p)
{
    launch_bins(p, "bin_mode", false);
}

static void region_read_by_bin(drua_plan *p, const drua_box *made, drua_box *read)
{
    int64_t factor[3];
    read_factors(p, factor);
    *read = *made;
    for (int axis = 0; axis < 3; axis++)
        read->first[axis] *= factor[axis], read->end[axis] *= factor[axis];
}

static void steps_of_bins(drua_plan *p, double steps[3][3])
{
    int64_t factor[3];
    read_factors(p, factor);
    for (int k = 0; k < 3; k++)
        steps[k][k] = (double)factor[k];
}

static void place_of_bins(drua_plan *p, double first[3])
{
    int64_t factor[3];
    read_factors(p, factor);
    for (int k = 0; k < 3; k++)
        first[k] = ((double)factor[k] - 1) / 2;
}

#define BIN(axis, max)                                                                                                 \
    DRUA_INTEGER("bin_" axis, "pixels along " axis " that become one", DRUA_RANGE(1, max), .default_value = 2)
#define BINNED                                                                                                         \
    DRUA_IMAGE_OUT("destination", "smaller image; its last pixels represent the remaining pixels",                     \
                   .shape = binned_shape)

DRUA_OP(bin_mean) = {
    .name = "bin_mean",
    .category = "geometry",
    .summary = "Shrinks an image: each box of pixels becomes one pixel, their mean. Integer images get the nearest "
               "integer, as in the levels of a pyramid.",
    .source = "mean over the pixels of each box, added one after the other",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to shrink"), BINNED, BIN("x", 64), BIN("y", 64), BIN("z", 64)),
    .numeric = DRUA_DEVICE,
    .launch = bin_mean,
    .region = region_read_by_bin,
    .steps = steps_of_bins,
    .place = place_of_bins,
};

DRUA_OP(bin_mode) = {
    .name = "bin_mode",
    .category = "geometry",
    .summary = "Shrinks a label map: each box of pixels becomes one pixel with the most frequent label, or the "
               "smallest of equally frequent labels.",
    .source = "the most frequent value in each box",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map to shrink"), BINNED, BIN("x", 8), BIN("y", 8), BIN("z", 8)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_KEEPS_LABELS,
    .launch = bin_mode,
    .region = region_read_by_bin,
    .steps = steps_of_bins,
    .place = place_of_bins,
};
