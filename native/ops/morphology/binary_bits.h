/* SPDX-License-Identifier: BSD-3-Clause */
/* A binary image as bits that grow; see kernels/morphology/binary.cl. */
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

/** Bits of the source, or of what is 0, over the larger of source and destination, borders repeated. */
drua_mask mask_pack(drua_plan *plan, bool invert);

/** Dilates by a box or diamond of the given radius; flat: each slice by itself. */
void mask_grow(drua_plan *plan, drua_mask *mask, int64_t radius, bool box, bool flat);
void mask_invert(drua_plan *plan, const drua_mask *mask);

/** Writes 0 and 1 to the destination. */
void mask_unpack(drua_plan *plan, const drua_mask *mask, bool invert);

#define MASK_ARGUMENTS(mask)                                                                                           \
    POINTER((mask)->bits), INT((mask)->row), INT((mask)->width), INT((mask)->height), INT((mask)->depth)

#endif
