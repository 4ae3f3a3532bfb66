/* SPDX-License-Identifier: BSD-3-Clause */
/* Files in a folder of labels, for the files of this room alone. */
#ifndef DRUA_PIPELINE_LABEL_FILES_H
#define DRUA_PIPELINE_LABEL_FILES_H

#include "label_map.h"

/* Makes the path of a file in a folder of labels. */
void pass_file_path(const char *folder, const char *name, char path[LABELS_PATH]);

/* Reads the rows of a block; the caller frees them. */
drua_status label_block_read(const char *folder, int64_t number, label_row **rows, uint32_t *count);

/*
 * Reads the labels of a block's face, of `pixels` pixels, at the beginning or the end of an axis. The lower of the
 * other two axes varies fastest.
 */
drua_status label_block_face(const char *folder, int64_t number, int axis, bool end, int64_t pixels, uint32_t *labels);

#endif
