/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Renumbers labels by their first appearance in raster order, or closes the gaps after labels have been removed and
 * keeps the order.
 */
#include "bit_lines.cl"

enum { NOWHERE = 0xffffffff };

/*
 * first[label] receives the smallest raster position of the label's pixels. Only a pixel that differs from its left and
 * upper neighbours can be the first.
 */
kernel void first_positions(INPUT(labels), volatile global uint *first)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z);
    if (label == 0 || (x > 0 && LOAD_LABEL(labels, x - 1, y, z) == label) ||
        (y > 0 && LOAD_LABEL(labels, x, y - 1, z) == label))
        return;
    const uint at = ((uint)z * labels.height + y) * labels.width + x;
    if (first[label] > at)
        atomic_min(&first[label], at);
}

/*
 * Like first_positions, for rows that are aligned to four pixels; a work-item walks down the rows and keeps the row
 * above in registers.
 */
kernel void first_positions_vec4(INPUT(labels), volatile global uint *first, int rows)
{
    const int x = 4 * (int)get_global_id(0), top = (int)get_global_id(1) * rows, z = (int)get_global_id(2);
    if (!INSIDE(labels, x, top, z))
        return;
    uint4 above = top > 0 ? load_four_words(labels_pixels, labels.type, AT(labels, x, top - 1, z)) : 0;
    for (int y = top; y < min(top + rows, labels.height); y++) {
        const uint4 here = load_four_words(labels_pixels, labels.type, AT(labels, x, y, z));
        uint4 next = select((uint4)(0), here, here != above);
        if (any(next != 0)) {
            const uint left = x > 0 ? load_word(labels_pixels, labels.type, AT(labels, x - 1, y, z)) : 0;
            next = select((uint4)(0), next, here != (uint4)(left, here.xyz) && FIRST_OF_FOUR(labels.width - x));
            uint at = ((uint)z * labels.height + y) * labels.width + x;
            for (int i = 0; i < 4; i++, at++, next = next.yzwx) {
                const uint label = label_of_word(next.x, labels.type);
                if (label > 0 && first[label] > at)
                    atomic_min(&first[label], at);
            }
        }
        above = here;
    }
}

kernel void fill_words(global uint *words, uint value, uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        words[i] = value;
}

/* Sets a bit at the first position of each label. */
kernel void first_bits(global const uint *first, global uint *bits, uint count)
{
    const uint label = get_global_id(0);
    if (label < count && first[label] != NOWHERE)
        atomic_or(&bits[first[label] / 32], 1u << first[label] % 32);
}

kernel void first_numbers(global const uint *first, global const uint *bits, global const uint *before,
                          global uint *numbers, uint count)
{
    const uint label = get_global_id(0);
    if (label < count)
        numbers[label] = first[label] == NOWHERE ? 0 : rank_of(bits, before, first[label] / 32, first[label] % 32);
}

/*
 * Numbers few labels: 32 work-items per label count the labels that come before it. `first` is padded to a whole quad
 * with NOWHERE.
 */
enum { NUMBER_LANES = 32, NUMBER_LABELS = 8 };

kernel void few_numbers(global const uint4 *first, global uint *numbers, uint count)
{
    local uint lanes[NUMBER_LABELS][NUMBER_LANES];
    const int lane = get_local_id(0), mine = get_local_id(1);
    const uint label = get_global_id(1), quads = (count + 3) / 4,
               at = label < count ? ((global const uint *)first)[label] : NOWHERE;
    int4 earlier = 0;
#pragma unroll 4
    for (uint i = lane; i < quads; i += NUMBER_LANES)
        earlier -= first[i] < (uint4)(at);
    lanes[mine][lane] = (uint)(earlier.x + earlier.y + earlier.z + earlier.w);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0;
    for (int i = 0; lane == 0 && i < NUMBER_LANES; i++)
        before += lanes[mine][i];
    if (lane == 0 && label < count)
        numbers[label] = at == NOWHERE ? 0 : before + 1;
}

/*
 * flags[label] = 1 if the label touches the border; a plane has no border along z. `labels` is a part of an image of
 * this height and depth, from row y0 and slice z0 on.
 */
kernel void border_flags(INPUT(labels), global uint *flags, int first, int height, int depth, int y0, int z0)
{
    const int u = (int)get_global_id(0), v = (int)get_global_id(1), side = first + (int)get_global_id(2);
    const int far = side & 1;
    int3 at;
    switch (side / 2) {
    case 0: at = (int3)(far ? labels.width - 1 : 0, u, v); break;
    case 1: at = (int3)(u, far ? height - 1 : 0, v); break;
    default: at = (int3)(u, v, far ? depth - 1 : 0);
    }
    if (at.y >= y0 && at.z >= z0 && INSIDE(labels, at.x, at.y, at.z))
        flags[LOAD_LABEL(labels, at.x, at.y, at.z)] = 1;
}

/* Sets a bit for each label above 0 without a flag. */
kernel void kept_bits(global const uint *flags, global uint *bits, uint words, uint count)
{
    const uint word = get_global_id(0);
    if (word >= words)
        return;
    uint kept = 0;
    for (uint i = 0; i < 32; i++)
        if (word * 32 + i > 0 && word * 32 + i < count && flags[word * 32 + i] == 0)
            kept |= 1u << i;
    bits[word] = kept;
}

kernel void kept_numbers(global const uint *bits, global const uint *before, global uint *numbers, uint count)
{
    const uint label = get_global_id(0);
    if (label < count)
        numbers[label] = bits[label / 32] >> label % 32 & 1 ? rank_of(bits, before, label / 32, label % 32) : 0;
}

kernel void gather_labels(INPUT(labels), global const uint *numbers, uint largest, OUTPUT(destination))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(destination, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(labels, x, y, z);
    STORE_LABEL(destination, x, y, z, label <= largest ? numbers[label] : 0);
}

kernel void gather_labels_vec4(INPUT(labels), global const uint *numbers, uint largest, OUTPUT(destination))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(destination, x, y, z))
        return;
    const uint4 label = LOAD_FOUR_LABELS(labels, x, y, z), known = min(label, largest);
    const uint4 number = (uint4)(numbers[known.x], numbers[known.y], numbers[known.z], numbers[known.w]);
    STORE_FOUR_LABELS(destination, x, y, z, select(number, (uint4)(0), label > largest));
}
