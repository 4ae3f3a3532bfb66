/* SPDX-License-Identifier: BSD-3-Clause */
/* What is added up of each label in a pass over blocks: sums and extents first, then distances to the centres that
 * these give. */
#ifndef DRUA_BLOCKS_LABEL_SUMS_H
#define DRUA_BLOCKS_LABEL_SUMS_H

#include "file.h"
#include "tile.h"

#include <drua/types.h>

enum { MASS, MIDDLE, CENTRES };

/* Of a label. */
typedef struct label_sums {
    double pixels, least, most, sum, squares, positions[3], weighted[3];
    int64_t low[3], high[3];
    double distance[CENTRES], longest[CENTRES];
} label_sums;

double label_sums_centre(const label_sums *s, int which, int axis);

/* Of all labels so far. */
typedef struct tabulation {
    label_sums *of; /* labels 0, 1, ...; owned */
    uint32_t room, largest;
    bool any; /* the background too */
    bool second; /* pass */
} tabulation;

/* Makes room for the labels up to this one. */
drua_status tabulation_grow(tabulation *t, uint32_t label);

/* The intensities and the labels of a block, dense. */
typedef struct tabulated_block {
    const drua_box *box;
    drua_type type, label_type;
    const void *pixels, *labels;
} tabulated_block;

/* The sums of one block as bytes, by all cores; their last digits depend neither on how many there are nor on other
 * blocks. Freed by the caller. */
drua_status block_sums_find(const tabulation *t, const tabulated_block *b, drua_bytes *found);

/* Adds them to those of the blocks before. */
drua_status tabulation_add(tabulation *t, const drua_bytes *found);

/* All labels as bytes, freed by the caller, and in the place of those that there are. */
drua_status tabulation_save(const tabulation *t, drua_bytes *bytes);
drua_status tabulation_load(tabulation *t, const drua_bytes *bytes);

#endif
