/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grows labels until nothing changes. Two sets of bits say which pixels have a label and which may get one. A step
 * computes the new bits of a word. It searches for a label only once for each new pixel, among the neighbours that had
 * one before the step.
 */
#include "components.cl"

enum { GROW_WORDS = 256 };     /* words of a work-group, one per work-item */

/* Starts a batch as if the two steps before it had changed something. */
kernel void grow_batch(global uint *changed, int steps)
{
    const int i = get_global_id(0);
    if (i < steps + 2)
        changed[i] = i >= steps;
}

/* Clamps a mask of any size to the extent of the labels. */
kernel void grow_mask(INPUT(mask), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, LOAD_CLAMPED(mask, x, y, z) != 0.0f ? 1.0f : 0.0f);
}

/* Clears the bits of labels outside the mask, which do not grow. */
kernel void grow_inside(global uint *bits, global const uint *mask, uint words)
{
    const uint word = get_global_id(0);
    if (word < words)
        bits[word] &= mask[word];
}

/*
 * Offsets from a pixel to its neighbours in rows y - 1 and y + 1 and slices z - 1 and z + 1. An offset beyond the
 * border is 0, which leads to the pixel itself.
 */
typedef struct {
    INDEX up, down, front, back;
} next_rows;

inline next_rows rows_around(int y, int z, int height, int depth, int row)
{
    const INDEX plane = (INDEX)row * height;
    const next_rows n = {y > 0 ? -row : 0, y < height - 1 ? row : 0, z > 0 ? -plane : 0, z < depth - 1 ? plane : 0};
    return n;
}

/* Runs a statement for each row of the box around a pixel; `at` is the offset of the row. */
#define EACH_ROW(n, depth, at)                                                                                         \
    for (int k_ = depth > 1 ? -1 : 0; k_ <= (depth > 1 ? 1 : 0); k_++)                                                 \
        for (INDEX j_ = -1, at = (k_ < 0 ? n.front : k_ > 0 ? n.back : 0) + n.up; j_ <= 1;                             \
             j_++, at = (k_ < 0 ? n.front : k_ > 0 ? n.back : 0) + (j_ > 0 ? n.down : 0))

/* The bits of a word and their neighbours in the row; `before` and `after` are the words next to it. */
inline uint spread_by_one(uint here, uint before, uint after)
{
    return here | here << 1 | before >> 31 | here >> 1 | after << 31;
}

inline uint reached_bits(global const uint *word, const next_rows n, int depth, bool is_first, bool is_last, int box)
{
    const int left = is_first ? 0 : -1, right = is_last ? 0 : 1;
    uint here = 0, before = 0, after = 0, straight = 0;
    if (box) {
        EACH_ROW(n, depth, at) {
            here |= word[at];
            before |= word[at + left];
            after |= word[at + right];
        }
    } else {
        here = word[0];
        before = word[left];
        after = word[right];
        straight = word[n.up] | word[n.down] | word[n.front] | word[n.back];
    }
    return straight | spread_by_one(here, is_first ? 0 : before, is_last ? 0 : after);
}

/* The bits of three pixels of a row: before i, at i, after i. */
inline uint three_bits(global const uint *word, int i, bool is_first, bool is_last)
{
    if (i == 0)
        return (word[0] << 1 & 6) | (is_first ? 0 : word[-1] >> 31);
    return (word[0] >> (i - 1) & 7) | (i < 31 || is_last ? 0 : (word[1] & 1) << 2);
}

/* The largest label among the neighbours of a pixel that have a bit. */
inline uint label_around(global const uint *word, global const uint *pixel, const next_rows words,
                         const next_rows pixels, int depth, int i, bool is_first, bool is_last, int box)
{
    const uint sides = three_bits(word, i, is_first, is_last);
    uint label = max(sides & 1 ? pixel[-1] : 0, sides & 4 ? pixel[1] : 0);
    if (!box)
        return max(max(label, max(word[words.up] >> i & 1 ? pixel[pixels.up] : 0,
                                  word[words.down] >> i & 1 ? pixel[pixels.down] : 0)),
                   max(word[words.front] >> i & 1 ? pixel[pixels.front] : 0,
                       word[words.back] >> i & 1 ? pixel[pixels.back] : 0));
    for (int k = depth > 1 ? -1 : 0; k <= (depth > 1 ? 1 : 0); k++) {
        const INDEX slice = k < 0 ? words.front : k > 0 ? words.back : 0;
        global const uint *row = pixel + (k < 0 ? pixels.front : k > 0 ? pixels.back : 0);
        const uint above = three_bits(word + slice + words.up, i, is_first, is_last),
                   below = three_bits(word + slice + words.down, i, is_first, is_last);
        const uint middle = k == 0 ? 0 : three_bits(word + slice, i, is_first, is_last);
        global const uint *up = row + pixels.up, *down = row + pixels.down;
        label = max(label, max(above & 1 ? up[-1] : 0, max(above & 2 ? up[0] : 0, above & 4 ? up[1] : 0)));
        label = max(label, max(below & 1 ? down[-1] : 0, max(below & 2 ? down[0] : 0, below & 4 ? down[1] : 0)));
        label = max(label, max(middle & 1 ? row[-1] : 0, max(middle & 2 ? row[0] : 0, middle & 4 ? row[1] : 0)));
    }
    return label;
}

/*
 * Runs one step. `label_row` is the stride of rows of labels. changed[left] says whether the step changed something;
 * `left` counts down. If two steps in a row change nothing, no later step will. The new pixels are divided among the
 * work-items of the group.
 */
kernel void grow_until_full(global const uint *from, global uint *to, global const uint *mask, int masked,
                            int row_words, int width, int height, int depth, global uint *labels, int label_row,
                            global uint *changed, int left, int box)
{
    local ushort fresh[GROW_WORDS * 32];
    local int places[3 * GROW_WORDS];
    local int count;
    const int lane = get_local_id(0);
    const uint word = get_global_id(0);
    const bool goes_on = (changed[left + 1] || changed[left + 2]) && word < (uint)row_words * height * depth;
    if (lane == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (goes_on) {
        const int column = word % row_words, rest = width - 32 * column;
        const uint here = from[word], open = ~here & (masked       ? mask[word]
                                                      : rest >= 32 ? 0xffffffffu
                                                                   : (1u << rest) - 1);
        const int y = open ? word / row_words % height : 0, z = open ? word / row_words / height : 0;
        const uint found = open ? open & reached_bits(from + word, rows_around(y, z, height, depth, row_words), depth,
                                                      column == 0, column == row_words - 1, box)
                                : 0;
        to[word] = here | found;
        if (found) {
            int place = atomic_add(&count, (int)popcount(found));
            for (uint rest_of = found; rest_of; rest_of &= rest_of - 1)
                fresh[place++] = lane * 32 + BIT_NUMBER(ONE_BIT(rest_of));
            places[lane] = column;
            places[lane + GROW_WORDS] = y;
            places[lane + 2 * GROW_WORDS] = z;
            set_flag(changed + left);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = lane; k < count; k += GROW_WORDS) {
        const int my = fresh[k] / 32, i = fresh[k] % 32, column = places[my], y = places[my + GROW_WORDS],
                  z = places[my + 2 * GROW_WORDS];
        global uint *pixel = labels + (((ulong)z * height + y) * label_row + column * 32 + i);
        *pixel = label_around(from + (word - lane + my), pixel, rows_around(y, z, height, depth, row_words),
                              rows_around(y, z, height, depth, label_row), depth, i, column == 0,
                              column == row_words - 1, box);
    }
}

/* Writes the labels of pixels whose bit is set, unless the last launch of a batch changed something. */
kernel void grow_finish(global const uint *changed, global const uint *labels, int label_row, global const uint *bits,
                        int row_words, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z) || changed[0])
        return;
    const int from = min(x, width - 1);
    const ulong row = (ulong)min(z, depth - 1) * height + min(y, height - 1);
    STORE_LABEL(to, x, y, z, bits[row * row_words + from / 32] >> (from & 31) & 1 ? labels[row * label_row + from] : 0);
}

/* Like grow_finish, for an image of equal extent whose rows are aligned to four pixels. */
kernel void grow_finish_vec4(global const uint *changed, global const uint *labels, int label_row,
                             global const uint *bits, int row_words, OUTPUT(to))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z) || changed[0])
        return;
    const ulong row = (ulong)z * to.height + y;
    const uint four = bits[row * row_words + x / 32] >> (x & 31) & 15;
    uint4 label = 0;
    if (four)
        label = select(label, *(global const uint4 *)(labels + row * label_row + x), (four & (uint4)(1, 2, 4, 8)) != 0);
    STORE_FOUR_LABELS(to, x, y, z, label);
}
