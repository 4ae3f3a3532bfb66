/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions shared by operations on label maps. The bits of an image are stored in words of 32 pixels; each row starts
 * a new word.
 */
#ifndef DRUA_OPS_LABELS_H
#define DRUA_OPS_LABELS_H

#include "plan.h"

/** One bit for each pixel. */
typedef struct drua_bits {
    drua_view view;
    uint32_t words, row; /**< number of words of the image, and of a row */
} drua_bits;

/**
 * Ranks of the set bits. `before`: for each word, the number of set bits before it. `chunk_counts`: intermediate counts
 * for chunks of words; the last entry is the total.
 */
typedef struct drua_ranks {
    drua_view before, chunk_counts;
    uint32_t chunks;
} drua_ranks;

/**
 * Connected runs of set bits: for each node its parent, which is always its root here, and a bit at the first pixel of
 * each root.
 */
typedef struct drua_runs {
    drua_bits bits;
    drua_view parent, roots;
} drua_runs;

/** Computes the ranks of the set bits. */
drua_ranks labels_rank(drua_plan *plan, drua_view bits, uint32_t words);

/** Returns the number of all set bits. Waits for the device. */
uint32_t labels_rank_total(drua_plan *plan, drua_ranks ranks);

/** Returns the largest number of words in an image whose nodes fit 32-bit numbers. */
uint32_t labels_max_words(drua_plan *plan);

/**
 * Returns uninitialized bits whose rows have a multiple of `multiple` words. An image with too many pixels fails the
 * call as if memory were too small.
 */
drua_bits labels_bits(drua_plan *plan, drua_layout layout, int multiple);

/** Returns bits that are set for each nonzero pixel; `multiple` as in labels_bits. */
drua_bits labels_pack(drua_plan *plan, drua_view source, int multiple);

/**
 * labels_count_spots returns the number of nonzero pixels; waits for the device. labels_list_spots writes their
 * positions in raster order to a list with one column for each.
 */
int64_t labels_count_spots(drua_plan *plan, drua_view source);
void labels_list_spots(drua_plan *plan, drua_view source, drua_view list);

/** Bits and ranks of an image that fits the device, shared by counting and listing. labels_count_found waits. */
typedef struct drua_spots {
    drua_view source;
    drua_bits bits;
    drua_ranks ranks;
    bool ranked;
} drua_spots;
drua_spots labels_find_spots(drua_plan *plan, drua_view source);
int64_t labels_count_found(drua_plan *plan, const drua_spots *spots);
void labels_list_found(drua_plan *plan, const drua_spots *spots, drua_view list);

/** Joins blocks of 2 x 2 x 2 pixels that touch by side or corner. Rows must have an even number of words. */
drua_runs labels_join_blocks(drua_plan *plan, drua_bits bits, drua_layout layout);

/** Joins runs that touch by side; with `stack`, also across slices. */
drua_runs labels_join_runs(drua_plan *plan, drua_bits bits, drua_layout layout, bool stack);

/**
 * Returns an upper bound of the labels in an image: the type's limit, or the largest label that the device finds (then
 * waits for the device).
 */
uint32_t labels_largest(drua_plan *plan, const char *image);

/** Sets "destination", which must be declared by_tiles, to numbers[label], or 0 for labels above `largest`. */
void labels_gather(drua_plan *plan, drua_view labels, drua_view numbers, uint32_t largest);

/** Sets destination to values[label]; larger labels receive the last value. */
void labels_replace(drua_plan *plan, drua_view labels, drua_view values, drua_view destination);

/**
 * Writes to "destination" the labels whose flag is 0, renumbered in their order. `flags`: one uint32 for each label,
 * background first.
 */
void labels_exclude(drua_plan *plan, drua_view labels, drua_view flags, uint32_t largest);

/** Flags labels at the borders across the axes from `first` to before `end`; a 2D image has no borders across z. */
void labels_flag_borders(drua_plan *plan, drua_view labels, int first, int end, drua_view flags);

/** Whether both images have the same size and rows that are aligned to four labels, as marching kernels need. */
bool labels_are_vec4(drua_view a, drua_view b);

/**
 * labels_march returns the number of slices through which a work-item of a marching kernel goes, and labels_march_grid
 * its grid.
 */
int32_t labels_march(drua_layout layout);
drua_grid labels_march_grid(drua_layout layout, int32_t slices);

/** The regional maxima of an image where a mask is not 0, for op->build_in_blocks. */
drua_operand labels_maxima_within(drua_plan *plan, drua_operand source, drua_operand mask, int64_t margin);

/**
 * Grow labels until no pixel is free, for op->build_in_blocks: where a mask is not 0, or in the whole image. Labels are
 * uint32.
 */
drua_operand labels_grow_within(drua_plan *plan, drua_operand labels, drua_operand mask, int64_t margin);
drua_operand labels_grow_everywhere_within(drua_plan *plan, drua_operand labels, int64_t margin);

/** Shape rule: an image that contains all points of the list "points". Waits for the device. */
void labels_shape_of_points(drua_plan *plan, drua_shape *shape);

#define LINE(items, group) GRID(items, 1, 1, group, 1, 1)

#endif
