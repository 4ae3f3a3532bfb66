/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The group geodesic of measure_labels (Lantuejoul and Maisonneuve 1984, in the steps of MorphoLibJ). It finds the
 * pixel farthest from the centre of the largest inscribed circle, and then the pixel farthest from the first one.
 */
#include "measure_labels.h"

#include "cells_on_host.h"

#include <string.h>

static const char *const of_plane[] = {"GEODESIC_DIAMETER", "GEODESIC_X1", "GEODESIC_Y1",         "GEODESIC_X2",
                                       "GEODESIC_Y2",       "TORTUOSITY",  "GEODESIC_ELONGATION", NULL};
static const char *const of_stack[] = {"GEODESIC_DIAMETER",   "GEODESIC_X1", "GEODESIC_Y1", "GEODESIC_Z1",
                                       "GEODESIC_X2",         "GEODESIC_Y2", "GEODESIC_Z2", "TORTUOSITY",
                                       "GEODESIC_ELONGATION", NULL};

/* ---- on the host, for devices without double precision */

#include "../../../kernels/labels/geodesic_cells.cl"

/* ---- on the device */

enum { WEIGHTS = 8, FIRST_BATCH = 4, LARGEST_BATCH = 64 };
enum { QUASI_EUCLIDEAN, BORGEFORS };

typedef struct ways {
    drua_view distances, weights, changed, last_change;
    drua_grid grid;
    uint64_t tiles;
} ways;

/* Lengths of steps; bits 1, 2 and 4 of the index stand for x, y and z. */
static void weigh_ways(drua_plan *p, const measure_part *part, float weights[WEIGHTS])
{
    const int choice = (int)plan_setting(p, "options", "geodesic_steps"), axes = part->flat ? 2 : 3;
    for (int axis = 1; axis < axes && choice == BORGEFORS; axis++)
        if (part->size[axis] != part->size[0])
            plan_fail(
                p,
                "options has geodesic_steps=borgefors, which needs voxels with equal edges, but the edges are %g and "
                "%g; leave geodesic_steps out or set units=pixels",
                part->size[0], part->size[axis]);
    for (int i = 0; i < WEIGHTS; i++) {
        double square = 0;
        int steps = 0;
        for (int axis = 0; axis < axes; axis++)
            if (i >> axis & 1) {
                square += part->size[axis] * part->size[axis];
                steps++;
            }
        weights[i] = choice == BORGEFORS ? (float)(part->size[0] * (2 + steps) / 3) : (float)sqrt(square);
    }
}

static ways make_ways(drua_plan *p, const measure_part *part)
{
    enum { SIDE = 16, SHORT_SIDE = 8, SLICES = 4 };
    const drua_layout l = part->labels.layout;
    const int32_t side = part->flat ? SIDE : SHORT_SIDE, slices = part->flat ? 1 : SLICES;
    ways w = {.grid = GRID(l.width, l.height, l.depth, side, side, slices)};
    float *weights = plan_host_memory(p, WEIGHTS * sizeof *weights);
    w.tiles = (((uint64_t)l.width + (uint64_t)side - 1) / (uint64_t)side) *
              (((uint64_t)l.height + (uint64_t)side - 1) / (uint64_t)side) *
              (((uint64_t)l.depth + (uint64_t)slices - 1) / (uint64_t)slices);
    w.distances = plan_scratch_bytes(p, (uint64_t)drua_layout_count(&l) * sizeof(float));
    w.weights = plan_scratch_bytes(p, WEIGHTS * sizeof(float));
    w.changed = plan_scratch_bytes(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    w.last_change = plan_scratch_bytes(p, w.tiles * sizeof(uint32_t));
    if (!plan_failed(p)) {
        weigh_ways(p, part, weights);
        plan_write(p, w.weights, weights);
    }
    return w;
}

/*
 * Finds the distances of all pixels from one pixel of each label. The host checks after each batch of passes whether
 * the last one changed something. Batches grow.
 */
static void find_ways(drua_plan *p, const measure_part *part, const ways *w, drua_view places)
{
    const uint64_t pixels = (uint64_t)drua_layout_count(&part->labels.layout);
    uint32_t goes_on = 1, pass = 0;
    plan_clear(p, w->last_change);
    LAUNCH(p, "ways_clear", LINE((int64_t)pixels, 64), POINTER(w->distances), LONG((int64_t)pixels));
    LAUNCH(p, "ways_start", LINE(part->count, 64), POINTER(places), INT(part->count), POINTER(w->distances));
    for (int batch = FIRST_BATCH; goes_on && !plan_failed(p); batch = batch < LARGEST_BATCH ? 2 * batch : batch) {
        LAUNCH(p, "ways_batch", LINE(batch + 1, 64), POINTER(w->changed), INT(batch));
        for (int left = batch - 1; left >= 0; left--)
            LAUNCH(p, "ways_relax", w->grid, ARG(part->labels), INT(part->first),
                   INT(part->first + (part->count - 1)), POINTER(w->weights), POINTER(w->distances),
                   POINTER(w->changed), INT(left), POINTER(w->last_change), INT(++pass));
        plan_read(p, w->changed, &goes_on, sizeof goes_on);
    }
}

static void find_farthest(drua_plan *p, const measure_part *part, drua_view distances, drua_view longest,
                          drua_view places)
{
    measure_longest(p, part, distances, longest);
    measure_first(p, part, distances, longest, "geodesic", places);
}

static void fill_on_host(drua_plan *p, const measure_part *part, drua_view longest, drua_view from, drua_view to)
{
    const drua_layout l = part->labels.layout;
    const size_t bytes = part->count * sizeof(uint32_t);
    uint32_t *lengths = plan_host_memory(p, bytes), *squares = plan_host_memory(p, bytes),
             *first = plan_host_memory(p, bytes), *last = plan_host_memory(p, bytes);
    plan_read(p, longest, lengths, bytes);
    plan_read(p, part->longest, squares, bytes);
    plan_read(p, from, first, bytes);
    plan_read(p, to, last, bytes);
    for (size_t i = 0; i < part->count && !plan_failed(p); i++) {
        double *cells = part->host_cells + i * (size_t)part->columns;
        fill_geodesic(lengths[i], squares[i], first[i], last[i], l.width, l.height, part->size, part->flat ? 2 : 3,
                      cells[part->feret], cells + part->column);
    }
}

static void fill_geodesics(drua_plan *p, const measure_part *part, int width)
{
    const drua_layout l = part->labels.layout;
    const uint64_t bytes = part->count * 4ull;
    const drua_view longest = plan_scratch_bytes(p, bytes), from = plan_scratch_bytes(p, bytes),
                    to = plan_scratch_bytes(p, bytes);
    const ways w = make_ways(p, part);
    find_ways(p, part, &w, part->centres);
    find_farthest(p, part, w.distances, longest, from);
    find_ways(p, part, &w, from);
    find_farthest(p, part, w.distances, longest, to);
    if (part->cells.buffer)
        LAUNCH(p, "geodesic_columns", LINE(part->count, 64), POINTER(longest), POINTER(part->longest), POINTER(from),
               POINTER(to), INT(part->count), INT(l.width), INT(l.height), POINTER(part->constants),
               INT(part->flat ? 2 : 3), POINTER(part->cells), INT(part->columns), INT(part->column), INT(part->feret));
    else
        fill_on_host(p, part, longest, from, to);
    const drua_view scratch[] = {w.last_change, w.changed, w.weights, w.distances, to, from, longest};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        plan_free_scratch(p, scratch[i]);
    (void)width;
}

const measure_group measure_geodesic = {
    .name = "geodesic", .headings = {of_plane, of_stack}, .fill = fill_geodesics, .distances = true};
