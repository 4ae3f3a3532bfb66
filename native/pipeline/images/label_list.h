/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of the labels of all blocks after they are joined, and its file. */
#ifndef DRUA_PIPELINE_LABEL_LIST_H
#define DRUA_PIPELINE_LABEL_LIST_H

#include "label_files.h"

typedef struct label_list {
    int64_t extent[3], step[3], blocks;
    uint64_t labels; /* in all blocks together */
    uint32_t largest; /* largest number in the whole image */
    uint64_t *begins; /* for each block the number of labels in earlier blocks; one more entry at the end */
    uint32_t *numbers; /* the whole-image number of each label of each block */
    label_row *rows; /* for the numbers 0 to largest */
} label_list;

/* Writes the list; `hash` is that of its pass. */
drua_status label_list_write(const label_list *l, const char *folder, const char *hash);

/* Sets the error that the labels in a file are damaged, and returns its status. */
drua_status label_list_damaged(const char *path);

/* Reads the list. *exists is false if no pass has completed it. Free with label_list_free, also after a failure. */
drua_status label_list_read(const char *folder, const char *hash, label_list *l, bool *exists);
void label_list_free(label_list *l);

#endif
