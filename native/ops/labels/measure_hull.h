/* SPDX-License-Identifier: BSD-3-Clause */
/* Hulls of labels, for the groups hull and feret of measure_labels. */
#ifndef DRUA_OPS_MEASURE_HULL_H
#define DRUA_OPS_MEASURE_HULL_H

#include "measure_labels.h"

/**
 * Columns of a group: the first one, -1 if the group is not wanted, and their number. `perimeter`: column of the
 * perimeter, or of the surface area of stacks.
 */
typedef struct hull_columns {
    int hull, feret, perimeter, hull_width, feret_width;
} hull_columns;

/** Sets the columns of both groups to NaN in a row of the table. */
static inline void hull_clear_cells(const hull_columns *c, double *row)
{
    for (int k = 0; c->hull >= 0 && k < c->hull_width; k++)
        row[c->hull + k] = NAN;
    for (int k = 0; c->feret >= 0 && k < c->feret_width; k++)
        row[c->feret + k] = NAN;
}

/**
 * The first and last pixel of `count` labels, from index `from` of a part on, in each row of their boxes. `places`: the
 * first line of each label; `chains`: memory for 8 integers for each line.
 */
typedef struct hull_lines {
    uint32_t from, count, total; /**< total: number of lines */
    uint32_t large_count;
    drua_view places, rows, chains;
    drua_view large; /**< indices, from `from` on, of labels of a stack that are too large for one work-item */
} hull_lines;

/** Fills the columns of hull of the small labels of a stack, on a device with doubles. */
void hull_launch_solids(drua_plan *plan, const measure_part *part, const hull_lines *lines,
                        const hull_columns *columns);

/**
 * Fills the columns of hull and feret of labels of a stack on the host: of the large ones, or, if the device has no
 * doubles, of all. Waits.
 */
void hull_fill_stack_on_host(drua_plan *plan, const measure_part *part, const hull_lines *lines,
                             const hull_columns *columns);

/** Copies words of a buffer from word `first` on to the host; waits. */
void hull_read_words(drua_plan *plan, drua_view words, uint64_t first, uint64_t count, void *host);

#endif
