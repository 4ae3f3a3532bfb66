/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels of attribute filters (kernels/labels/attribute_rounds.cl), which need one round per bit. A packed level
 * consists of the bits in which pixels differ, less `base`, so that the lowest one is 0. If there is NaN, numbers are
 * raised by 1 (`lift`), and 0 is NaN. Each bit of the packed levels has a plane with one bit for each pixel, in words
 * of 32 pixels; each row starts a new word.
 */
#include "levels.cl"

#define LOWEST_BIT(bits) ((bits) & -(bits))

/*
 * Collects five numbers in `seen`: the bits that are 0 in some level, the bits that are 1 in some level, whether there
 * is NaN, the complement of the lowest level, and the highest level. A group begins with the numbers that `seen` has
 * already, so that few pixels change its copy.
 */
kernel void attribute_begin(INPUT(source), volatile global uint *seen, int down)
{
    enum { ZEROS, ONES, HAS_NAN, NOT_LOWEST, HIGHEST, SEEN };
    local uint found[SEEN];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const uint item = get_local_id(1) * get_local_size(0) + get_local_id(0), before = item < SEEN ? seen[item] : 0;
    if (item < SEEN)
        found[item] = before;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local uint *const known = found;
    const bool is_inside = INSIDE(source, x, y, z);
    const uint level =
        is_inside ? load_level(source_pixels, source.type, source.type, AT(source, x, y, z), down) : 0;
    if (is_inside && source.type == FLOAT32 && level == 0) {
        known[HAS_NAN] = 1;
    } else if (is_inside) {
        if (~level & ~known[ZEROS])
            atomic_or(&known[ZEROS], ~level);
        if (level & ~known[ONES])
            atomic_or(&known[ONES], level);
        if (~level > known[NOT_LOWEST])
            atomic_max(&known[NOT_LOWEST], ~level);
        if (level > known[HIGHEST])
            atomic_max(&known[HIGHEST], level);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < NOT_LOWEST && found[item] != before)
        atomic_or(&seen[item], found[item]);
    else if (item < SEEN && found[item] != before)
        atomic_max(&seen[item], found[item]);
}

inline uint pack_level(uint level, uint varying)
{
    uint packed = 0, place = 1;
    for (uint left = varying; left; left &= left - 1, place <<= 1)
        packed |= level & LOWEST_BIT(left) ? place : 0;
    return packed;
}

/*
 * Writes the planes. A row of the work-group processes 32 pixels; each of its work-items then computes one plane's
 * word.
 */
kernel void attribute_pack(INPUT(source), global uint *planes, uint words, int row_words, int places, uint varying,
                           uint base, uint lift, int down)
{
    local uint quads[8][4][8];      /* for each row, the lowest to the highest byte of 32 levels */
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0), line = get_local_id(1);
    uint packed = 0;
    if (INSIDE(source, x, y, z)) {
        const uint level = load_level(source_pixels, source.type, source.type, AT(source, x, y, z), down);
        packed = source.type == FLOAT32 && level == 0 ? 0 : pack_level(level, varying) - base + lift;
    }
    for (int i = 0; i < 4; i++)
        ((local uchar *)quads[line][i])[lane] = packed >> 8 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= places || y >= source.height)
        return;
    uint word = 0;
    for (int i = 0; i < 8; i++)     /* the product moves four bits, one per byte, into adjacent bits */
        word |= ((quads[line][lane / 8][i] >> lane % 8 & 0x01010101u) * 0x01020408u >> 24 & 15u) << 4 * i;
    planes[(uint)lane * (ulong)words + ((uint)z * source.height + y) * row_words + (x - lane) / 32] = word;
}

inline uint unpack_level(uint packed, uint varying, uint constant_bits)
{
    uint level = constant_bits;
    for (uint left = varying; left; left &= left - 1, packed >>= 1)
        level |= packed & 1 ? LOWEST_BIT(left) : 0;
    return level;
}

/*
 * Stores the filtered image or, with `difference`, by how much the filter has changed each pixel. A row of the
 * work-group needs one word of each plane, because pixels outside the source repeat its last ones.
 */
kernel void attribute_end(global const uint *planes, INPUT(source), uint words, int row_words, int places, uint varying,
                          uint constant_bits, uint base, uint lift, int down, int difference, OUTPUT(to))
{
    local uint of_planes[8][32];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const int lane = get_local_id(0), line = get_local_id(1);
    const int i = min(x, source.width - 1), j = min(y, source.height - 1), k = min(z, source.depth - 1);
    if (lane < places)
        of_planes[line][lane] =
            planes[(uint)lane * (ulong)words + ((uint)k * source.height + j) * row_words + i / 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!INSIDE(to, x, y, z))
        return;
    uint packed = 0;
    for (int place = 0; place < places; place++)
        packed |= (of_planes[line][place] >> (i & 31) & 1) << place;
    const uint level = packed < lift ? 0 : unpack_level(packed - lift + base, varying, constant_bits),
               own = load_level(source_pixels, source.type, source.type, AT(source, i, j, k), down);
    if (!difference)
        store_level(to_pixels, to.type, source.type, AT(to, x, y, z), level, down);
    else if (source.type != FLOAT32)
        STORE_LABEL(to, x, y, z, own - level);
    else
        STORE(to, x, y, z,
              own && own == level ? 0 : fabs(float_of_level(own, down) - float_of_level(level, down)));
}

/* Writes how many of the ascending levels each pixel exceeds. Integers that float32 rounds are compared exactly. */
kernel void number_levels(INPUT(source), global const float *levels, uint count, OUTPUT(numbers))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(numbers, x, y, z))
        return;
    const float value = LOAD(source, x, y, z);
    const bool is_wide = source.type == UINT32 || source.type == INT32;
    const uint bits = is_wide ? LOAD_LABEL(source, x, y, z) : 0;
    const long exact = source.type == UINT32 ? (long)bits : (long)(int)bits;
    uint first = 0, end = count;
    while (first < end) {
        const uint middle = (first + end) / 2;
        const float level = levels[middle];
        const bool above = value > level || (is_wide && value == level && exact > (long)level);
        first = above ? middle + 1 : first;
        end = above ? end : middle;
    }
    STORE_LABEL(numbers, x, y, z, first);
}
