/* SPDX-License-Identifier: BSD-3-Clause */
/* Blends rows of overlapping tiles by the same float32 operations, in the same order, as kernels/stitch/fuse.cl. */
#ifndef DRUA_PIPELINE_BLEND_H
#define DRUA_PIPELINE_BLEND_H

#include "tile.h"

#include <stdbool.h>

/* A part of a tile. */
typedef struct blend_piece {
    float *pixels; /* dense pixels of `box` */
    bool *missing; /* whether each of these pixels is missing; NULL: no pixel is missing */
    drua_box box; /* in the tile */
    drua_shape tile; /* extents of the whole tile */
    int64_t first[3]; /* position of the tile in the mosaic, in whole pixels */
    float rest[3]; /* the tile's exact position minus `first`, from 0 to below 1 */
} blend_piece;

/* Converts pixels to float32. */
void blend_to_floats(const void *pixels, drua_type type, size_t count, float *floats);

/*
 * Computes the pixels from `first` to before `end` along x of a row of the mosaic. `fusion` is as in drua_tile_list.
 * The pieces hold all pixels of their tiles that this row needs, and are added in their order. `sums` and `weights`
 * have room for a row. `to` receives pixels of `type`; 0 where no tile lies.
 */
void blend_row(const blend_piece *pieces, int64_t count, int fusion, int64_t first, int64_t end, int64_t y, int64_t z,
               float *sums, float *weights, drua_type type, void *to);

#endif
