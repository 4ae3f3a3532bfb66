/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Growth until nothing changes. Which pixels have a label, and which may get one, are bits; a step finds the words of new bits, and
 * a label is looked for only then, once for each pixel, among the neighbours that had one before the step.
 */

enum { GROW_LANES = 256, GROW_LANE_BITS = 32 };

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

inline uint bits_before(global const uint *bits, const bit_image s, uint word, int column)
{
    return column > 0 ? bits[word - 1] : 0;
}

inline uint bits_behind(global const uint *bits, const bit_image s, uint word, int column)
{
    return column + 1 < s.row_words ? bits[word + 1] : 0;
}

/* Does something for each row around a word: at `next`, dy and dz away. */
#define ROWS_AROUND(action)                                                                                                      \
    for (int dz = max(-1, -z); dz <= min(1, s.depth - 1 - z); dz++)                                                              \
        for (int dy = max(-1, -y); dy <= min(1, s.height - 1 - y); dy++) {                                                       \
            const uint next = word + (uint)((dz * s.height + dy) * s.row_words);                                                 \
            action                                                                                                               \
        }

inline uint reached_bits(global const uint *bits, const bit_image s, uint word, int column, int y, int z, int box)
{
    uint reached = 0;
    ROWS_AROUND(
        const int off = abs(dy) + abs(dz);
        if (off > 1 && !box)
            continue;
        const uint here = bits[next];
        reached |= here;
        if (off == 0 || box)
            reached |= here << 1 | bits_before(bits, s, next, column) >> 31 | here >> 1 | bits_behind(bits, s, next, column) << 31;)
    return reached;
}

/* The largest label around bit i of a word. */
inline uint label_around(global const uint *bits, global const uint *labels, const bit_image s, uint word, int column, int i, int y, int z, int box)
{
    const ulong pixel = ((ulong)z * s.height + y) * s.width + 32 * column + i;
    uint label = 0;
    ROWS_AROUND(
        const int off = abs(dy) + abs(dz);
        if (off > 1 && !box)
            continue;
        const ulong row = (ulong)bits_behind(bits, s, next, column) << 33 | (ulong)bits[next] << 1 | bits_before(bits, s, next, column) >> 31;
        const uint three = (uint)(row >> i) & (off == 0 || box ? 7 : 2);
        global const uint *at = labels + (pixel + (long)(dz * s.height + dy) * s.width);
        if (three & 1)
            label = max(label, at[-1]);
        if (three & 2)
            label = max(label, at[0]);
        if (three & 4)
            label = max(label, at[1]);)
    return label;
}

/* One step. changed[left]: when the two steps before changed nothing, nothing will. Pixels of a word are neighbouring work-items. */
kernel void grow_until_full(global const uint *from, global uint *to, global const uint *mask, int masked, int row_words, int width, int height,
                            int depth, global uint *labels, global uint *changed, int left, int box)
{
    local uint words[GROW_LANES], fresh[GROW_LANES];
    local int count;
    const bit_image s = {row_words, width, height, depth};
    const int lane = get_local_id(0);
    const uint word = get_global_id(0);
    const bool goes_on = (changed[left + 1] || changed[left + 2]) && word < (uint)row_words * height * depth;
    if (lane == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (goes_on) {
        const int column = word % row_words, y = word / row_words % height, z = word / row_words / height, rest = width - 32 * column;
        const uint here = from[word], open = ~here & (masked ? mask[word] : rest >= 32 ? 0xffffffffu : (1u << rest) - 1);
        const uint found = open ? open & reached_bits(from, s, word, column, y, z, box) : 0;
        to[word] = here | found;
        if (found) {
            const int place = atomic_inc(&count);
            words[place] = word;
            fresh[place] = found;
            changed[left] = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = lane % GROW_LANE_BITS;
    for (int k = lane / GROW_LANE_BITS; k < count; k += GROW_LANES / GROW_LANE_BITS) {
        const uint my = words[k];
        const int column = my % row_words, y = my / row_words % height, z = my / row_words / height;
        if (fresh[k] >> i & 1)
            labels[((ulong)z * height + y) * width + 32 * column + i] = label_around(from, labels, s, my, column, i, y, z, box);
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
