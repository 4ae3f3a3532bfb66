/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups hull and feret of measure_labels. */
#include "measure_hull.h"

#include "cells_on_host.h"

/* In the order in which hull_columns.cl and hull_volume.cl in kernels/labels fill the columns. */
static const char *const hull_of_plane[] = {"HULL_AREA", "HULL_PERIMETER", "CONVEX_AREA",
                                            "SOLIDITY",  "CONVEXITY",      NULL};
static const char *const hull_of_stack[] = {"HULL_VOLUME", "HULL_SURFACE_AREA", "CONVEX_VOLUME",
                                            "SOLIDITY",    "CONVEXITY",         NULL};
static const char *const feret_of_plane[] = {"FERET_MAX",
                                             "FERET_MAX_ANGLE",
                                             "FERET_MAX_X1",
                                             "FERET_MAX_Y1",
                                             "FERET_MAX_X2",
                                             "FERET_MAX_Y2",
                                             "FERET_MIN",
                                             "FERET_MIN_ANGLE",
                                             "FERET_MIN_X1",
                                             "FERET_MIN_Y1",
                                             "FERET_MIN_X2",
                                             "FERET_MIN_Y2",
                                             "ORIENTED_BOX_CENTER_X",
                                             "ORIENTED_BOX_CENTER_Y",
                                             "ORIENTED_BOX_LENGTH",
                                             "ORIENTED_BOX_WIDTH",
                                             "ORIENTED_BOX_ANGLE",
                                             NULL};
static const char *const feret_of_stack[] = {"FERET_MAX",    "FERET_MAX_X1", "FERET_MAX_Y1", "FERET_MAX_Z1",
                                             "FERET_MAX_X2", "FERET_MAX_Y2", "FERET_MAX_Z2", NULL};

/* ---- on the host, for devices without double precision */

enum { LOW = STATISTICS_LOW, HIGH = STATISTICS_HIGH };

#include "../../../kernels/labels/hull_chains.cl"
#include "../../../kernels/labels/hull_plane.cl"
#include "../../../kernels/labels/hull_columns.cl"

static void fill_plane_cell(const uint32_t *row, uint64_t place, const int32_t *rows, int32_t *chains,
                            const measure_part *part, const hull_columns *c, double *cell)
{
    const double top = (double)~row[LOW + 1];
    slice_hull s = hull_of_slice(row, place, rows, chains, 0, 1);
    build_chains(&s, 0);
    if (c->feret >= 0) {
        const calipers found = turn_calipers(&s, part->size);
        fill_feret(&s, part->size, top, &found, cell + c->feret);
        fill_box_of_least_width(&s, part->size, top, &found, cell + c->feret + 12);
    }
    if (c->hull >= 0)
        fill_hull(&s, part->size, (double)pixels_of(row), cell[c->perimeter], cell + c->hull);
}

static void fill_plane_on_host(drua_plan *p, const measure_part *part, const hull_lines *l, const hull_columns *c)
{
    const uint64_t words = l->count * (uint64_t)STATISTICS_ROW;
    uint32_t *table = plan_host_memory(p, words * 4), *places = plan_host_memory(p, l->count * 4ull);
    int32_t *rows = plan_host_memory(p, l->total * 8ull), *chains = plan_host_memory(p, l->total * 32ull);
    hull_read_words(p, part->table.rows, l->from * (uint64_t)STATISTICS_ROW, words, table);
    hull_read_words(p, l->places, 0, l->count, places);
    hull_read_words(p, l->rows, 0, l->total * 2ull, rows);
    for (size_t i = 0; i < l->count && !plan_failed(p); i++) {
        const uint32_t *row = table + i * STATISTICS_ROW;
        double *cell = part->host_cells + (l->from + i) * (size_t)part->columns;
        hull_clear_cells(c, cell);
        if (pixels_of(row) > 0)
            fill_plane_cell(row, places[i], rows, chains, part, c, cell);
    }
}

/* ---- on the device */

/*
 * Reserves lines for the labels; see kernels/labels/hull_lines.cl. Returns false if the lines of several labels do not
 * fit in the free memory. The caller then tries fewer labels at a time.
 */
static bool place_lines(drua_plan *p, const measure_part *part, hull_lines *l)
{
    enum { LINE_BYTES = 8, CHAIN_BYTES = 32, SHARE = 2 };
    uint32_t total[3] = {0};
    const drua_view sum = plan_scratch_bytes(p, sizeof total);
    l->places = plan_scratch_bytes(p, (uint64_t)l->count * 4);
    l->large = plan_scratch_bytes(p, (uint64_t)l->count * 4);
    plan_clear(p, sum);
    plan_clear(p, l->places);
    LAUNCH(p, "place_lines", LINE(l->count, 64), POINTER(part->table.rows), INT(l->from), INT(l->count),
           INT(part->flat), POINTER(l->places), POINTER(l->large), POINTER(sum));
    plan_read(p, sum, total, sizeof total);
    plan_free_scratch(p, sum);
    if (l->count == 1 && total[1])
        plan_fail(
            p,
            "the box of label %u has 2^31 or more lines of voxels, too many for the columns of hull and feret; leave "
            "these words out of options, or crop the label and measure it alone",
            part->first + l->from);
    l->total = total[0] > 0 ? total[0] : 1;
    l->large_count = total[2];
    const uint64_t bytes = (uint64_t)l->total * (LINE_BYTES + CHAIN_BYTES);
    if (l->count == 1 || (!total[1] && bytes < plan_memory_left(p) / SHARE))
        return true;
    plan_free_scratch(p, l->large);
    plan_free_scratch(p, l->places);
    return false;
}

static void launch_feret_of_stacks(drua_plan *p, const measure_part *part, const hull_lines *l, const hull_columns *c)
{
    LAUNCH(p, "slice_hulls", GRID(l->count, part->labels.layout.depth, 1, 64, 1, 1), POINTER(part->table.rows),
           INT(l->from), POINTER(l->places), INT(l->count), POINTER(l->rows), POINTER(l->chains));
    LAUNCH(p, "feret_columns", LINE((int64_t)l->count * 64, 64), POINTER(part->table.rows), INT(l->from),
           POINTER(l->places), INT(l->count), POINTER(l->chains), POINTER(part->constants), POINTER(part->cells),
           INT(part->columns), INT(c->feret), INT(c->feret_width));
}

static void fill_lines(drua_plan *p, const measure_part *part, hull_lines *l, const hull_columns *c)
{
    const uint32_t first = part->first + l->from;
    l->rows = plan_scratch_bytes(p, (uint64_t)l->total * 8);
    l->chains = plan_scratch_bytes(p, (uint64_t)l->total * 32);
    LAUNCH(p, "clear_lines", LINE(l->total, 64), POINTER(l->rows), INT(l->total));
    LAUNCH(p, "mark_lines", plan_grid(part->labels.layout), ARG(part->labels), INT(first), INT(first + (l->count - 1)),
           POINTER(part->table.rows), INT(l->from), POINTER(l->places), POINTER(l->rows));
    if (part->flat && !part->cells.buffer) {
        fill_plane_on_host(p, part, l, c);
    } else if (part->flat) {
        LAUNCH(p, "hull_columns", LINE(l->count, 64), POINTER(part->table.rows), INT(l->from), POINTER(l->places),
               INT(l->count), POINTER(l->rows), POINTER(l->chains), POINTER(part->constants), POINTER(part->cells),
               INT(part->columns), INT(c->hull), INT(c->feret), INT(c->perimeter), INT(c->hull_width),
               INT(c->feret_width));
    } else {
        if (part->cells.buffer && c->feret >= 0)
            launch_feret_of_stacks(p, part, l, c);
        if (part->cells.buffer && c->hull >= 0)
            hull_launch_solids(p, part, l, c);
        if (!part->cells.buffer || l->large_count > 0)
            hull_fill_stack_on_host(p, part, l, c);
    }
    plan_free_scratch(p, l->chains);
    plan_free_scratch(p, l->rows);
}

/* Fills the columns for as many labels at a time as the memory for their lines allows. */
static void fill_columns(drua_plan *p, const measure_part *part, const hull_columns *c)
{
    for (hull_lines l = {.count = part->count}; l.from < part->count && !plan_failed(p); l.from += l.count) {
        l.count = l.count < part->count - l.from ? l.count : part->count - l.from;
        while (!place_lines(p, part, &l) && !plan_failed(p))
            l.count /= 2;
        fill_lines(p, part, &l, c);
        plan_free_scratch(p, l.large);
        plan_free_scratch(p, l.places);
    }
}

/* Fills the columns of both groups from the same hulls. */
static void fill_hull_columns(drua_plan *p, const measure_part *part, int width)
{
    const hull_columns c = {.hull = part->hull_width ? part->hull : -1,
                            .feret = part->feret_width ? part->feret : -1,
                            .perimeter = part->perimeter,
                            .hull_width = part->hull_width,
                            .feret_width = part->feret_width};
    fill_columns(p, part, &c);
    (void)width;
}

/* The group hull has filled the columns if the call names both. */
static void fill_feret_columns(drua_plan *p, const measure_part *part, int width)
{
    if (!part->hull_width)
        fill_hull_columns(p, part, width);
}

const measure_group measure_hull = {
    .name = "hull", .headings = {hull_of_plane, hull_of_stack}, .fill = fill_hull_columns};
const measure_group measure_feret = {
    .name = "feret", .headings = {feret_of_plane, feret_of_stack}, .fill = fill_feret_columns};
