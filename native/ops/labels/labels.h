/* SPDX-License-Identifier: BSD-3-Clause */
/* What operations on label maps share. Bits of an image are in words of 32 pixels, each row starting a new word. */
#ifndef DRUA_OPS_LABELS_H
#define DRUA_OPS_LABELS_H

#include "plan.h"

/** A set of bits and, for each word, the number of set bits before it; one more entry holds the number of all. */
typedef struct drua_ranks {
    drua_view bits, before;
    uint32_t words;
} drua_ranks;

/** Numbers the bits that are set, in order. */
drua_ranks labels_rank(drua_plan *plan, drua_view bits, uint32_t words);

/** Words of 32 pixels in a row of the image. */
uint32_t labels_row_words(drua_layout layout);

/** Sets a bit for each pixel that is not 0; fails for images with too many words to count in 32 bits. */
drua_view labels_pack(drua_plan *plan, drua_view source, uint32_t *words);

/** Labels connected pixels that are not 0, in raster order of each component's first pixel. */
void labels_components(drua_plan *plan, drua_view source, drua_view destination, bool box);

/** Largest label that the image may hold: what its type can, or what the device finds, which waits. */
uint32_t labels_largest(drua_plan *plan, const char *image);

/** destination = numbers[label], 0 for labels beyond `largest`. */
void labels_gather(drua_plan *plan, drua_view labels, drua_view numbers, uint32_t largest, drua_view destination);

/** Removes labels whose flag (one uint32 for each label, background first) is not 0 and numbers the others in their order. */
void labels_exclude(drua_plan *plan, drua_view labels, drua_view flags, uint32_t largest, drua_view destination);

#define LINE(items, group) GRID(items, 1, 1, group, 1, 1)

#endif
