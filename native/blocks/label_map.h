/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Labels of a whole image that no memory holds: each block has labels of its own on the disk, and a list gives for each
 * of these the number that it has in the whole image. Operations that need only something of each label make other
 * lists.
 */
#ifndef DRUA_BLOCKS_LABEL_MAP_H
#define DRUA_BLOCKS_LABEL_MAP_H

#include "block_memory.h"
#include "label_block.h"

typedef struct label_map label_map;

/*
 * What a pass over an image of that extent has left in a folder; `what`: a hash of what it did. *l is NULL where
 * nothing was finished there. Closed with label_map_close.
 */
drua_status label_map_open(const char *folder, const char *what, const int64_t extent[3], label_map **l);
void label_map_close(label_map *l);

/* Whether a pass has finished labels there, of whatever plan. */
bool label_map_is_there(const char *folder);

/* Labels of nothing, in place of those that no pass has found yet. */
drua_status label_map_none(label_map **made);

/* Reads a box into dense pixels of that type; larger numbers than it has become its largest. `memory` for what is read
 * first. By all cores; one thread at a time. */
drua_status label_map_read(label_map *l, block_memory *memory, const drua_box *box, drua_type type, void *pixels);

/* What is known of each number, from 0; for the caller to free. */
drua_status label_map_rows(const label_map *l, label_row **rows, uint32_t *largest);

/* The same labels with another value for each number, from 0, which it takes over also after a failure. */
drua_status label_map_replace(const label_map *l, double *values, label_map **made);

/* Values become those that a type can hold. */
drua_status label_map_limit(label_map *l, drua_type type);

/* The labels that an operation with a table makes of others. */
drua_status label_map_apply(const label_map *l, const drua_op *op, const drua_bound *bound, label_map **made);

/* Ends a pass over blocks of that step: joins their labels, by their faces or by number, and writes the list. */
typedef enum label_join { JOIN_BY_NUMBER, JOIN_BY_SIDES, JOIN_BY_CORNERS } label_join;
drua_status label_map_join(const char *folder, const char *what, const int64_t extent[3], const int64_t step[3],
                           label_join how);

/* The path of a file in a folder of labels. */
enum { LABELS_PATH = 2200 };
void label_map_path(const char *folder, const char *name, char path[LABELS_PATH]);

#endif
