/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of windows of 5 pixels per axis. A work-item walks down the rows of a slice with sorted rows of 5 keys, or
 * down the slices with sorted planes of 25. Two outputs share the middle four, as two sorted pairs, and each adds a
 * fifth. Constants:
 *
 * - COUNT: number of pixels in a window, 25 (in planes) or 125.
 * - ELEMENT: type of pixels. FLOATS: whether pixels are float.
 * - KEY: type of comparisons, int or uint.
 * - PAIRS: whether pairs of pixels are aligned.
 */
enum {
    SIDE = COUNT / 5,                   /* keys of a row or plane */
    OUTPUTS = COUNT == 25 ? 2 : 1,      /* neighbours in x per work-item */
    GROUP_X = 32,
    GROUP_Y = COUNT == 25 ? 4 : 2
};

#define EXCHANGE(a, b) EXCHANGE_BY(KEY, min, max, a, b)

/* Merges sorted keys at even positions with those at odd ones (Knuth 1973, 5.2.2 M); at most 128 keys. */
#define MERGE(v, count)                                                                                                \
    EACH(i, 0, (count) / 2)                                                                                            \
        EXCHANGE(v[2 * i], v[2 * i + 1])                                                                               \
    EACH(s, 0, 6)                                                                                                      \
        EACH(i, 0, (count) / 2)                                                                                        \
            if (2 * i + (64 >> s) < (count))                                                                           \
                EXCHANGE(v[2 * i + 1], v[2 * i + (64 >> s) < (count) ? 2 * i + (64 >> s) : 0])

#define MERGE_BOTH(out, a, b, count)                                                                                   \
    KEY out[count];                                                                                                    \
    EACH(i, 0, count)                                                                                                  \
        out[i] = i % 2 ? b[i / 2] : a[i / 2];                                                                          \
    MERGE(out, count)

#if COUNT == 25
/* Rows of a slice; neighbours share the four in the middle. */
#define READ(keys, line)                                                                                               \
    {                                                                                                                  \
        global const ELEMENT *row = slice + (INDEX)clamp(line, 0, from.height - 1) * (INDEX)from.row;                  \
        KEY v[6];                                                                                                      \
        EACH(i, 0, 6)                                                                                                  \
            if (!PAIRS)                                                                                                \
                v[i] = key_of(row[columns[i]]);                                                                        \
            else if (i % 2 == 0) {                                                                                     \
                const JOIN(ELEMENT, 2) two = *(global const JOIN(ELEMENT, 2) *)(row + columns[i]);                     \
                const bool ends = !WHOLE && columns[i] + 1 == from.width;                                              \
                v[i] = key_of(i == 4 && x + 2 >= from.width && !ends ? two.y : two.x);                                 \
                v[i + 1] = key_of((i == 0 && x == 0) || ends ? two.x : two.y);                                         \
            }                                                                                                          \
        EXCHANGE(v[1], v[2]) EXCHANGE(v[3], v[4]) EXCHANGE(v[1], v[3]) EXCHANGE(v[2], v[4]) EXCHANGE(v[2], v[3])       \
        EACH(w, 0, OUTPUTS) {                                                                                          \
            KEY last = v[5 * w];                                                                                       \
            EACH(i, 0, SIDE - 1) {                                                                                     \
                keys[w][i] = min(last, v[i + 1]);                                                                      \
                last = max(last, v[i + 1]);                                                                            \
            }                                                                                                          \
            keys[w][SIDE - 1] = last;                                                                                  \
        }                                                                                                              \
    }
#else
enum { COLUMNS = GROUP_X + 4 };

/* Merges 20 sorted keys with 5 (Batcher 1968); the keys at 20 and 24 end up exchanged. */
#define X(a, b) EXCHANGE(v[a], v[b])
#define MERGE_20_5                                                                                                     \
    X(0, 20) X(16, 20) X(8, 16) X(4, 24) X(12, 24) X(4, 8) X(12, 16) X(24, 20) X(2, 22) X(18, 22) X(10, 18) X(6, 10)   \
    X(14, 18) X(2, 4) X(6, 8) X(10, 12) X(14, 16) X(18, 24) X(22, 20) X(1, 21) X(17, 21) X(9, 17) X(5, 9) X(13,        \
        17) X(3, 23)                                                                                                   \
    X(19, 23) X(11, 19) X(7, 11) X(15, 19) X(3, 5) X(7, 9) X(11, 13) X(15, 17) X(19, 21) X(1, 2) X(3, 4) X(5, 6) X(7,  \
        8)                                                                                                             \
    X(9, 10) X(11, 12) X(13, 14) X(15, 16) X(17, 18) X(19, 24) X(21, 22) X(23, 20)

/*
 * The plane around a work-item's pixel. All work-items of a group must call it; columns of 5 are sorted once for them.
 */
__attribute__((always_inline)) inline void read_plane(KEY *keys, global const ELEMENT *slice, const layout *image,
                                                      int left, int top, local KEY (*columns)[5][COLUMNS])
{
    const int lx = get_local_id(0), ly = get_local_id(1);
    const layout from = *image;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ly * GROUP_X + lx; i < COLUMNS * GROUP_Y; i += GROUP_X * GROUP_Y) {
        const int column = i % COLUMNS, row = i / COLUMNS;
        const INDEX at = (INDEX)clamp(left + column - 2, 0, from.width - 1) * (INDEX)from.column;
        KEY c[5];
        EACH(j, 0, 5)
            c[j] = key_of(slice[at + (INDEX)clamp(top + row + j - 2, 0, from.height - 1) * (INDEX)from.row]);
        EXCHANGE(c[0], c[1]) EXCHANGE(c[3], c[4]) EXCHANGE(c[2], c[4])
        EXCHANGE(c[2], c[3]) EXCHANGE(c[1], c[4]) EXCHANGE(c[0], c[3])
        EXCHANGE(c[0], c[2]) EXCHANGE(c[1], c[3]) EXCHANGE(c[1], c[2])
        EACH(j, 0, 5)
            columns[row][j][column] = c[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    KEY c[5][5];
    EACH(i, 0, 5)
        EACH(j, 0, 5)
            c[i][j] = columns[ly][j][lx + i];
    MERGE_BOTH(first, c[0], c[1], 10)
    MERGE_BOTH(second, c[2], c[3], 10)
    MERGE_BOTH(four, first, second, 20)
    KEY v[25];
    EACH(i, 0, 25)
        v[i] = i < 20 ? four[i < 20 ? i : 0] : c[4][i < 20 ? 0 : i - 20];
    MERGE_20_5
    EACH(i, 0, 25)
        keys[i] = v[i == 20 ? 24 : i == 24 ? 20 : i];
}
#define READ(keys, z)                                                                                                  \
    read_plane(keys[0], slice + (INDEX)clamp(z, 0, from.depth - 1) * (INDEX)from.plane, &from, x -                     \
        (int)get_local_id(0),                                                                                          \
               y - (int)get_local_id(1), columns);
#endif

/* Merges two sorted rows or planes of each output. */
inline void merge_pairs(KEY (*pairs)[2 * SIDE], KEY (*first)[SIDE], KEY (*second)[SIDE])
{
    EACH(w, 0, OUTPUTS) {
        MERGE_BOTH(both, first[w], second[w], 2 * SIDE)
        EACH(i, 0, 2 * SIDE)
            pairs[w][i] = both[i];
    }
}

/* `steps`: number of rows or slices that a work-item walks down. */
__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) kernel void median_5(INPUT(from), OUTPUT(to),
                                                                                int steps EPILOGUE_PARAMETERS)
{
    const int x = OUTPUTS * (int)get_global_id(0), y = (COUNT == 25 ? steps : 1) * (int)get_global_id(1);
    const int z = (COUNT == 25 ? 1 : steps) * (int)get_global_id(2), front = COUNT == 25 ? y : z;
    const int end = min(front + steps, COUNT == 25 ? to.height : to.depth);
    const bool inside = INSIDE(to, x, y, z);
    global const ELEMENT *slice = (global const ELEMENT *)from_pixels + from.offset;
#if COUNT == 25
    if (!inside)
        return;
    INDEX columns[6];
    EACH(i, 0, 6)
        columns[i] = (INDEX)clamp(x - 2 + i, 0, PAIRS ? (from.width - 1) & ~1 : from.width - 1) * (INDEX)from.column;
    slice += (INDEX)min(z, from.depth - 1) * (INDEX)from.plane;
#else
    local KEY columns[GROUP_Y][5][COLUMNS];
#endif
    KEY before[OUTPUTS][SIDE], odd[OUTPUTS][SIDE], here[OUTPUTS][SIDE], pair[OUTPUTS][2 * SIDE];
    READ(before, front - 2)
    READ(odd, front - 1)
    READ(here, front)
    merge_pairs(pair, odd, here);
    READ(odd, front + 1)
    _Pragma("unroll 1") for (int t = front; t < end; t += 2) {
        KEY next[OUTPUTS][SIDE], both[OUTPUTS][2 * SIDE], median[2][OUTPUTS];
        READ(next, t + 2)
        merge_pairs(both, odd, next);
        READ(odd, t + 3)
        EACH(w, 0, OUTPUTS) {
            MERGE_BOTH(four, pair[w], both[w], 4 * SIDE)
            /*
             * each split takes j keys of the fifth plane and the rest from the other four; the median is the smallest,
             * over all splits, of the larger of both last keys
             */
            median[0][w] = median[1][w] = four[COUNT / 2];
            EACH(j, 0, SIDE) {
                median[0][w] = min(median[0][w], max(four[COUNT / 2 - 1 - j], before[w][j]));
                median[1][w] = min(median[1][w], max(four[COUNT / 2 - 1 - j], odd[w][j]));
                before[w][j] = here[w][j];
                here[w][j] = next[w][j];
            }
            EACH(i, 0, 2 * SIDE)
                pair[w][i] = both[w][i];
        }
        EACH(k, 0, 2)
            if (inside && t + k < end) {
                ELEMENT pixels[OUTPUTS];
                EACH(w, 0, OUTPUTS)
                    pixels[w] = pixel_of(median[k][w]);
#if COUNT == 25
                STORE_PIXELS(ELEMENT, 2, PAIRS, to, x, t + k, z, pixels)
#else
                STORE_PIXELS(ELEMENT, 1, false, to, x, y, t + k, pixels)
#endif
            }
    }
}
