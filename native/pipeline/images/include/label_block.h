/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The labels of one block, and the file that stores what joining the blocks needs: one row for each label, and the
 * faces of the block.
 */
#ifndef DRUA_PIPELINE_LABEL_BLOCK_H
#define DRUA_PIPELINE_LABEL_BLOCK_H

#include "call.h"
#include "tile.h"

/* Properties of a label. */
typedef struct label_row {
    uint64_t pixels;
    uint64_t first; /* index of its first pixel in the whole image; UINT64_MAX: the label has no pixel */
    /*
     * Its number in the whole image; in a block's file only if that number is known. A row with number 0 in the file
     * means that the block has no label but an odd pixel (label_odd_pixel), whose bits as float32 are in `sides`.
     */
    uint32_t number;
    /* the sides of the image that it touches: bit 2 * axis for the beginning, the next bit for the end */
    uint32_t sides;
} label_row;

static inline void label_row_add(label_row *row, const label_row *other)
{
    row->pixels += other->pixels;
    row->first = other->first < row->first ? other->first : row->first;
    row->sides |= other->sides;
}

/*
 * Fails if `bytes` bytes, which hold one row for every label up to this one, exceed a quarter of host memory: systems
 * end processes that use all of it. A single large number in a damaged file would require such a table.
 */
drua_status label_rows_fit(uint32_t label, size_t bytes);

/* Converts a pixel of an image to an object number, like LOAD_LABEL of the kernels. */
uint32_t label_value(drua_type type, const void *pixels, size_t i);

/* Returns a pixel of any type. */
double label_pixel(drua_type type, const void *pixels, size_t i);

/*
 * Returns the first odd pixel from `begin` to before `end`. An odd pixel is neither a label nor 0: it is negative, NaN
 * or between 0 and 1. Returns 0 if every pixel is a label or 0.
 */
double label_odd_pixel(drua_type type, const void *pixels, size_t begin, size_t end);

/* Fails because a label map has no label but this odd pixel. */
drua_status label_map_refuse(double odd);

typedef struct label_block {
    drua_box box;
    uint32_t *pixels; /* labels from 1 without gaps, 0: background; owned */
    label_row *rows; /* rows of labels 1, 2, ...; owned */
    uint32_t count;
} label_block;

/*
 * Replaces object numbers of the whole image in the pixels with labels from 1 without gaps, and stores the numbers in
 * the rows.
 */
drua_status label_block_compact(label_block *b);

/* Adds the row of an odd pixel to a measured block without labels, if the pixels from which it was made have one. */
void label_block_note_odd(label_block *b, drua_type type, const void *pixels);

/* Fills the rows from the pixels, on all cores. If the rows are not allocated, counts the labels and allocates them. */
drua_status label_block_measure(label_block *b, const int64_t extent[3]);
void label_block_free(label_block *b);

/* Writes the block's file; `faces`: also write the faces. */
drua_status label_block_write(const label_block *b, const char *folder, int64_t number, bool faces);

/* Removes the block's file. */
void label_block_remove(const char *folder, int64_t number);

#endif
