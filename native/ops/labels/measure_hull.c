/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups hull and feret of measure_labels. */
#include "measure_labels.h"

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
#include "../../../kernels/labels/hull_solid.cl"
#include "../../../kernels/labels/hull_levels.cl"
#include "../../../kernels/labels/hull_volume.cl"

/*
 * Columns of a group: the first one, -1 if the group is not wanted, and their number. `perimeter`: column of the
 * perimeter, or of the surface area of stacks.
 */
typedef struct columns {
    int hull, feret, perimeter, hull_width, feret_width;
} columns;

/* Some labels of a part: their first index and number, and their lines. */
typedef struct lines {
    uint32_t from, count, total;
    drua_view places, rows, chains;
} lines;

static void fill_feret_of_stack(const uint32_t *row, uint64_t place, const int32_t *rows, int32_t *chains,
                                const measure_part *part, double *cell)
{
    for (int slice = 0; slice <= (int)(row[HIGH + 2] - ~row[LOW + 2]); slice++) {
        slice_hull s = hull_of_slice(row, place, rows, chains, slice, 0);
        build_chains(&s, 0);
        s.chains[4 * (s.height + 1)] = s.left;
        s.chains[4 * (s.height + 1) + 1] = s.right;
    }
    const corner_pair pair = find_distant(row, place, chains, part->size, 0, 1);
    fill_distant(row, place, chains, part->size, &pair, cell);
}

static int points_of_solid(const label_lines *l)
{
    return is_too_long(l) ? 0 : count_points(l);
}

/* Returns memory for the hull of any of the labels of a stack. */
static int32_t *memory_for_solid(drua_plan *p, const lines *l, const uint32_t *table, const uint32_t *places,
                                 int32_t *rows, int32_t *chains)
{
    int max = 0;
    for (uint32_t i = 0; i < l->count && !plan_failed(p); i++) {
        const uint32_t *row = table + (l->from + i) * (size_t)STATISTICS_ROW;
        const label_lines of_label = lines_of(row, places[i], rows, chains);
        max = pixels_of(row) > 0 ? larger(max, points_of_solid(&of_label)) : max;
    }
    return plan_host_memory(p, POINT_WORDS * sizeof(int32_t) * (size_t)max + 1);
}

static void fill_stack_cell(const uint32_t *row, uint64_t place, int32_t *rows, int32_t *chains, int32_t *memory,
                            const measure_part *part, const columns *c, double *cell)
{
    if (c->feret >= 0)
        fill_feret_of_stack(row, place, rows, chains, part, cell + c->feret);
    if (c->hull < 0)
        return;
    const label_lines l = lines_of(row, place, rows, chains);
    const int points = points_of_solid(&l);
    for (int k = 0; points == 0 && k < c->hull_width; k++)
        cell[c->hull + k] = NAN;
    if (points > 0)
        fill_hull_of_stack(&l, memory, points, part->size, cell[c->perimeter], cell + c->hull);
}

static void fill_plane_cell(const uint32_t *row, uint64_t place, const int32_t *rows, int32_t *chains,
                            const measure_part *part, const columns *c, double *cell)
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

static void fill_on_host(drua_plan *p, const measure_part *part, const lines *l, const columns *c)
{
    uint32_t *table = plan_host_memory(p, (uint64_t)part->count * STATISTICS_ROW * 4),
             *places = plan_host_memory(p, l->count * 4ull);
    int32_t *rows = plan_host_memory(p, l->total * 8ull), *chains = plan_host_memory(p, l->total * 32ull);
    plan_read(p, part->table.rows, table, (uint64_t)part->count * STATISTICS_ROW * 4);
    plan_read(p, l->places, places, l->count * 4ull);
    plan_read(p, l->rows, rows, l->total * 8ull);
    int32_t *memory = part->flat || c->hull < 0 ? NULL : memory_for_solid(p, l, table, places, rows, chains);
    for (size_t i = 0; i < l->count && !plan_failed(p); i++) {
        const uint32_t *row = table + (l->from + i) * STATISTICS_ROW;
        double *cell = part->host_cells + (l->from + i) * (size_t)part->columns;
        if (pixels_of(row) == 0) {
            for (int k = 0; c->hull >= 0 && k < c->hull_width; k++)
                cell[c->hull + k] = NAN;
            for (int k = 0; c->feret >= 0 && k < c->feret_width; k++)
                cell[c->feret + k] = NAN;
        } else if (part->flat) {
            fill_plane_cell(row, places[i], rows, chains, part, c, cell);
        } else {
            fill_stack_cell(row, places[i], rows, chains, memory, part, c, cell);
        }
    }
}

/* ---- on the device */

/*
 * Gives lines to the labels. Returns false if the lines of all labels need more memory than is free, but those of one
 * label at a time fit.
 */
static bool place_lines(drua_plan *p, const measure_part *part, lines *l)
{
    enum { LINE_BYTES = 8, CHAIN_BYTES = 32, SHARE = 2 };
    uint32_t total[2] = {0};
    const drua_view sum = plan_scratch_bytes(p, sizeof total);
    l->places = plan_scratch_bytes(p, (uint64_t)l->count * 4);
    plan_clear(p, sum);
    plan_clear(p, l->places);
    LAUNCH(p, "place_lines", LINE(l->count, 64), POINTER(part->table.rows), INT(l->from), INT(l->count),
           POINTER(l->places), POINTER(sum));
    plan_read(p, sum, total, sizeof total);
    plan_free_scratch(p, sum);
    l->total = total[0] > 0 ? total[0] : 1;
    const uint64_t bytes = (uint64_t)l->total * (LINE_BYTES + CHAIN_BYTES);
    if (l->count == 1 || (!total[1] && bytes < plan_memory_left(p) / SHARE))
        return true;
    plan_free_scratch(p, l->places);
    return false;
}

static void launch_feret_of_stacks(drua_plan *p, const measure_part *part, const lines *l, const columns *c)
{
    LAUNCH(p, "slice_hulls", GRID(l->count, part->labels.layout.depth, 1, 64, 1, 1), POINTER(part->table.rows),
           INT(l->from), POINTER(l->places), INT(l->count), POINTER(l->rows), POINTER(l->chains));
    LAUNCH(p, "feret_columns", LINE((int64_t)l->count * 64, 64), POINTER(part->table.rows), INT(l->from),
           POINTER(l->places), INT(l->count), POINTER(l->chains), POINTER(part->constants), POINTER(part->cells),
           INT(part->columns), INT(c->feret), INT(c->feret_width));
}

/*
 * Gives memory for their hulls to `count` labels from `first` on. Returns false if the hulls need more memory than is
 * free, but one at a time fits.
 */
static bool place_solids(drua_plan *p, const measure_part *part, const lines *l, uint32_t first, uint32_t count,
                         drua_view points, uint64_t *bytes)
{
    enum { SHARE = 2 };
    uint32_t total[2] = {0};
    const drua_view sum = plan_scratch_bytes(p, sizeof total);
    plan_clear(p, sum);
    LAUNCH(p, "place_solids", LINE(count, 1), POINTER(part->table.rows), INT(l->from), POINTER(l->places), INT(first),
           INT(count), POINTER(l->rows), POINTER(l->chains), POINTER(points), POINTER(sum));
    plan_read(p, sum, total, sizeof total);
    plan_free_scratch(p, sum);
    *bytes = (uint64_t)total[0] * POINT_WORDS * sizeof(int32_t);
    return count == 1 || (!total[1] && *bytes < plan_memory_left(p) / SHARE);
}

/* Fills the columns of hull of a stack for as many labels at a time as the memory for their hulls allows. */
static void fill_solids(drua_plan *p, const measure_part *part, const lines *l, const columns *c)
{
    const drua_view points = plan_scratch_bytes(p, l->count * 8ull);
    for (uint32_t first = 0, count = l->count; first < l->count && !plan_failed(p); first += count) {
        uint64_t bytes;
        count = count < l->count - first ? count : l->count - first;
        while (!place_solids(p, part, l, first, count, points, &bytes) && !plan_failed(p))
            count /= 2;
        const drua_view memory = plan_scratch_bytes(p, bytes > 0 ? bytes : 1);
        LAUNCH(p, "hull_solid_columns", LINE(count, 1), POINTER(part->table.rows), INT(l->from), POINTER(l->places),
               INT(first), INT(count), POINTER(l->rows), POINTER(l->chains), POINTER(points), POINTER(memory),
               POINTER(part->constants), POINTER(part->cells), INT(part->columns), INT(c->hull), INT(c->perimeter));
        plan_free_scratch(p, memory);
    }
    plan_free_scratch(p, points);
}

static void fill_lines(drua_plan *p, const measure_part *part, lines *l, const columns *c)
{
    const uint32_t first = part->first + l->from;
    l->rows = plan_scratch_bytes(p, (uint64_t)l->total * 8);
    l->chains = plan_scratch_bytes(p, (uint64_t)l->total * 32);
    LAUNCH(p, "clear_lines", LINE(l->total, 64), POINTER(l->rows), INT(l->total));
    LAUNCH(p, "mark_lines", plan_grid(part->labels.layout), ARG(part->labels), INT(first), INT(first + (l->count - 1)),
           POINTER(part->table.rows), INT(l->from), POINTER(l->places), POINTER(l->rows));
    if (!part->cells.buffer) {
        fill_on_host(p, part, l, c);
    } else if (part->flat) {
        LAUNCH(p, "hull_columns", LINE(l->count, 64), POINTER(part->table.rows), INT(l->from), POINTER(l->places),
               INT(l->count), POINTER(l->rows), POINTER(l->chains), POINTER(part->constants), POINTER(part->cells),
               INT(part->columns), INT(c->hull), INT(c->feret), INT(c->perimeter), INT(c->hull_width),
               INT(c->feret_width));
    } else {
        if (c->feret >= 0)
            launch_feret_of_stacks(p, part, l, c);
        if (c->hull >= 0)
            fill_solids(p, part, l, c);
    }
    plan_free_scratch(p, l->chains);
    plan_free_scratch(p, l->rows);
}

/* Fills the columns for as many labels at a time as the memory for their lines allows. */
static void fill_columns(drua_plan *p, const measure_part *part, const columns *c)
{
    for (lines l = {.count = part->count}; l.from < part->count && !plan_failed(p); l.from += l.count) {
        l.count = l.count < part->count - l.from ? l.count : part->count - l.from;
        while (!place_lines(p, part, &l) && !plan_failed(p))
            l.count /= 2;
        fill_lines(p, part, &l, c);
        plan_free_scratch(p, l.places);
    }
}

/* Fills the columns of both groups from the same hulls. */
static void fill_hull_columns(drua_plan *p, const measure_part *part, int width)
{
    const columns c = {.hull = part->hull_width ? part->hull : -1,
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
