/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups radial and rim of measure_labels: statistics of shells, of rims and of rings around labels. */
#include "measure_labels.h"

#include "cells_on_host.h"

#define SHELL(number) "RADIAL_SHARE_" #number, "RADIAL_MEAN_" #number

enum { MAX_SHELLS = 16 };

static const char *const of_shells[2 * MAX_SHELLS + 1] = {
    SHELL(1), SHELL(2),  SHELL(3),  SHELL(4),  SHELL(5),  SHELL(6),  SHELL(7),  SHELL(8),
    SHELL(9), SHELL(10), SHELL(11), SHELL(12), SHELL(13), SHELL(14), SHELL(15), SHELL(16)};
static const char *const of_rims[] = {"RIM_PIXELS", "RIM_MEAN_INTENSITY", "RING_PIXELS", "RING_MEAN_INTENSITY", NULL};

/* ---- on the host, for devices without double precision */

#include "../../../kernels/labels/rims_cells.cl"

/* ---- statistics of a map of parts */

/* Columns of statistics_of_labelled_pixels: on the device or, without doubles, on the host. */
typedef struct columns {
    drua_view on_device;
    double *on_host;
} columns;

/* Measures the intensities of labels `first` to `first` + count - 1 of a map. */
static void measure_map(drua_plan *p, const measure_part *part, drua_view map, uint32_t first, uint32_t count,
                        const columns *to)
{
    drua_label_table table =
        statistics_extents(p, map, part->intensity, first, first + (count - 1), EXTENTS_INTENSITIES);
    statistics_values(p, &table, VALUES_SUM);
    if (part->cells.buffer) {
        const drua_view centres = plan_scratch_bytes(p, (uint64_t)count * STATISTICS_CENTRE_ROW * sizeof(float));
        LAUNCH(p, "statistics_columns", LINE(count, 64), POINTER(table.rows), INT(part->intensity.layout.type),
               POINTER(to->on_device), POINTER(centres), INT(first), INT(count));
        plan_free_scratch(p, centres);
    } else if (to->on_host) {
        statistics_cells(p, &table, to->on_host);
    }
    statistics_drop(p, &table);
}

static columns make_columns(drua_plan *p, const measure_part *part, uint64_t count)
{
    const uint64_t bytes = count * STATISTICS_COLUMNS * sizeof(double);
    columns c = {.on_host = NULL};
    if (part->cells.buffer)
        c.on_device = plan_scratch_bytes(p, bytes);
    else
        c.on_host = plan_host_memory(p, bytes);
    return c;
}

static void drop_columns(drua_plan *p, const measure_part *part, const columns *c)
{
    if (part->cells.buffer)
        plan_free_scratch(p, c->on_device);
}

static drua_view make_map(drua_plan *p, const measure_part *part)
{
    const drua_layout l = part->labels.layout;
    return plan_scratch(p, (drua_shape){l.width, l.height, l.depth, l.depth > 1 ? 3 : 2}, DRUA_UINT32);
}

/* ---- radial */

static int radial_columns(drua_plan *p)
{
    return 2 * (int)plan_setting(p, "options", "shells");
}

/* Fills the columns for as many labels at a time as there is memory for the statistics of their shells. */
static void fill_radial_columns(drua_plan *p, const measure_part *part, int width)
{
    const int shells = width / 2;
    const drua_grid grid = plan_grid(part->labels.layout);
    const drua_view map = make_map(p, part);
    const uint32_t possible = UINT32_MAX / MAX_SHELLS - 1, wanted = part->count < possible ? part->count : possible,
                   room = statistics_at_once(p, 1, wanted * (uint32_t)shells) / (uint32_t)shells,
                   at_once = room > 0 ? room : 1;
    const columns found = make_columns(p, part, (uint64_t)at_once * (uint64_t)shells);
    LAUNCH(p, "radial_shells", grid, ARG(part->labels), INT(part->first), INT(part->first + (part->count - 1)),
           POINTER(part->squares), POINTER(part->longest), INT(shells), ARG(map));
    for (uint32_t from = 0, count; from < part->count && !plan_failed(p); from += count) {
        count = at_once < part->count - from ? at_once : part->count - from;
        measure_map(p, part, map, from * (uint32_t)shells + 1, count * (uint32_t)shells, &found);
        if (part->cells.buffer)
            LAUNCH(p, "radial_columns", LINE(count, 64), POINTER(found.on_device), INT(shells), INT(from), INT(count),
                   POINTER(part->cells), INT(part->columns), INT(part->column));
        for (size_t i = 0; !part->cells.buffer && i < count && !plan_failed(p); i++)
            fill_radial(found.on_host + i * (size_t)shells * STATISTICS_COLUMNS, STATISTICS_COLUMNS, shells,
                        part->host_cells + (from + i) * (size_t)part->columns + part->column);
    }
    drop_columns(p, part, &found);
    plan_free_scratch(p, map);
}

/* ---- rim */

/*
 * Returns the limit for squared distances: a little more than the square of `pixels` pixels, because the square of a
 * distance of exactly that length may be rounded up.
 */
static double limit_of(const measure_part *part, int pixels)
{
    return pixels * part->size[0] * pixels * part->size[0] * (1 + 1e-5);
}

/*
 * Fills a map of rings: background pixels within `pixels` pixels of a label get the nearest label. Searches one axis
 * after another.
 */
static void find_rings(drua_plan *p, const measure_part *part, int pixels, drua_view map)
{
    const drua_layout l = part->labels.layout;
    const drua_grid grid = plan_grid(l);
    const uint64_t bytes = (uint64_t)drua_layout_count(&l) * 4;
    const double limit = limit_of(part, pixels);
    drua_view squares = plan_scratch_bytes(p, bytes), nearest = plan_scratch_bytes(p, bytes),
              other_squares = plan_scratch_bytes(p, bytes), other_nearest = plan_scratch_bytes(p, bytes);
    LAUNCH(p, "ring_x", grid, ARG(part->labels), REAL(part->size[0] * part->size[0]), INT(pixels), POINTER(squares),
           POINTER(nearest));
    for (int axis = 1; axis < (part->flat ? 2 : 3); axis++) {
        const double reach = sqrt(limit) / part->size[axis];
        const int32_t extent = axis == 1 ? l.height : l.depth;
        LAUNCH(p, "ring_next", grid, ARG(part->labels), POINTER(squares), POINTER(nearest),
               REAL(part->size[axis] * part->size[axis]), INT(reach < extent ? (int32_t)reach : extent), INT(axis),
               POINTER(other_squares), POINTER(other_nearest));
        const drua_view swap[2] = {squares, nearest};
        squares = other_squares;
        nearest = other_nearest;
        other_squares = swap[0];
        other_nearest = swap[1];
    }
    LAUNCH(p, "ring_around", grid, ARG(part->labels), POINTER(squares), POINTER(nearest), REAL(limit), ARG(map));
    plan_free_scratch(p, other_nearest);
    plan_free_scratch(p, other_squares);
    plan_free_scratch(p, nearest);
    plan_free_scratch(p, squares);
}

static void fill_rim_columns(drua_plan *p, const measure_part *part, int width)
{
    enum { PARTS = 2, PART_COLUMNS = 2 };
    const int pixels = (int)plan_setting(p, "options", "rim_width");
    const drua_view map = make_map(p, part);
    const columns found = make_columns(p, part, part->count);
    uint32_t *rows = NULL;
    if (!part->cells.buffer) {
        rows = plan_host_memory(p, (uint64_t)part->count * STATISTICS_ROW * sizeof *rows);
        plan_read(p, part->table.rows, rows, (uint64_t)part->count * STATISTICS_ROW * sizeof *rows);
    }
    for (int which = 0; which < PARTS; which++) {
        const int column = part->column + which * PART_COLUMNS;
        if (which == 0)
            LAUNCH(p, "rim_inside", plan_grid(part->labels.layout), ARG(part->labels), POINTER(part->squares),
                   REAL(limit_of(part, pixels)), ARG(map));
        else
            find_rings(p, part, pixels, map);
        measure_map(p, part, map, part->first, part->count, &found);
        if (part->cells.buffer)
            LAUNCH(p, "rim_columns", LINE(part->count, 64), POINTER(found.on_device), POINTER(part->table.rows),
                   INT(part->count), POINTER(part->cells), INT(part->columns), INT(column));
        for (size_t i = 0; !part->cells.buffer && i < part->count && !plan_failed(p); i++)
            fill_rim(found.on_host + i * STATISTICS_COLUMNS, pixels_of(rows + i * STATISTICS_ROW) > 0,
                     part->host_cells + i * (size_t)part->columns + column);
    }
    drop_columns(p, part, &found);
    plan_free_scratch(p, map);
    (void)width;
}

const measure_group measure_radial = {.name = "radial",
                                      .headings = {of_shells, of_shells},
                                      .fill = fill_radial_columns,
                                      .columns = radial_columns,
                                      .distances = true};
const measure_group measure_rim = {
    .name = "rim", .headings = {of_rims, of_rims}, .fill = fill_rim_columns, .distances = true};
