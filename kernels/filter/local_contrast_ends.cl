/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions before and after the equalization of local_contrast.cl and local_contrast_fast.cl. */
#include "quotient.cl"

/* Converts grey values to 8 bits: those of uint8 stay, and others are scaled from `low` to `high`. */
kernel void contrast_levels(INPUT(from), global uchar *levels, float low, float high)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(from, x, y, z))
        return;
    const float value = LOAD(from, x, y, z),
                part = QUOTIENT(value - low, high - low) * 255.0f + 0.5f,
                scaled = from.type == UINT8 || !(high > low) ? value : part;
    levels[((long)z * from.height + y) * from.width + x] = isnan(scaled) ? 0 : (uchar)clamp(scaled, 0.0f, 255.0f);
}

/* The weights of a mask: 0 keeps a pixel, and the largest value equalizes it fully. */
kernel void contrast_weights(INPUT(mask), global float *weights, float largest)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(mask, x, y, z))
        return;
    const float weight = largest > 0 ? QUOTIENT(LOAD(mask, x, y, z), largest) : 0;
    weights[((long)z * mask.height + y) * mask.width + x] = isnan(weight) ? 0 : clamp(weight, 0.0f, 1.0f);
}

/* Scales each grey value above `low` as its 8-bit value was scaled, as far as the mask lets it. */
kernel void contrast_apply(INPUT(from), global const uchar *levels, global const uchar *made,
                           global const float *weights, int masked, float low, OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = min(x, from.width - 1), j = min(y, from.height - 1), k = min(z, from.depth - 1);
    const long at = ((long)k * from.height + j) * from.width + i;
    const float level = levels[at], result = made[at], value = LOAD(from, i, j, k),
                scale = level == 0.0f ? 1.0f : QUOTIENT(result, level),
                weight = masked ? weights[at] : 1.0f, scaled = weight * (scale * (value - low) + low - value) + value;
    if (from.type == UINT8)
        STORE(to, x, y, z, masked ? floor(weight * result + (1.0f - weight) * value + 0.5f) : result);
    else
        STORE(to, x, y, z, from.type == FLOAT32 ? scaled : floor(scaled + 0.5f));
}
