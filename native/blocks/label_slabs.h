/* SPDX-License-Identifier: BSD-3-Clause */
/* The labels of a block looked through by all cores: in slabs of rows that do not depend on how many cores there are.
 */
#ifndef DRUA_BLOCKS_LABEL_SLABS_H
#define DRUA_BLOCKS_LABEL_SLABS_H

#include "tile.h"

#include <drua/types.h>

/* Numbers that were met, each with a place from 1 in the order of meeting, found by hashing. Zeros are an empty one. */
typedef struct label_meeting {
    uint32_t *numbers, *places;
    uint32_t room, count;
} label_meeting;

/* The place of a number, which is met now where it was not; 0: memory is full. */
uint32_t label_meet(label_meeting *m, uint32_t number);
void label_meeting_free(label_meeting *m);

/* Rows of a box that one thread looks through. */
typedef struct label_slab {
    int64_t number; /* of the slab */
    int64_t first, end; /* rows: y and z as one */
} label_slab;

/* How many there are, and their work, which ends at the first failure. */
int64_t label_slab_count(const drua_box *box);
drua_status label_slabs_each(const drua_box *box, drua_status (*work)(void *payload, const label_slab *slab),
                             void *payload);

#endif
