/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps between the pixels of every two labels that are neighbours, added up over blocks in a pass that overlaps. */
#ifndef DRUA_PIPELINE_LABEL_PAIRS_H
#define DRUA_PIPELINE_LABEL_PAIRS_H

#include "file.h"
#include "op.h"
#include "tile.h"

/* Two labels, the smaller one first, and the steps between them; see pair_row in op.h. */
typedef struct label_pair {
    uint32_t labels[2];
    uint64_t steps[DRUA_PAIR_STEPS];
} label_pair;

/* A hash table of pairs. An empty table is all zeros. */
typedef struct label_pairs {
    label_pair *of; /* owned; a slot whose first label is 0 is empty */
    uint32_t room, count;
    uint64_t labelled; /* pixels with a label */
    double odd; /* an odd pixel of the label map; 0: none is known */
} label_pairs;

void label_pairs_free(label_pairs *pairs);

/*
 * Computes the pairs of a block as bytes, on all cores; each step belongs to the block that owns its last pixel along
 * each axis. `pixels` has the labels in `box`. Unless the image begins there, `box` has one more pixel before `own`
 * along each axis. The caller frees `found`.
 */
drua_status block_pairs_find(const drua_box *own, const drua_box *box, drua_type type, const void *pixels,
                             drua_bytes *found);

/* Adds the result of one or more blocks. */
drua_status label_pairs_add(label_pairs *pairs, const drua_bytes *found);

/* Lists the pairs that share a side of pixels as an array of label_pair, in the order of label_pairs_save. */
drua_status label_pairs_list(const label_pairs *pairs, drua_bytes *list);

/* Returns all pairs as bytes, ordered by the smaller label, then by the larger one; the caller frees them. */
drua_status label_pairs_save(const label_pairs *pairs, drua_bytes *bytes);

#endif
