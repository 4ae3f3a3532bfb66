/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts floods that lower peaks or fill pits by a height. */
#include "levels.cl"

/* The level of the smallest number of an integer type; `down`: of the largest number. */
inline uint lowest_level(int type, bool down)
{
    switch (type) {
    case UINT8: return down ? ~255u : 0;
    case UINT16: return down ? ~65535u : 0;
    case INT8: return down ? ~(127u ^ SIGN_BIT) : (uint)-128 ^ SIGN_BIT;
    case INT16: return down ? ~(32767u ^ SIGN_BIT) : (uint)-32768 ^ SIGN_BIT;
    default: return 0;
    }
}

/* Starts at the image minus `height`, limited by the image. `down`: starts at the image plus `height`. */
kernel void geodesic_begin_lowered(INPUT(source), global uint *levels, global uint *limits, float height, int down)
{
    BEGIN_AT_PIXEL(source);
    const INDEX pixel = AT(source, x, y, z);
    const int type = source.type;
    const uint own = load_level(source_pixels, type, type, pixel, down);
    limits[at] = own;
    if (type == FLOAT32) {
        const float value = load_float(source_pixels, type, pixel);
        levels[at] = level_of_float(down ? value + height : value - height, down);
    } else
        levels[at] = own - min(own - lowest_level(type, down), convert_uint_sat(height));
}
