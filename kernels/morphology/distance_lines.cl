/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Octagonal distances without erosions, for thick objects. Let (a, b, c) be the offset of a pixel from a background
 * pixel. n erosions, the first of them across faces, remove the pixel if each of a, b, c is at most n, each sum of two
 * at most n + n/2, and the sum of all three at most n + n/2 * 2, with n/2 rounded down. A row therefore needs only its
 * nearest background pixel. Along y and z, lines are searched outwards in blocks of eight pixels. In volumes the search
 * uses one background pixel per slice, the nearest in that slice, although another may be nearer to pixels of other
 * slices. The result is therefore never too small, and relaxation corrects it.
 */
#include "binary.cl"

enum { LINE_BLOCK = 8, FAR = 65534 };

/* Tests whether all pixels of a block of 32 x 32 x 32 are set; one work-group per block. */
kernel void distance_is_thick(global const uint *bits, int row_words, int height, int depth, global uint *thick)
{
    local int gaps;
    const int lane = get_local_id(0), y = 32 * (int)get_global_id(1), z = 32 * (int)get_global_id(2),
              column = get_group_id(0);
    if (lane == 0)
        gaps = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all_set = 0xffffffffu;
    for (int i = lane; i < 1024; i += 64)
        if (y + i % 32 < height && z + i / 32 < depth)
            all_set &= bits[((ulong)(z + i / 32) * height + y + i % 32) * row_words + column];
    if (all_set != 0xffffffffu)
        gaps = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && !gaps)
        *thick = 1;
}

#define BACKGROUND(w) (~row[w] & word_mask(w, width))
#define LOWEST_BIT(w) (31 - (int)clz((w) & -(w)))
#define HIGHEST_BIT(w) (31 - (int)clz(w))

/*
 * Distance from pixel `from` of a word to the nearest background pixel in the words before it; FAR if they have none.
 * distance_behind does the same for the words after it.
 */
inline int distance_before(global const uint *row, int word, int from)
{
    int w = word - 1;
    while (w >= 0 && row[w] == 0xffffffffu)
        w--;
    return w >= 0 ? (word - w) * 32 + from - HIGHEST_BIT(~row[w]) : FAR;
}

inline int distance_behind(global const uint *row, int row_words, int width, int word, int from)
{
    int w = word + 1;
    while (w < row_words - 1 && row[w] == 0xffffffffu)
        w++;
    return w < row_words && BACKGROUND(w) ? (w - word) * 32 + LOWEST_BIT(BACKGROUND(w)) - from : FAR;
}

/*
 * Distance along the row for eight pixels in eight rows, and the smallest of the eight. Marks slices, and blocks of
 * slices, that have background.
 */
kernel void distance_in_rows(global const uint *bits, int row_words, int width, int height, int depth,
                             global ushort8 *in_row, global ushort8 *lowest, global uint *present)
{
    const int eight = get_global_id(0), word = eight / 4, first = eight % 4 * 8, block = get_global_id(1),
              z = get_global_id(2);
    if (word >= row_words)
        return;
    ushort8 min_value = FAR;
    for (int y = block * LINE_BLOCK; y < min((block + 1) * LINE_BLOCK, height); y++) {
        const ulong line = (ulong)z * height + y;
        global const uint *row = bits + line * row_words;
        const uint here = BACKGROUND(word), earlier = here & ((1u << first) - 1),
                   later = first < 24 ? here >> (first + 8) : 0;
        int left = earlier ? first - 1 - HIGHEST_BIT(earlier) : distance_before(row, word, first - 1);
        int right = later ? LOWEST_BIT(later) : distance_behind(row, row_words, width, word, first + 8);
        ushort distance[8];
        for (int i = 0; i < 8; i++) {
            left = here >> (first + i) & 1 ? 0 : left + 1;
            distance[i] = min(left, (int)FAR);
        }
        for (int i = 7; i >= 0; i--) {
            right = here >> (first + i) & 1 ? 0 : right + 1;
            distance[i] = min((int)distance[i], right);
        }
        const ushort8 found = vload8(0, distance);
        in_row[line * row_words * 4 + eight] = found;
        min_value = min(min_value, found);
    }
    lowest[((ulong)z * get_global_size(1) + block) * row_words * 4 + eight] = min_value;
    if (any(min_value != (ushort8)(FAR)) && !present[z]) {
        present[z] = 1;
        present[depth + z / LINE_BLOCK] = 1;
    }
}

/* Three times the distance in a slice before it is rounded up. */
inline uint4 flat_norm(uint4 a, uint b)
{
    return max(3 * max(a, b), 2 * (a + b));
}

/* Six times the distance before it is rounded up. */
inline uint4 solid_norm(uint4 a, uint4 b, uint c)
{
    const uint4 longest = max(max(a, b), c), sum = a + b + c, pair = sum - min(min(a, b), c);
    return max(max(6 * longest, 4 * pair), 3 * (sum + 2 - abs_diff(sum & 3, (uint4)(2))));
}

#define ROUND_UP(norm, unit) min(((norm) + (unit - 1)) / unit, (uint4)(FAR))

#define WORST max(max(max(best[0], best[1]), max(best[2], best[3])), max(max(best[4], best[5]), max(best[6], best[7])))

/*
 * Searches for eight results of four lines. TRY_BLOCK(k) improves `best` with the eight pixels of block k. BOUND(k,
 * nearest) is a lower bound of the results from block k, which is at least `nearest` pixels away. NEAREST_ONLY(nearest)
 * is a lower bound for all blocks at that distance. PRESENT(k) says whether block k has background pixels.
 */
#define SEARCH_OUTWARDS(own, blocks, TRY_BLOCK, PRESENT, BOUND, NEAREST_ONLY)                                          \
    TRY_BLOCK(own)                                                                                                     \
    uint4 worst = WORST;                                                                                               \
    for (int k = 1; own - k >= 0 || own + k < blocks; k++) {                                                           \
        const uint nearest = LINE_BLOCK * k - (LINE_BLOCK - 1);                                                        \
        if (all(worst <= NEAREST_ONLY(nearest)))                                                                       \
            break;                                                                                                     \
        if (own - k >= 0 && PRESENT(own - k) && any(BOUND(own - k, nearest) < worst)) {                                \
            TRY_BLOCK(own - k)                                                                                         \
            worst = WORST;                                                                                             \
        }                                                                                                              \
        if (own + k < blocks && PRESENT(own + k) && any(BOUND(own + k, nearest) < worst)) {                            \
            TRY_BLOCK(own + k)                                                                                         \
            worst = WORST;                                                                                             \
        }                                                                                                              \
    }

enum { ROW_BITS = 13 };     /* number of rows that a key can name */

/*
 * Computes distances within slices. With `pairs`, writes for each pixel the offset of the nearest background pixel of
 * its slice: along x, and in the upper half of the word along y.
 */
kernel void distance_in_slices(global const ushort4 *in_row, global const ushort4 *lowest, int vectors, int height,
                               global const uint *present, global ushort4 *distances, global uint4 *pairs, int volume)
{
    const int x = get_global_id(0), own = get_global_id(1), z = get_global_id(2),
              blocks = (height + LINE_BLOCK - 1) / LINE_BLOCK;
    if (x >= vectors)
        return;
    global const ushort4 *column = in_row + (ulong)z * height * vectors + x,
                         *low = lowest + (ulong)z * blocks * vectors + x;
    const uint shift = volume ? ROW_BITS : 0, name = volume ? 0xffffffffu : 0, none = 3 * FAR << shift;
    uint4 best[LINE_BLOCK];
    for (int j = 0; j < LINE_BLOCK; j++)
        best[j] = none;
#define TRY_ROWS(k)                                                                                                    \
    for (int y = LINE_BLOCK * (k); y < min(LINE_BLOCK * (k) + LINE_BLOCK, height); y++) {                              \
        const uint4 a = convert_uint4(column[(ulong)y * vectors]);                                                     \
        if (all(a == (uint4)(FAR)))                                                                                    \
            continue;                                                                                                  \
        for (int j = 0; j < LINE_BLOCK; j++)                                                                           \
            best[j] = min(best[j], (flat_norm(a, abs(LINE_BLOCK * own + j - y)) << shift) + (y & name));               \
    }
#define IN_SLICE(k) present[z]
#define BOUND_OF_ROWS(k, nearest) (flat_norm(convert_uint4(low[(ulong)(k) * vectors]), nearest) << shift)
#define BOUND_OF_ALL_ROWS(nearest) (uint4)(3 * (nearest) << shift)
    SEARCH_OUTWARDS(own, blocks, TRY_ROWS, IN_SLICE, BOUND_OF_ROWS, BOUND_OF_ALL_ROWS)
    for (int j = 0; j < LINE_BLOCK && LINE_BLOCK * own + j < height; j++) {
        const int y = LINE_BLOCK * own + j;
        const ulong at = ((ulong)z * height + y) * vectors + x;
        if (!volume) {
            distances[at] = convert_ushort4(ROUND_UP(best[j], 3));
            continue;
        }
        const uint4 row = min(best[j] & ((1u << ROW_BITS) - 1), (uint4)(height - 1));
        global const ushort *across = (global const ushort *)column;
        const uint4 a = (uint4)(across[(ulong)row.x * vectors * 4], across[(ulong)row.y * vectors * 4 + 1],
                                across[(ulong)row.z * vectors * 4 + 2], across[(ulong)row.w * vectors * 4 + 3]);
        pairs[at] = select(a | abs_diff(row, (uint4)(y)) << 16, (uint4)(FAR), best[j] == (uint4)(none));
    }
}
