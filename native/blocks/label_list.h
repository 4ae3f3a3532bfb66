/* SPDX-License-Identifier: BSD-3-Clause */
/* The list that the join of all blocks makes, and its file. */
#ifndef DRUA_BLOCKS_LABEL_LIST_H
#define DRUA_BLOCKS_LABEL_LIST_H

#include "label_map.h"

typedef struct label_list {
    int64_t extent[3], step[3], blocks;
    uint64_t labels; /* of all blocks */
    uint32_t largest; /* number of the whole image */
    uint64_t *begins; /* of each block: how many labels come before it; one more at the end */
    uint32_t *numbers; /* of each label of each block */
    label_row *rows; /* of the numbers 0 to largest */
} label_list;

drua_status label_list_write(const label_list *l, const char *folder, const char *what);

/* The failure of labels in a file that cannot be what was written there. */
drua_status label_list_damaged(const char *path);

/* *there is false where nothing was finished. */
drua_status label_list_read(const char *folder, const char *what, label_list *l, bool *there);
void label_list_free(label_list *l);

#endif
