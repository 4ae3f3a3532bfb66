/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over the pixels of each label in a pass over blocks. The first pass computes sums and extents, the second pass
 * distances to the centres that result from the first.
 */
#ifndef DRUA_PIPELINE_LABEL_SUMS_H
#define DRUA_PIPELINE_LABEL_SUMS_H

#include "file.h"
#include "tile.h"

#include <drua/types.h>

enum { MASS, MIDDLE, CENTRES };

/* Sums of one label. */
typedef struct label_sums {
    double odd; /* in the sums of label 0: an odd pixel of the label map; 0: none is known */
    double pixels, min, max, sum, squares, positions[3], weighted[3];
    int64_t low[3], high[3];
    double distance[CENTRES], longest[CENTRES];
} label_sums;

double label_sums_centre(const label_sums *s, int which, int axis);

/* Sums of all labels so far. */
typedef struct tabulation {
    label_sums *of; /* for labels 0, 1, ...; owned */
    uint32_t room, largest;
    bool any; /* includes the background */
    bool second; /* the second pass is running */
} tabulation;

/* Makes room for all labels up to this one. */
drua_status tabulation_grow(tabulation *t, uint32_t label);

/* Intensities and labels of a block, both dense. */
typedef struct tabulated_block {
    const drua_box *box;
    drua_type type, label_type;
    const void *pixels, *labels;
} tabulated_block;

/*
 * Computes the sums of one block as bytes, on all cores. The sums depend, to the last digit, neither on the number of
 * cores nor on other blocks. The caller frees them.
 */
drua_status block_sums_find(const tabulation *t, const tabulated_block *b, drua_bytes *found);

/* Adds the sums of a block to the total. */
drua_status tabulation_add(tabulation *t, const drua_bytes *found);

/* `save` returns the sums of all labels as bytes, which the caller frees; `load` replaces the sums with such bytes. */
drua_status tabulation_save(const tabulation *t, drua_bytes *bytes);
drua_status tabulation_load(tabulation *t, const drua_bytes *bytes);

#endif
