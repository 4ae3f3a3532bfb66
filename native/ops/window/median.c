/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

/* A box whose median has a network of its own. */
static const char *network(const int32_t r[3])
{
    if (r[0] == 1 && r[1] == 1)
        return r[2] == 0 ? "median_3x3" : r[2] == 1 ? "median_3x3x3" : NULL;
    return r[0] == 2 && r[1] == 2 && r[2] == 0 ? "median_5x5" : NULL;
}

static void median(drua_plan *p, bool sphere)
{
    drua_window w = window_of(p, sphere);
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout l = to.layout;
    int32_t *r = w.radius, lanes = WINDOW_LANES(p);
    drua_view keys = plan_scratch(p, window_padded(l, r, lanes), DRUA_UINT32);
    drua_grid grid = GRID((l.width + lanes - 1) / lanes, l.height, l.depth, 32, 4, 1);
    LAUNCH(p, "median_keys", plan_grid(keys.layout), ARG(from), ARG(keys), INT(r[0]), INT(r[1]), INT(r[2]));
    const char *kernel = sphere ? NULL : network(r);
    if (kernel)
        LAUNCH(p, kernel, grid, ARG(keys), ARG(to), INT(from.layout.type));
    else
        LAUNCH(p, "median_window", grid, ARG(keys), ARG(to), INT(from.layout.type), INT(r[0]), INT(r[1]), INT(r[2]),
               TABLE(w.chords, w.bytes), INT(w.pixels / 2));
}

static void plan_box(drua_plan *p) { median(p, false); }
static void plan_sphere(drua_plan *p) { median(p, true); }

static void plan_slices_median(drua_plan *p)
{
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "median_of_slices", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(to));
}

static void flat_shape(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->height, 1, 2};
}

#define MEDIAN_ALIASES(shape)                                                                                                    \
    DRUA_ALIASES("CLIJ2/CLIJx median2D" shape ": source, &destination, radius_x, radius_y, radius_z=0",                          \
                 "CLIJ2/CLIJx median3D" shape ": source, &destination, radius_x, radius_y, radius_z",                            \
                 "CLIJ2/CLIJx medianSliceBySlice" shape ": source, &destination, radius_x, radius_y, radius_z=0",                \
                 "CLIJ median2D" shape ": source, destination, radius_x, radius_y, radius_z=0",                                  \
                 "CLIJ median3D" shape ": source, destination, radius_x, radius_y, radius_z",                                    \
                 "CLIJ medianSliceBySlice" shape ": source, destination, radius_x, radius_y, radius_z=0")

const drua_op drua_op_median_box = {
    .name = "median_box",
    .category = "filter",
    .menu = true,
    .summary = "Takes the median of a box around each pixel: removes noise and keeps edges.",
    .source = "element n/2 of the sorted window, borders repeated",
    WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE),
    MEDIAN_ALIASES("Box"),
    .numeric = DRUA_EXACT,
    .plan = plan_box,
};

const drua_op drua_op_median_sphere = {
    .name = "median_sphere",
    .category = "filter",
    .menu = true,
    .summary = "Takes the median of an ellipsoid around each pixel: removes noise and keeps edges.",
    .source = "element n/2 of the sorted window, borders repeated",
    WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE),
    MEDIAN_ALIASES("Sphere"),
    .numeric = DRUA_EXACT,
    .plan = plan_sphere,
};

const drua_op drua_op_median_z_projection = {
    .name = "median_z_projection",
    .category = "projection",
    .menu = true,
    .summary = "Takes the median along z.",
    .source = "element n/2 of the sorted slices",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_IMAGE_OUT("destination", "projection", .shape = flat_shape)),
    DRUA_ALIASES("CLIJ2/CLIJx medianZProjection: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_slices_median,
};
