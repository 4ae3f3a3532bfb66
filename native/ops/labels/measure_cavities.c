/* SPDX-License-Identifier: BSD-3-Clause */
/* Cavities and holes of labels, for the group outline of measure_labels. */
#include "measure_labels.h"

/* Labels whose cells fit into memory at once; see kernels/labels/cavities.cl. */
typedef struct cavity_cells {
    uint32_t from, count, total;
    drua_view places;
} cavity_cells;

/*
 * Reserves cells for the labels. Returns false if the cells of several labels do not fit in the free memory, or if one
 * of several labels is very large. The caller then tries fewer labels at a time.
 */
static bool place_cells(drua_plan *p, const measure_part *part, cavity_cells *c)
{
    enum { CELL_BYTES = 4, SHARE = 2 };
    uint32_t total[2] = {0};
    const drua_view sum = plan_scratch_bytes(p, sizeof total);
    c->places = plan_scratch_bytes(p, (uint64_t)c->count * 4);
    plan_clear(p, sum);
    LAUNCH(p, "place_cavity_cells", LINE(c->count, 64), POINTER(part->table.rows), INT(part->flat), INT(c->from),
           INT(c->count), POINTER(c->places), POINTER(sum));
    plan_read(p, sum, total, sizeof total);
    plan_free_scratch(p, sum);
    if (c->count == 1 && total[1])
        plan_fail(p,
                  "outline in options: the box of label %u has more than %u pixels; crop the label and measure it "
                  "alone, or leave this word out",
                  part->first + c->from, UINT32_MAX);
    c->total = total[0];
    if (c->count == 1 || (!total[1] && (uint64_t)c->total * CELL_BYTES < plan_memory_left(p) / SHARE))
        return true;
    plan_free_scratch(p, c->places);
    return false;
}

static void count_cavities(drua_plan *p, const measure_part *part, const cavity_cells *c, drua_view counts)
{
    enum { ALL_ITEMS = 1 << 18, LEAST = 32 };
    const int items = c->count < ALL_ITEMS / LEAST ? ALL_ITEMS / (int)c->count / LEAST * LEAST : LEAST;
    const drua_grid grid = LINE((int64_t)c->count * items, LEAST);
    const drua_view parent = plan_scratch_bytes(p, c->total * 4ull);
    LAUNCH(p, "cavity_rows", grid, ARG(part->labels), INT(part->first + c->from), POINTER(part->table.rows),
           INT(part->flat), INT(c->from), POINTER(c->places), INT(items), INT(c->count), POINTER(parent));
    LAUNCH(p, "join_cavities", grid, POINTER(part->table.rows), INT(part->flat), INT(c->from), POINTER(c->places),
           INT(items), INT(c->count), POINTER(parent));
    LAUNCH(p, "count_cavities", grid, POINTER(part->table.rows), INT(part->flat), INT(c->from), POINTER(c->places),
           INT(items), INT(c->count), POINTER(parent), POINTER(counts));
    plan_free_scratch(p, parent);
}

void measure_cavities(drua_plan *p, const measure_part *part, drua_view counts)
{
    plan_clear(p, counts);
    for (cavity_cells c = {0}; c.from < part->count && !plan_failed(p); c.from += c.count) {
        c.count = part->count - c.from;
        while (!place_cells(p, part, &c) && !plan_failed(p))
            c.count /= 2;
        if (c.total > 0 && !plan_failed(p))
            count_cavities(p, part, &c, counts);
        plan_free_scratch(p, c.places);
    }
}
