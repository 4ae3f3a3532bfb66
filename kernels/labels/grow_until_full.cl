/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Growth until nothing changes. Which pixels have a label, and which may get one, are bits; a step finds the words of new bits, and
 * a label is looked for only then, once for each pixel, among the neighbours that had one before the step.
 */

enum { GROW_WORDS = 256 };     /* of a group, one an item */

/* A batch starts as if its two steps before had changed something. */
kernel void grow_batch(global uint *changed, int steps)
{
    const int i = get_global_id(0);
    if (i < steps + 2)
        changed[i] = i >= steps;
}

/* A mask of any size as the labels' pixels see it. */
kernel void grow_mask(INPUT(mask), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, LOAD_CLAMPED(mask, x, y, z) != 0.0f ? 1.0f : 0.0f);
}

/* Labels outside the mask do not grow. */
kernel void grow_inside(global uint *bits, global const uint *mask, uint words)
{
    const uint word = get_global_id(0);
    if (word < words)
        bits[word] &= mask[word];
}

typedef struct {
    int row_words, width, height, depth;
} bit_image;

/* Word `next` of row dy, dz around a word, 0 beyond the image. */
#define BITS_AROUND(dy, dz, column)                                                                                              \
    ((uint)(y + (dy)) < (uint)s.height && (uint)(z + (dz)) < (uint)s.depth && (uint)(column) < (uint)s.row_words                 \
         ? bits[((uint)(z + (dz)) * s.height + y + (dy)) * s.row_words + (column)] : 0)

inline uint reached_bits(global const uint *bits, const bit_image s, int column, int y, int z, int box)
{
    uint reached = 0;
    for (int k = 0; k < 9; k++) {
        const int dy = k % 3 - 1, dz = k / 3 - 1, off = abs(dy) + abs(dz);
        if (off > 1 && !box)
            continue;
        const uint here = BITS_AROUND(dy, dz, column);
        reached |= here;
        if (off == 0 || box)
            reached |= here << 1 | BITS_AROUND(dy, dz, column - 1) >> 31 | here >> 1 | BITS_AROUND(dy, dz, column + 1) << 31;
    }
    return reached;
}

/* The largest label around a pixel; first which of them count, so that the loads of labels wait together. */
inline uint label_around(global const uint *bits, global const uint *labels, const bit_image s, int x, int y, int z, int box)
{
    global const uint *at = labels + (((ulong)z * s.height + y) * s.width + x);
    const int column = x / 32, i = x % 32;
    uint three[9], label = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        const int dy = k % 3 - 1, dz = k / 3 - 1, off = abs(dy) + abs(dz);
        const uint here = off < 2 || box ? BITS_AROUND(dy, dz, column) : 0;
        const bool sides = off == 0 || box;
        const uint before = i > 0 ? here >> (i - 1) : sides ? BITS_AROUND(dy, dz, column - 1) >> 31 : 0;
        const uint behind = i < 31 ? here >> (i + 1) : sides ? BITS_AROUND(dy, dz, column + 1) : 0;
        three[k] = (here >> i & 1) << 1 | (sides ? (before & 1) | (behind & 1) << 2 : 0);
    }
#pragma unroll
    for (int k = 0; k < 9; k++) {
        global const uint *row = at + (long)((k / 3 - 1) * s.height + k % 3 - 1) * s.width;
        label = max(label, max(three[k] & 2 ? row[0] : 0, max(three[k] & 1 ? row[-1] : 0, three[k] & 4 ? row[1] : 0)));
    }
    return label;
}

/* One step. changed[left]: when the two steps before changed nothing, nothing will. New pixels are handed out to the group's items. */
kernel void grow_until_full(global const uint *from, global uint *to, global const uint *mask, int masked, int row_words, int width, int height,
                            int depth, global uint *labels, global uint *changed, int left, int box)
{
    local ushort fresh[GROW_WORDS * 32];
    local int count;
    const bit_image s = {row_words, width, height, depth};
    const int lane = get_local_id(0);
    const uint word = get_global_id(0);
    const bool goes_on = (changed[left + 1] || changed[left + 2]) && word < (uint)row_words * height * depth;
    if (lane == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (goes_on) {
        const int column = word % row_words, rest = width - 32 * column;
        const uint here = from[word], open = ~here & (masked ? mask[word] : rest >= 32 ? 0xffffffffu : (1u << rest) - 1);
        const uint found = open ? open & reached_bits(from, s, column, word / row_words % height, word / row_words / height, box) : 0;
        to[word] = here | found;
        if (found) {
            int place = atomic_add(&count, (int)popcount(found));
            for (uint rest_of = found; rest_of; rest_of &= rest_of - 1)
                fresh[place++] = lane * 32 + BIT_NUMBER(ONE_BIT(rest_of));
            changed[left] = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = lane; k < count; k += GROW_WORDS) {
        const uint my = word - lane + fresh[k] / 32;
        const int x = my % row_words * 32 + fresh[k] % 32, y = my / row_words % height, z = my / row_words / height;
        labels[((ulong)z * height + y) * width + x] = label_around(from, labels, s, x, y, z, box);
    }
}

/* Labels of pixels whose bit is set. */
kernel void grow_finish(global const uint *labels, global const uint *bits, int row_words, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int from = min(x, width - 1);
    const ulong row = (ulong)min(z, depth - 1) * height + min(y, height - 1);
    STORE_LABEL(to, x, y, z, bits[row * row_words + from / 32] >> (from & 31) & 1 ? labels[row * width + from] : 0);
}

/* The same where the image is as large and its rows are vectors of four pixels. */
kernel void grow_finish_in_fours(global const uint *labels, global const uint *bits, int row_words, OUTPUT(to))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ulong row = (ulong)z * to.height + y;
    const uint four = bits[row * row_words + x / 32] >> (x & 31) & 15;
    uint4 label = 0;
    if (four)
        label = select(label, *(global const uint4 *)(labels + row * to.width + x), (four & (uint4)(1, 2, 4, 8)) != 0);
    store_four_labels(to_pixels, to.type, AT(to, x, y, z), label);
}
