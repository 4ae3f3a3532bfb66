/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes the labels of a block on all cores, in slabs of rows that do not depend on the number of cores. */
#ifndef DRUA_PIPELINE_LABEL_SLABS_H
#define DRUA_PIPELINE_LABEL_SLABS_H

#include "tile.h"

#include <drua/types.h>

/*
 * A hash table that assigns numbers consecutive places, from 1, in the order in which they are first met. An empty
 * table is all zeros.
 */
typedef struct label_meeting {
    uint32_t *numbers, *places;
    uint32_t room, count;
} label_meeting;

/* Returns the place of a number, adding the number if it is new; 0: memory is full. */
uint32_t label_meet(label_meeting *m, uint32_t number);
void label_meeting_free(label_meeting *m);

/* Rows of a box that one thread processes. */
typedef struct label_slab {
    int64_t number; /* index of the slab */
    int64_t first, end; /* rows, counted over y and z together */
} label_slab;

/* Returns the number of slabs of a box. */
int64_t label_slab_count(const drua_box *box);

/* Calls `work` for each slab of a box and stops at the first failure. */
drua_status label_slabs_each(const drua_box *box, drua_status (*work)(void *payload, const label_slab *slab),
                             void *payload);

#endif
