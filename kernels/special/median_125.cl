/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of 5 x 5 x 5 pixels. Constants: ELEMENT, the type of pixels; KEY, int or uint, in which they are compared; FLOATS,
 * whether pixels are float. A group sorts each column of 5 pixels once; an item merges 5 columns to a plane, planes to pairs, and
 * two pairs to the middle 26 of 100 keys, which two slices share: each adds one plane more.
 */
#define EACH(i, end) _Pragma("unroll") for (int i = 0; i < end; i++)

enum { WIDE = 32, HIGH = 2, COLUMNS = WIDE + 4 };

#if FLOATS
inline int key_of(float pixel) { return as_int(pixel) ^ (as_int(pixel) >> 31 & INT_MAX); }
inline float pixel_of(int key) { return as_float(key ^ (key >> 31 & INT_MAX)); }
#else
#define key_of(pixel) ((KEY)(pixel))
#define pixel_of(key) ((ELEMENT)(key))
#endif

#define EXCHANGE(a, b)                                                                                                           \
    {                                                                                                                            \
        const KEY low = min(a, b);                                                                                               \
        b = max(a, b);                                                                                                           \
        a = low;                                                                                                                 \
    }

/* Merges the sorted keys at even positions with those at odd ones (Knuth 1973, 5.2.2 M); at most 128 keys. */
#define MERGE(v, count)                                                                                                          \
    EACH(i, count / 2)                                                                                                           \
        EXCHANGE(v[2 * i], v[2 * i + 1])                                                                                         \
    EACH(s, 6)                                                                                                                   \
        EACH(i, (count) / 2)                                                                                                     \
            if (2 * i + (64 >> s) < count)                                                                                       \
                EXCHANGE(v[2 * i + 1], v[2 * i + (64 >> s) < count ? 2 * i + (64 >> s) : 0])

#define MERGE_BOTH(out, a, b, count)                                                                                             \
    KEY out[count];                                                                                                              \
    EACH(i, count)                                                                                                               \
        out[i] = i % 2 ? b[i / 2] : a[i / 2];                                                                                    \
    MERGE(out, count)

/* Merges 20 sorted keys with 5 (Batcher 1968); where they are in order then. */
#define X(a, b) EXCHANGE(v[a], v[b])
#define MERGE_20_5                                                                                                               \
    X(0, 20) X(16, 20) X(8, 16) X(4, 24) X(12, 24) X(4, 8) X(12, 16) X(24, 20) X(2, 22) X(18, 22) X(10, 18) X(6, 10)             \
    X(14, 18) X(2, 4) X(6, 8) X(10, 12) X(14, 16) X(18, 24) X(22, 20) X(1, 21) X(17, 21) X(9, 17) X(5, 9) X(13, 17) X(3, 23)     \
    X(19, 23) X(11, 19) X(7, 11) X(15, 19) X(3, 5) X(7, 9) X(11, 13) X(15, 17) X(19, 21) X(1, 2) X(3, 4) X(5, 6) X(7, 8)         \
    X(9, 10) X(11, 12) X(13, 14) X(15, 16) X(17, 18) X(19, 24) X(21, 22) X(23, 20)
#define IN_ORDER(i) v[i == 20 ? 24 : i == 24 ? 20 : i]

/* Sorted keys of the 25 pixels around the item's one; all items of a group call it. */
__attribute__((always_inline)) inline void read_plane(KEY *keys, global const ELEMENT *slice, const layout *image, int left, int top,
                                                      local KEY (*columns)[5][COLUMNS])
{
    const int lx = get_local_id(0), ly = get_local_id(1);
    const layout from = *image;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ly * WIDE + lx; i < COLUMNS * HIGH; i += WIDE * HIGH) {
        const int column = i % COLUMNS, row = i / COLUMNS;
        const INDEX at = (INDEX)clamp(left + column - 2, 0, from.width - 1) * (INDEX)from.column;
        KEY c[5];
        EACH(j, 5)
            c[j] = key_of(slice[at + (INDEX)clamp(top + row + j - 2, 0, from.height - 1) * (INDEX)from.row]);
        EXCHANGE(c[0], c[1]) EXCHANGE(c[3], c[4]) EXCHANGE(c[2], c[4])
        EXCHANGE(c[2], c[3]) EXCHANGE(c[1], c[4]) EXCHANGE(c[0], c[3])
        EXCHANGE(c[0], c[2]) EXCHANGE(c[1], c[3]) EXCHANGE(c[1], c[2])
        EACH(j, 5)
            columns[row][j][column] = c[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    KEY c[5][5];
    EACH(i, 5)
        EACH(j, 5)
            c[i][j] = columns[ly][j][lx + i];
    MERGE_BOTH(first, c[0], c[1], 10)
    MERGE_BOTH(second, c[2], c[3], 10)
    MERGE_BOTH(four, first, second, 20)
    KEY v[25];
    EACH(i, 25)
        v[i] = i < 20 ? four[i] : c[4][i < 20 ? 0 : i - 20];
    MERGE_20_5
    EACH(i, 25)
        keys[i] = IN_ORDER(i);
}

/* Of 100 sorted keys and 25 others the one at 62: of 62 - j and j keys the higher last, and the least of those. */
__attribute__((always_inline)) inline KEY select_median(const KEY *four, const KEY *plane)
{
    KEY median = four[62];
    EACH(j, 25)
        median = min(median, max(four[61 - j], plane[j]));
    return median;
}

__attribute__((reqd_work_group_size(WIDE, HIGH, 1))) kernel void median_125(INPUT(from), OUTPUT(to), int slices)
{
    local KEY columns[HIGH][5][COLUMNS];
    const int x = get_global_id(0), y = get_global_id(1), left = x - (int)get_local_id(0), top = y - (int)get_local_id(1);
    const int front = slices * (int)get_global_id(2), end = min(front + slices, to.depth);
#define READ_PLANE(keys, z)                                                                                                      \
    read_plane(keys, (global const ELEMENT *)from_pixels + AT(from, 0, 0, clamp(z, 0, from.depth - 1)), &from, left, top, columns);
    KEY before[25], odd[25], here[25], pair[50];        /* planes z - 2 and z, and the pair of z - 1 and z */
    READ_PLANE(before, front - 2)
    READ_PLANE(odd, front - 1)
    READ_PLANE(here, front)
    {
        MERGE_BOTH(both, odd, here, 50)
        EACH(i, 50)
            pair[i] = both[i];
    }
    READ_PLANE(odd, front + 1)
    _Pragma("unroll 1") for (int z = front; z < end; z += 2) {
        KEY next[25];
        READ_PLANE(next, z + 2)
        MERGE_BOTH(both, odd, next, 50)
        READ_PLANE(odd, z + 3)
        MERGE_BOTH(four, pair, both, 100)
        const KEY first = select_median(four, before), second = select_median(four, odd);
        if (x < to.width && y < to.height) {
            global ELEMENT *pixel = (global ELEMENT *)to_pixels + AT(to, x, y, z);
            *pixel = pixel_of(first);
            if (z + 1 < end)
                pixel[to.plane] = pixel_of(second);
        }
        EACH(i, 25) {
            before[i] = here[i];
            here[i] = next[i];
        }
        EACH(i, 50)
            pair[i] = both[i];
    }
}
