/* SPDX-License-Identifier: BSD-3-Clause */
#include "window.h"

#include "../filter/separable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct network {
    bool sphere;
    int32_t radius[3];
    const char *kernel;
    int slices;         /* slices that a work-item computes */
} network;

/* Returns the sorting network for the median of a window, if there is one. */
static const network *network_of(bool sphere, const int32_t r[3])
{
    static const network networks[] = {
        {true, {1, 1, 0}, "median_disk_1", 1}, {true, {1, 1, 1}, "median_ball_1", 1},
        {true, {2, 2, 0}, "median_disk_2", 1}, {true, {3, 3, 0}, "median_disk_3", 1},
        {true, {2, 2, 2}, "median_ball_2", 1}, {false, {1, 1, 0}, "median_3x3", 1},
        {false, {2, 2, 0}, "median_5x5", 1},   {false, {1, 1, 1}, "median_3x3x3", 16},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        if (networks[i].sphere == sphere && !memcmp(networks[i].radius, r, sizeof networks[i].radius))
            return &networks[i];
    return NULL;
}

/* Median over boxes of 3 or 5 pixels along x and y, flat or cubic, with GPU kernels that are compiled for a type. */
static bool special_median(drua_plan *p, const int32_t r[3], drua_view from, drua_view to)
{
    typedef struct special {
        const char *kernel;
        int32_t radius, radius_z, wide, rows, slices, group_y;     /* of a work-item and a group */
    } special;
    static const special specials[] = {{"median_9", 1, 0, 4, 16, 1, 4},
                                       {"median_27", 1, 1, 2, 1, 32, 4},
                                       {"median_5", 2, 0, 2, 16, 1, 4},
                                       {"median_5", 2, 2, 1, 1, 64, 2}};
    const drua_layout l = to.layout;
    const special *s = specials, *end = specials + sizeof specials / sizeof *specials;
    while (s < end && (s->radius != r[0] || s->radius != r[1] || s->radius_z != r[2]))
        s++;
    if (s == end || from.layout.type != l.type)
        return false;
    const int32_t slices = l.depth < 4 * s->slices && s->slices > 1 ? 16 : s->slices, steps = slices * s->rows;
    char constants[120];
    snprintf(constants, sizeof constants, "ELEMENT=%s KEY=%s FLOATS=%d PAIRS=%d ALIGNED=%d WHOLE=%d COUNT=%d",
             window_element(from), l.type == DRUA_UINT32 ? "uint" : "int", l.type == DRUA_FLOAT32,
             window_in_vectors(from.layout, l, 2), window_in_vectors(from.layout, l, 4), l.width % 4 == 0,
             s->radius_z ? 125 : 25);
    drua_grid grid = GRID((l.width + s->wide - 1) / s->wide, (l.height + s->rows - 1) / s->rows,
                          (l.depth + slices - 1) / slices, 32, s->group_y, 1);
    grid.effort = (int64_t)steps * s->radius * s->radius * s->radius / 2;
    const drua_specialized kernel = {.kernel = s->kernel, .constants = constants};
    return LAUNCH_SPECIALIZED(p, &kernel, grid, ARG(from), ARG(to), INT(steps));
}

/*
 * Median over windows of few pixels, with a GPU kernel that is compiled for the window and type. The smallest networks
 * process vectors instead, which is faster.
 */
static bool median_of_few(drua_plan *p, drua_window w, bool has_network, drua_view from, drua_view to)
{
    enum { MIN_KEYS = 13, FEW = 33, TEXT = 1200 };
    const int32_t *r = w.radius;
    const drua_layout l = to.layout;
    char text[TEXT];
    if (w.pixels == 1 || w.pixels > FEW || (has_network && w.pixels < MIN_KEYS) || from.layout.type != l.type)
        return false;
    int length = snprintf(text, TEXT, "ELEMENT=%s KEY=%s FLOATS=%d COUNT=%d REACH_X=%d WINDOW=", window_element(from),
                          l.type == DRUA_UINT32 ? "uint" : "int", l.type == DRUA_FLOAT32, (int)w.pixels, r[0]);
    for (int32_t dz = -r[2], first = 0; dz <= r[2]; dz++)
        for (int32_t dy = -r[1]; dy <= r[1]; dy++) {
            const int32_t half = w.chords[abs(dz) * (r[1] + 1) + abs(dy)];
            if (half < 0)
                continue;
            length += snprintf(text + length, (size_t)(TEXT - length), "CHORD(%d,%d,%d,%d)", first, half, dy, dz);
            first += 2 * half + 1;
        }
    drua_grid grid = GRID(l.width, l.height, l.depth, 32, 4, 1);
    grid.effort = w.pixels / 4;
    const drua_specialized kernel = {.kernel = "median_few", .constants = text};
    return LAUNCH_SPECIALIZED(p, &kernel, grid, ARG(from), ARG(to));
}

/*
 * Median over windows of many pixels, in tiles that a work-group computes together (kernels/window/median_tile.cl).
 * Returns false if tiles are impossible or not faster. For flat windows, y and z are exchanged, so that a tile has one
 * slice.
 */
static bool median_by_tiles(drua_plan *p, drua_window w, drua_view from, drua_view to)
{
    enum {
        WIDE = 16,
        LANES = 256,
        COLUMN = 4,
        REACH = 15,
        REGION_ROWS = 1444,
        REGION_HALVES = 324,
        MANY = 300,
        MANY_BYTES = 450
    };
    const bool flat = w.radius[2] == 0;
    const int32_t r[3] = {w.radius[0], flat ? 0 : w.radius[1], flat ? w.radius[1] : w.radius[2]};
    const int32_t lines = flat ? 1 : 8, slices = LANES / WIDE / lines * COLUMN;
    if (!plan_device(p)->is_gpu || r[0] > REACH || (lines + 2 * r[1]) * (slices + 2 * r[2]) > REGION_ROWS ||
        (r[1] + 2) * (r[2] + 2) > REGION_HALVES)
        return false;
    const bool is_byte = from.layout.type == DRUA_UINT8 || from.layout.type == DRUA_INT8;
    char kind[40];
    snprintf(kind, sizeof kind, "median:%d,%d,%d:%d", w.radius[0], w.radius[1], w.radius[2], from.layout.type);
    const bool preset = w.pixels >= (is_byte ? MANY_BYTES : MANY);
    if (!plan_choose_variant(p, kind, drua_layout_count(&to.layout), 2, preset,
                             (const char *const[]){preset ? "median_tile" : "median_window",
                                                   preset ? "median_window" : "median_tile", NULL}))
        return false;
    if (flat) {
        from = separable_exchange(from);
        to = separable_exchange(to);
    }
    const drua_layout l = to.layout;
    const drua_view keys = window_keys(p, from, window_padded(l, r, 1), r);
    drua_grid grid = GRID(l.width, l.height, (l.depth + COLUMN - 1) / COLUMN, WIDE, lines, slices / COLUMN);
    grid.effort = 64 * COLUMN;
    LAUNCH(p, "median_tile", grid, ARG(keys), ARG(to), INT(from.layout.type), INT(r[0]), INT(r[1]), INT(r[2]),
           TABLE(w.chords, w.bytes), INT(w.pixels / 2), INT(w.pixels));
    return true;
}

static void plan_median(drua_plan *p, bool sphere)
{
    drua_window w = window_of(p, sphere);
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout l = to.layout;
    int32_t *r = w.radius, lanes = plan_lanes(p);
    const network *small = network_of(sphere, r);
    if ((!sphere && special_median(p, r, from, to)) || median_of_few(p, w, small != NULL, from, to))
        return;
    const int32_t slices = small ? small->slices : 1;
    drua_grid grid = GRID((l.width + lanes - 1) / lanes, l.height, (l.depth + slices - 1) / slices, 32, 4, 1);
    if (small) {
        LAUNCH(p, small->kernel, grid, ARG(from), ARG(to), INT(from.layout.type));
        return;
    }
    if (median_by_tiles(p, w, from, to))
        return;
    const drua_view keys = window_keys(p, from, window_padded(l, r, lanes), r);
    LAUNCH(p, "median_window", grid_of_turns(grid, w.pixels), ARG(keys), ARG(to), INT(from.layout.type), INT(r[0]),
           INT(r[1]), INT(r[2]), TABLE(w.chords, w.bytes), INT(w.pixels / 2));
}

static void launch_box(drua_plan *p)
{
    plan_median(p, false);
}
static void launch_sphere(drua_plan *p)
{
    plan_median(p, true);
}

static void launch_slices_median(drua_plan *p)
{
    enum { COLUMNS = 8, DIGITS = 16, MAX_SLICES = 512, FEW_SLICES = 32 }; /* as in kernels/window/median_slices.cl */
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = to.layout;
    const bool fits = from.layout.depth >= FEW_SLICES && from.layout.depth <= MAX_SLICES;
    if (fits && plan_choose_variant(p, "median_of_slices", drua_layout_count(&from.layout), 2, plan_device(p)->is_gpu,
                                    (const char *const[]){"median_of_columns", "median_of_slices", NULL}))
        LAUNCH(p, "median_of_columns", GRID(l.width, (int64_t)l.height * DIGITS, 1, COLUMNS, DIGITS, 1), ARG(from),
               ARG(to));
    else if (plan_device(p)->is_gpu)
        LAUNCH(p, "median_of_slices", plan_grid(l), ARG(from), ARG(to));
    else
        LAUNCH(p, "median_of_slice_rows",
               grid_of_turns(GRID((l.width + plan_lanes(p) - 1) / plan_lanes(p), l.height, 1, 32, 4, 1),
                             from.layout.depth),
               ARG(from), ARG(to));
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

#define MEDIAN_ALIASES(shape, ...)                                                                                     \
    DRUA_ALIASES(__VA_ARGS__ "CLIJ2/CLIJx median2D" shape ": source, &destination, radius_x, radius_y, radius_z=0",    \
                 "CLIJ2/CLIJx median3D" shape ": source, &destination, radius_x, radius_y, radius_z",                  \
                 "CLIJ2/CLIJx medianSliceBySlice" shape ": source, &destination, radius_x, radius_y, radius_z=0",      \
                 "CLIJ median2D" shape ": source, destination, radius_x, radius_y, radius_z=0",                        \
                 "CLIJ median3D" shape ": source, destination, radius_x, radius_y, radius_z",                          \
                 "CLIJ medianSliceBySlice" shape ": source, destination, radius_x, radius_y, radius_z=0")

DRUA_OP(median_box) = {
    .name = "median_box",
    .category = "filter",
    .menu = true,
    .summary = "Takes the median of a box around each pixel: removes noise and keeps edges.",
    .source = "element n/2 of the sorted window, borders repeated",
    WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE),
    MEDIAN_ALIASES("Box", "CLIJx imageJ2MedianBox: source, &destination, radius_x, radius_y, radius_z",
                   "CLIJx simpleITKMedian: source, &destination, radius_x, radius_y, radius_z", ),
    .numeric = DRUA_EXACT,
    .traits = DRUA_PROLOGUE | DRUA_EPILOGUE,
    .launch = launch_box,
    .parts = plan_parts_radii,
};

DRUA_OP(median_sphere) = {
    .name = "median_sphere",
    .category = "filter",
    .menu = true,
    .summary = "Takes the median of an ellipsoid around each pixel: removes noise and keeps edges.",
    .source = "element n/2 of the sorted window, borders repeated",
    WINDOW_PARAMS(.type = DRUA_TYPE_OF_SOURCE),
    MEDIAN_ALIASES("Sphere", ),
    .numeric = DRUA_EXACT,
    .traits = DRUA_EPILOGUE,
    .launch = launch_sphere,
    .parts = plan_parts_radii,
};

DRUA_OP(median_z_projection) = {
    .name = "median_z_projection",
    .category = "projection",
    .menu = true,
    .summary = "Makes one plane of a stack: the median along z.",
    .source = "element n/2 of the sorted slices",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_IMAGE_OUT("destination", "projection", .shape = flat_shape)),
    DRUA_ALIASES("CLIJ2/CLIJx medianZProjection: source, &destination",
                 "CLIJx simpleITKMedianProjection: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_slices_median,
    .parts = along_z,
    .steps = plan_same_voxels,
    .place = plan_same_place,
};
