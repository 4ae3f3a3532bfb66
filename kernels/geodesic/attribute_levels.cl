/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels of attribute filters (kernels/labels/attribute_rounds.cl), which need one round per bit. A packed level
 * consists of the bits in which pixels differ, less `base`, so that the lowest one is 0. If there is NaN, numbers are
 * raised by 1 (`lift`), and 0 is NaN.
 */
#include "levels.cl"

#define LOWEST_BIT(bits) ((bits) & -(bits))

/*
 * Writes all levels, and collects five numbers in `seen`: the bits that are 0 in some level, the bits that are 1 in
 * some level, whether there is NaN, the complement of the lowest level, and the highest level.
 */
kernel void attribute_begin(INPUT(source), global uint *levels, volatile global uint *seen, int down)
{
    BEGIN_AT_PIXEL(source);
    const uint level = load_level(source_pixels, source.type, source.type, AT(source, x, y, z), down);
    levels[at] = level;
    if (source.type == FLOAT32 && level == 0) {
        seen[2] = 1;
        return;
    }
    if (~level & ~seen[0])
        atomic_or(&seen[0], ~level);
    if (level & ~seen[1])
        atomic_or(&seen[1], level);
    if (~level > seen[3])
        atomic_max(&seen[3], ~level);
    if (level > seen[4])
        atomic_max(&seen[4], level);
}

kernel void attribute_pack(global uint *levels, ulong count, uint varying, uint base, uint lift, int is_float)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const uint level = levels[i];
    uint packed = 0, place = 1;
    for (uint left = varying; left; left &= left - 1, place <<= 1)
        packed |= level & LOWEST_BIT(left) ? place : 0;
    levels[i] = is_float && level == 0 ? 0 : packed - base + lift;
}

inline uint unpack_level(uint packed, uint varying, uint constant_bits)
{
    uint level = constant_bits;
    for (uint left = varying; left; left &= left - 1, packed >>= 1)
        level |= packed & 1 ? LOWEST_BIT(left) : 0;
    return level;
}

/* Stores the filtered image or, with `difference`, by how much the filter has changed each pixel. */
kernel void attribute_end(global const uint *levels, INPUT(source), uint varying, uint constant_bits, uint base,
                          uint lift, int down, int difference, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int i = min(x, source.width - 1), j = min(y, source.height - 1), k = min(z, source.depth - 1);
    const uint packed = levels[DENSE_AT(source, i, j, k)],
               level = packed < lift ? 0 : unpack_level(packed - lift + base, varying, constant_bits),
               own = load_level(source_pixels, source.type, source.type, AT(source, i, j, k), down);
    if (!difference)
        store_level(to_pixels, to.type, source.type, AT(to, x, y, z), level, down);
    else if (source.type != FLOAT32)
        STORE_LABEL(to, x, y, z, own - level);
    else
        STORE(to, x, y, z,
              own && own == level ? 0 : fabs(float_of_level(own, down) - float_of_level(level, down)));
}
