/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files of tiles, and where the stage took them. */
#ifndef DRUA_OPS_TILE_FILES_H
#define DRUA_OPS_TILE_FILES_H

#include "stitch.h"

typedef struct tile_files {
    char **paths;
    double (*stage)[3]; /**< positions of the first pixels, in pixels */
    int64_t count;
    drua_shape shape; /**< of all tiles */
    drua_type type;
} tile_files;

/**
 * Lists the files that exist among those that the path parameter "tiles" describes, and reports the others:
 * - a list of tiles (tile_list.h);
 * - a name with placeholders for numbers, {x} and {y} or {i}, in the grid of the call's settings;
 * - a name with *, for files whose metadata state their positions.
 * Fails unless all have the same shape and type, that of one `channel` and `frame`.
 */
void tile_files_find(drua_plan *plan, int64_t channel, int64_t frame, tile_files *files);

#endif
