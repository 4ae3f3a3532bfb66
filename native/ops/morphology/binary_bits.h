/* SPDX-License-Identifier: BSD-3-Clause */
/* A binary image as bits, for dilation; see kernels/morphology/binary.cl. */
#ifndef DRUA_BINARY_BITS_H
#define DRUA_BINARY_BITS_H

#include "plan.h"

typedef struct drua_mask {
    drua_view bits, spare;
    int32_t row;
    union {
        struct {
            int32_t width, height, depth;
        };
        int32_t extent[3];
    };
    int64_t words;
} drua_mask;

/**
 * Returns a bit for each nonzero pixel of the source or, with `invert`, for each zero pixel. The mask has the larger
 * extents of source and destination; borders are repeated.
 */
drua_mask mask_pack(drua_plan *plan, bool invert);

/** Dilates with a box or diamond of the given radius; `flat`: each slice separately. */
void mask_grow(drua_plan *plan, drua_mask *mask, int64_t radius, bool box, bool flat);
void mask_invert(drua_plan *plan, const drua_mask *mask);

/** Writes the mask to the destination as 0 and 1. */
void mask_unpack(drua_plan *plan, const drua_mask *mask, bool invert);

#define MASK_ARGUMENTS(mask)                                                                                           \
    POINTER((mask)->bits), INT((mask)->row), INT((mask)->width), INT((mask)->height), INT((mask)->depth)

#endif
