/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of 3 x 3 x 3 pixels. A work-item computes two neighbours in x, which share the merge of their middle columns.
 * It walks down the slices with the sorted keys of planes; two slices share the merge of two planes. Constants:
 *
 * - ELEMENT: type of pixels. FLOATS: whether pixels are float.
 * - KEY: type of comparisons, int or uint.
 * - PAIRS: whether pairs of pixels are aligned.
 *
 * If fmin and fmax order -0 before 0, floats are compared directly, which is faster than converting them to integers.
 * If a pixel is not finite, the work-item starts again with integers.
 */
#if FLOATS && defined __NV_CL_C_VERSION
#define AS_FLOATS 1
#define FASTEST float
#else
#define AS_FLOATS 0
#define FASTEST KEY
#endif
#define ORDER(T, LOWER, HIGHER)                                                                                        \
    inline T lower_##T(T a, T b) { return LOWER(a, b); }                                                               \
    inline T higher_##T(T a, T b) { return HIGHER(a, b); }
ORDER(float, fmin, fmax)
ORDER(int, min, max)
ORDER(uint, min, max)

#if FLOATS
inline float key_float(float pixel) { return pixel; }
inline float pixel_float(float key) { return key; }
inline int key_int(float pixel) { return as_int(pixel) ^ (as_int(pixel) >> 31 & INT_MAX); }
inline float pixel_int(int key) { return as_float(key ^ (key >> 31 & INT_MAX)); }
#else
inline KEY JOIN(key_, KEY)(ELEMENT pixel) { return pixel; }
inline ELEMENT JOIN(pixel_, KEY)(KEY key) { return (ELEMENT)key; }
#endif

#define EXCHANGE(T, a, b) EXCHANGE_BY(T, JOIN(lower_, T), JOIN(higher_, T), a, b)

/* Merges the sorted keys at even positions with those at odd ones (Knuth 1973, 5.2.2 M); at most 32 keys. */
#define MERGE(T, v, count)                                                                                             \
    EACH(i, 0, count / 2)                                                                                              \
        EXCHANGE(T, v[2 * i], v[2 * i + 1])                                                                            \
    EACH(s, 0, 4)                                                                                                      \
        EACH(i, 0, (count) / 2)                                                                                        \
            if (2 * i + (16 >> s) < count)                                                                             \
                EXCHANGE(T, v[2 * i + 1], v[2 * i + (16 >> s) < count ? 2 * i + (16 >> s) : 0])

/* Merges 6 sorted keys with 3 (Batcher 1968); the last three come out in reverse order. */
#define MERGE_6_3(T, v)                                                                                                \
    EXCHANGE(T, v[0], v[6]) EXCHANGE(T, v[4], v[6]) EXCHANGE(T, v[2], v[8]) EXCHANGE(T, v[2], v[4])                    \
    EXCHANGE(T, v[8], v[6]) EXCHANGE(T, v[1], v[7]) EXCHANGE(T, v[5], v[7]) EXCHANGE(T, v[3], v[5])                    \
    EXCHANGE(T, v[1], v[2]) EXCHANGE(T, v[3], v[4]) EXCHANGE(T, v[5], v[8]) EXCHANGE(T, v[7], v[6])

/* Sorted keys of a plane's two windows. */
#define READ_PLANES(T, planes, slice)                                                                                  \
    {                                                                                                                  \
        global const ELEMENT *pixels = (global const ELEMENT *)from_pixels + (INDEX)clamp(slice, 0, from.depth - 1) *  \
            (INDEX)from.plane;                                                                                         \
        T c[4][3], pair[6];                                                                                            \
        EACH(j, 0, 3)                                                                                                  \
        {                                                                                                              \
            ELEMENT four[4];                                                                                           \
            EACH(i, 0, 4)                                                                                              \
                if (!PAIRS || i % 3 == 0)                                                                              \
                    four[i] = pixels[rows[j] + columns[i]];                                                            \
            if (PAIRS) {                                                                                               \
                const JOIN(ELEMENT, 2) middle = *(global const JOIN(ELEMENT, 2) *)(pixels + (rows[j] + columns[1]));   \
                four[1] = middle.x;                                                                                    \
                four[2] = WHOLE || columns[2] > columns[1] ? middle.y : middle.x;                                      \
            }                                                                                                          \
            EACH(i, 0, 4)                                                                                              \
            {                                                                                                          \
                c[i][j] = JOIN(key_, T)(four[i]);                                                                      \
                if (AS_FLOATS)                                                                                         \
                    poison = fma((float)four[i], 0.0f, poison);                                                        \
            }                                                                                                          \
        }                                                                                                              \
        EACH(i, 0, 4)                                                                                                  \
        {                                                                                                              \
            EXCHANGE(T, c[i][0], c[i][1])                                                                              \
            EXCHANGE(T, c[i][1], c[i][2])                                                                              \
            EXCHANGE(T, c[i][0], c[i][1])                                                                              \
        }                                                                                                              \
        EACH(j, 0, 3)                                                                                                  \
        {                                                                                                              \
            pair[2 * j] = c[1][j];                                                                                     \
            pair[2 * j + 1] = c[2][j];                                                                                 \
        }                                                                                                              \
        MERGE(T, pair, 6)                                                                                              \
        EACH(w, 0, 2)                                                                                                  \
        {                                                                                                              \
            T v[9] = {pair[0], pair[1], pair[2], pair[3], pair[4], pair[5], c[3 * w][0], c[3 * w][1], c[3 * w][2]};    \
            MERGE_6_3(T, v)                                                                                            \
            EACH(i, 0, 9)                                                                                              \
                planes[w][i] = v[i < 6 ? i : 14 - i];                                                                  \
        }                                                                                                              \
    }

/*
 * Finds element 13 of 18 merged keys m and 9 other keys. Each split takes 13 - j and j keys; the result is the
 * smallest, over all splits, of the larger of both last keys. Slices come in pairs; `poison` is NaN once a pixel is not
 * finite.
 */
#define MEDIANS(T)                                                                                                     \
    {                                                                                                                  \
        T before[2][9], here[2][9], next[2][9], after[2][9];                                                           \
        READ_PLANES(T, before, first - 1)                                                                              \
        READ_PLANES(T, here, first)                                                                                    \
        for (int z = first; z < end; z += 2) {                                                                         \
            T median[2][2];                                                                                            \
            READ_PLANES(T, next, z + 1)                                                                                \
            READ_PLANES(T, after, z + 2)                                                                               \
            EACH(w, 0, 2)                                                                                              \
            {                                                                                                          \
                T m[18];                                                                                               \
                EACH(i, 0, 18)                                                                                         \
                    m[i] = i % 2 ? next[w][i / 2] : here[w][i / 2];                                                    \
                MERGE(T, m, 18)                                                                                        \
                median[0][w] = median[1][w] = m[13];                                                                   \
                EACH(j, 0, 9)                                                                                          \
                {                                                                                                      \
                    median[0][w] = JOIN(lower_, T)(median[0][w], JOIN(higher_, T)(m[12 - j], before[w][j]));           \
                    median[1][w] = JOIN(lower_, T)(median[1][w], JOIN(higher_, T)(m[12 - j], after[w][j]));            \
                    before[w][j] = next[w][j];                                                                         \
                    here[w][j] = after[w][j];                                                                          \
                }                                                                                                      \
            }                                                                                                          \
            EACH(k, 0, 2)                                                                                              \
                if (z + k < end) {                                                                                     \
                    const ELEMENT pixels[2] = {JOIN(pixel_, T)(median[k][0]), JOIN(pixel_, T)(median[k][1])};          \
                    STORE_PIXELS(ELEMENT, 2, PAIRS, to, x, y, z + k, pixels)                                           \
                }                                                                                                      \
        }                                                                                                              \
    }

__attribute__((reqd_work_group_size(32, 4, 1))) kernel void median_27(INPUT(from), OUTPUT(to),
                                                                      int slices EPILOGUE_PARAMETERS)
{
    const int x = 2 * (int)get_global_id(0), y = get_global_id(1), first = slices * (int)get_global_id(2);
    if (!INSIDE(to, x, y, first))
        return;
    const int end = min(first + slices, to.depth);
    INDEX columns[4], rows[3];
    EACH(i, 0, 4)
        columns[i] = (INDEX)clamp(x - 1 + i, 0, from.width - 1) * (INDEX)from.column;
    EACH(j, 0, 3)
        rows[j] = (INDEX)from.offset + (INDEX)clamp(y - 1 + j, 0, from.height - 1) * (INDEX)from.row;
    float poison = 0.0f;
    MEDIANS(FASTEST)
#if AS_FLOATS
    if (isnan(poison))
        MEDIANS(KEY)
#endif
}
