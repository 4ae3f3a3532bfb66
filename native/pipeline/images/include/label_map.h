/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Labels of a whole image that is larger than memory. Each block has its own labels on the disk, and a list maps each
 * of them to its number in the whole image. Operations that need only properties of labels make other lists.
 */
#ifndef DRUA_PIPELINE_LABEL_MAP_H
#define DRUA_PIPELINE_LABEL_MAP_H

#include "block_memory.h"
#include "file.h"
#include "label_block.h"

typedef struct label_map label_map;

/*
 * Opens the labels that a pass over an image of this extent has stored in a folder. `hash` is that of the pass. *l is
 * NULL if no pass has completed them. Close with label_map_close.
 */
drua_status label_map_open(const char *folder, const char *hash, const int64_t extent[3], label_map **l);
void label_map_close(label_map *l);

/* Makes reading fail if the checksum of a file of labels differs from the one in this list from drua_zarr_list_sums. */
drua_status label_map_expect(label_map *l, const drua_bytes *sums);

/* Returns whether the folder has completed labels of any plan. */
bool label_map_exists(const char *folder);

/* Makes a placeholder without labels, for labels that no pass has found yet. */
drua_status label_map_none(label_map **map);

/*
 * Reads a box into dense pixels of a type; values beyond the type's range become its largest value. `memory` supplies
 * temporary buffers. Uses all cores; one thread at a time.
 */
drua_status label_map_read(label_map *l, block_memory *memory, const drua_box *box, drua_type type, void *pixels);

/* Returns the row of each number, from 0; the caller frees them. */
drua_status label_map_rows(const label_map *l, label_row **rows, uint32_t *largest);

/* Limits the values to the range of a type. */
drua_status label_map_limit(label_map *l, drua_type type);

/* Makes the labels that result from an operation on labels. */
drua_status label_map_apply(const label_map *l, const drua_op *op, const drua_bound *bound, label_map **map);

/*
 * Completes a pass over blocks of extent `step` and writes the list: joins their labels at the faces or by number, or
 * (JOIN_NEVER) counts each label of a block as an object.
 */
typedef enum label_join { JOIN_BY_NUMBER, JOIN_BY_SIDES, JOIN_BY_CORNERS, JOIN_NEVER } label_join;

static inline bool label_join_needs_faces(label_join how)
{
    return how == JOIN_BY_SIDES || how == JOIN_BY_CORNERS;
}

drua_status label_map_join(const char *folder, const char *hash, const int64_t extent[3], const int64_t step[3],
                           label_join how);

/* Bytes of the path of a file in a folder of labels. */
enum { LABELS_PATH = 2200 };

#endif
