/* SPDX-License-Identifier: BSD-3-Clause */
/* The labels of one block, and the file that keeps what the join of all blocks needs of them: a row for each label, and
 * the block's faces. */
#ifndef DRUA_BLOCKS_LABEL_BLOCK_H
#define DRUA_BLOCKS_LABEL_BLOCK_H

#include "call.h"
#include "tile.h"

/* What is known of a label. */
typedef struct label_row {
    uint64_t pixels;
    uint64_t first; /* its first pixel, counted in the whole image; UINT64_MAX: none */
    uint32_t number; /* in the whole image; of a row in a file of a block where that is known */
    uint32_t sides; /* of the image that it touches: bit 2 * axis at its beginning, the next one at its end */
} label_row;

static inline void label_row_add(label_row *row, const label_row *other)
{
    row->pixels += other->pixels;
    row->first = other->first < row->first ? other->first : row->first;
    row->sides |= other->sides;
}

/* Refuses rows of labels up to this one, of so many bytes, that the computer's memory cannot hold: one number from a
 * file asks for all below it. */
drua_status label_rows_fit(uint32_t label, size_t bytes);

/* A pixel of an image as a number of an object, as LOAD_LABEL of kernels. */
uint32_t label_value(drua_type type, const void *pixels, size_t i);

typedef struct label_block {
    drua_box box;
    uint32_t *pixels; /* labels from 1 without gaps, 0: background; owned */
    label_row *rows; /* of label 1, 2, ...; owned */
    uint32_t count;
} label_block;

/* Gives pixels that have numbers of the whole image labels from 1 without gaps, and these numbers to the rows. */
drua_status label_block_compact(label_block *b);

/* Fills the rows from the pixels, by all cores; without rows their labels are counted first. */
drua_status label_block_measure(label_block *b, const int64_t extent[3]);
void label_block_free(label_block *b);

/* Writes the block's file; `faces`: with its faces. */
drua_status label_block_write(const label_block *b, const char *folder, int64_t number, bool faces);

/* The rows of a block; for the caller to free. */
drua_status label_block_read(const char *folder, int64_t number, label_row **rows, uint32_t *count);

/* The labels of a block's face of so many pixels across an axis, at its beginning or its end; the lower one of the
 * other axes is the faster. */
drua_status label_block_face(const char *folder, int64_t number, int axis, bool end, int64_t pixels, uint32_t *labels);

/* Removes the file. */
void label_block_remove(const char *folder, int64_t number);

#endif
