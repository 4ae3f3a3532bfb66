/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

#include <stdio.h>
#include <string.h>

typedef struct network {
    bool sphere;
    int32_t radius[3];
    const char *kernel;
    int slices;         /* that a work-item makes */
} network;

/* Windows whose median has a network of its own. */
static const network *network_of(bool sphere, const int32_t r[3])
{
    static const network networks[] = {
        {true, {1, 1, 0}, "median_disk_1", 1}, {true, {1, 1, 1}, "median_ball_1", 1}, {true, {2, 2, 0}, "median_disk_2", 1},
        {false, {1, 1, 0}, "median_3x3", 1},   {false, {2, 2, 0}, "median_5x5", 1},   {false, {1, 1, 1}, "median_3x3x3", 16},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        if (networks[i].sphere == sphere && !memcmp(networks[i].radius, r, sizeof networks[i].radius))
            return &networks[i];
    return NULL;
}

/* Boxes of 3 and 5 pixels an axis by kernels for GPUs that are compiled for a type. */
static bool special_median(drua_plan *p, const int32_t r[3], drua_view from, drua_view to)
{
    enum { LONG = 64, SHORT = 16 };
    const drua_layout l = to.layout;
    const int32_t type = from.layout.type, steps = l.depth < 4 * LONG ? SHORT : LONG;
    const bool floats = type == DRUA_FLOAT32, small = r[0] == 1, flat = r[2] == 0;
    char constants[80];
    if (type != (int32_t)l.type || r[0] < 1 || r[0] > 2 || r[1] != r[0] || (r[2] != r[0] && (small || !flat)))
        return false;
    const int length = snprintf(constants, sizeof constants, "ELEMENT=%s KEY=%s FLOATS=%d PAIRS=%d", window_element(from),
                                floats && small ? "float" : type == DRUA_UINT32 ? "uint" : "int", floats, window_in_vectors(from.layout, l, 2));
    drua_grid grid = GRID((l.width + 1) / 2, l.height, (l.depth + steps - 1) / steps, 32, 4, 1);
    if (small) {
        grid.effort = steps / 4;
        return LAUNCH_SPECIAL(p, "median_27", constants, grid, ARG(from), ARG(to), INT(steps));
    }
    const int32_t run = flat ? SHORT : steps;
    if (flat)
        grid = GRID((l.width + 1) / 2, (l.height + run - 1) / run, l.depth, 32, 4, 1);
    else
        grid = GRID(l.width, l.height, (l.depth + run - 1) / run, 32, 2, 1);
    grid.effort = flat ? run / 4 : 4 * run;
    snprintf(constants + length, sizeof constants - (size_t)length, " COUNT=%d", flat ? 25 : 125);
    return LAUNCH_SPECIAL(p, "median_5", constants, grid, ARG(from), ARG(to), INT(run));
}

static void median(drua_plan *p, bool sphere)
{
    drua_window w = window_of(p, sphere);
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout l = to.layout;
    int32_t *r = w.radius, lanes = plan_lanes(p);
    if (!sphere && special_median(p, r, from, to))
        return;
    const network *small = network_of(sphere, r);
    const int32_t slices = small ? small->slices : 1;
    drua_grid grid = GRID((l.width + lanes - 1) / lanes, l.height, (l.depth + slices - 1) / slices, 32, 4, 1);
    if (small) {
        LAUNCH(p, small->kernel, grid, ARG(from), ARG(to), INT(from.layout.type));
        return;
    }
    drua_view keys = plan_scratch(p, window_padded(l, r, lanes), DRUA_UINT32);
    LAUNCH(p, "median_keys", plan_grid(keys.layout), ARG(from), ARG(keys), INT(r[0]), INT(r[1]), INT(r[2]));
    LAUNCH(p, "median_window", grid, ARG(keys), ARG(to), INT(from.layout.type), INT(r[0]), INT(r[1]), INT(r[2]), TABLE(w.chords, w.bytes),
           INT(w.pixels / 2));
}

static void plan_box(drua_plan *p) { median(p, false); }
static void plan_sphere(drua_plan *p) { median(p, true); }

static void plan_slices_median(drua_plan *p)
{
    enum { COLUMNS = 8, DIGITS = 16, MOST_SLICES = 512, FEW_SLICES = 32 };      /* as in kernels/window/median_slices.cl */
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = to.layout;
    const bool fits = from.layout.depth >= FEW_SLICES && from.layout.depth <= MOST_SLICES;
    if (fits && plan_choose(p, "median_of_slices", drua_layout_count(&from.layout), 2, plan_device(p)->is_gpu))
        LAUNCH(p, "median_of_columns", GRID(l.width, (int64_t)l.height * DIGITS, 1, COLUMNS, DIGITS, 1), ARG(from), ARG(to));
    else
        LAUNCH(p, "median_of_slices", plan_grid(l), ARG(from), ARG(to));
}

static void flat_shape(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->height, 1, 2};
}

static void along_z(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[2] = -1;
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
    .parts = plan_parts_radii,
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
    .parts = plan_parts_radii,
};

const drua_op drua_op_median_z_projection = {
    .name = "median_z_projection",
    .category = "projection",
    .menu = true,
    .summary = "Makes one plane of a stack: the median along z.",
    .source = "element n/2 of the sorted slices",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_IMAGE_OUT("destination", "projection", .shape = flat_shape)),
    DRUA_ALIASES("CLIJ2/CLIJx medianZProjection: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_slices_median,
    .parts = along_z,
};
