/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores a whole number of an integer type with all its bits. STORE_WHOLE saturates. */
#include "prelude.cl"

#define LOAD_WHOLE_CLAMPED(i, x, y, z)                                                                                 \
    load_whole(i##_pixels, i.type,                                                                                     \
               AT(i, clamp((int)(x), 0, i.width - 1), clamp((int)(y), 0, i.height - 1),                                \
                  clamp((int)(z), 0, i.depth - 1)))
#define STORE_WHOLE(i, x, y, z, value) store_whole(i##_pixels, i.type, AT(i, x, y, z), value)

inline long load_whole(global const uchar *pixels, int type, INDEX at)
{
    switch (type) {
    case UINT8: return pixels[at];
    case INT8: return ((global const char *)pixels)[at];
    case UINT16: return ((global const ushort *)pixels)[at];
    case INT16: return ((global const short *)pixels)[at];
    case UINT32: return ((global const uint *)pixels)[at];
    default: return ((global const int *)pixels)[at];
    }
}

inline void store_whole(global uchar *pixels, int type, INDEX at, long value)
{
    switch (type) {
    case UINT32: ((global uint *)pixels)[at] = convert_uint_sat(value); break;
    case INT32: ((global int *)pixels)[at] = convert_int_sat(value); break;
    default: store_float(pixels, type, at, (float)value);
    }
}
