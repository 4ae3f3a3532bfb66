/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations on label maps share. Bits of an image are in words of 32 pixels, each row starting a new word. */
#ifndef DRUA_OPS_LABELS_H
#define DRUA_OPS_LABELS_H

#include "plan.h"

/** One bit for each pixel. */
typedef struct drua_bits {
    drua_view view;
    uint32_t words, row;        /**< words of the image and of a row */
} drua_bits;

/** For each word of a bit set the number of set bits before it; and the same for chunks of words, with the total at the
 * end. */
typedef struct drua_ranks {
    drua_view before, chunk_counts;
    uint32_t chunks;
} drua_ranks;

/** Connected runs of set bits: a parent for each node, here always its root, and a bit at each root's first pixel. */
typedef struct drua_runs {
    drua_bits bits;
    drua_view parent, roots;
} drua_runs;

/** Numbers the bits that are set, in order. */
drua_ranks labels_rank(drua_plan *plan, drua_view bits, uint32_t words);

/** Number of all set bits. Waits for the device. */
uint32_t labels_rank_total(drua_plan *plan, drua_ranks ranks);

/** How many words an image may have whose nodes 32 bits count. */
uint32_t labels_most_words(drua_plan *plan);

/** Undefined bits, `multiple` words a row or a multiple of that; where the image has too many, fails as if memory were
 * too small. */
drua_bits labels_bits(drua_plan *plan, drua_layout layout, int multiple);

/** Sets a bit for each pixel that is not 0, `multiple` words a row as labels_bits. */
drua_bits labels_pack(drua_plan *plan, drua_view source, int multiple);

/** How many pixels are not 0; waits for the device. Their positions, in raster order, to a list with a column for each.
 */
int64_t labels_count_spots(drua_plan *plan, drua_view source);
void labels_list_spots(drua_plan *plan, drua_view source, drua_view list);

/** Bits and ranks of an image that the device holds, so that counting and listing share them; counting waits. */
typedef struct drua_spots {
    drua_view source;
    drua_bits bits;
    drua_ranks ranks;
    bool ranked;
} drua_spots;
drua_spots labels_find_spots(drua_plan *plan, drua_view source);
int64_t labels_count_found(drua_plan *plan, const drua_spots *spots);
void labels_list_found(drua_plan *plan, const drua_spots *spots, drua_view list);

/** Joins blocks of 2 x 2 x 2 pixels that touch by side or corner; rows have an even number of words. */
drua_runs labels_join_blocks(drua_plan *plan, drua_bits bits, drua_layout layout);

/** Joins runs that touch by side, with `stack` also across planes. */
drua_runs labels_join_runs(drua_plan *plan, drua_bits bits, drua_layout layout, bool stack);

/** Largest label that the image may hold: the type's limit, or the largest that the device finds (waits for the
 * device). */
uint32_t labels_largest(drua_plan *plan, const char *image);

/** "destination" = numbers[label], 0 for labels beyond `largest`; it must say by_slices. */
void labels_gather(drua_plan *plan, drua_view labels, drua_view numbers, uint32_t largest);

/** destination = values[label], the last value for larger labels. */
void labels_replace(drua_plan *plan, drua_view labels, drua_view values, drua_view destination);

/** The same of labels whose flag (one uint32 for each label, background first) is 0, numbered in their order. */
void labels_exclude(drua_plan *plan, drua_view labels, drua_view flags, uint32_t largest);

/** Flags labels at the borders across the axes from `first` to before `end`; a plane has no borders across z. */
void labels_flag_borders(drua_plan *plan, drua_view labels, int first, int end, drua_view flags);

/** Whether both images have one size and rows that begin with vectors of four labels, as marching kernels need. */
bool labels_are_vec4(drua_view a, drua_view b);

/** Slices that a work-item of such a kernel goes through, and its grid. */
int32_t labels_march(drua_layout layout);
drua_grid labels_march_grid(drua_layout layout, int32_t slices);

/** Shape rule: an image that holds every point of the list "points". Waits for the device. */
void labels_shape_of_points(drua_plan *plan, drua_shape *shape);

#define LINE(items, group) GRID(items, 1, 1, group, 1, 1)

#endif
