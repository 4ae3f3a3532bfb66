/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of small windows of any shape. The smallest and the largest key of a set of more than half of the keys cannot
 * be the median. The kernel holds such a set; in each step it drops these two keys and adds the next key of the window.
 */
#include "median.cl"
#include "median_small.cl"

/* Adds the 2 half + 1 keys of a row to v. */
#define CHORD_KEYS(half, dy, dz)                                                                                       \
    {                                                                                                                  \
        KEYS left = ROW_KEYS(dy, first + (dz)), right = left;                                                          \
        v[n++] = left;                                                                                                 \
        _Pragma("unroll") for (int i = 1; i <= half; i++)                                                              \
        {                                                                                                              \
            v[n++] = left = TO_THE_LEFT(uint, left, KEY_AT(-i, dy, first + (dz)));                                     \
            v[n++] = right = row_to_the_right_uint(right, KEY_AT(LANES - 1 + i, dy, first + (dz)), from.width - x);    \
        }                                                                                                              \
    }

#define SELECT_MEDIAN(COUNT, chords)                                                                                   \
    enum { START = COUNT / 2 + 2 };                                                                                    \
    SMALL_WINDOW(1)                                                                                                    \
    KEYS v[COUNT];                                                                                                     \
    int n = 0;                                                                                                         \
    chords                                                                                                             \
    /* v[low] to v[high] are left. Loops have constant bounds, so that compilers keep all elements in registers. */    \
    _Pragma("unroll") for (int low = 0; low < COUNT - START + 1; low++)                                                \
    {                                                                                                                  \
        const int high = START - 1, count = START - low;                                                               \
        _Pragma("unroll") for (int i = 0; i < START / 2; i++)                                                          \
            if (i < count / 2)                                                                                         \
                EXCHANGE(v[low + i], v[high - i])                                                                      \
        _Pragma("unroll") for (int i = 1; i < START; i++)                                                              \
            if (i <= (count - 1) / 2)                                                                                  \
                EXCHANGE(v[low], v[i <= (count - 1) / 2 ? low + i : 0])                                                \
        _Pragma("unroll") for (int i = 0; i < START - 1; i++)                                                          \
            if (i >= low + count / 2)                                                                                  \
                EXCHANGE(v[i], v[high])                                                                                \
        if (START + low < COUNT)                                                                                       \
            v[high] = v[START + low < COUNT ? START + low : 0];                                                        \
    }                                                                                                                  \
    store_row_keys(to_pixels, &to, x, y, first, v[START - 2], type);

kernel void median_disk_1(INPUT(from), OUTPUT(to), int type)
{
    SELECT_MEDIAN(5, CHORD_KEYS(0, -1, 0) CHORD_KEYS(1, 0, 0) CHORD_KEYS(0, 1, 0))
}

kernel void median_ball_1(INPUT(from), OUTPUT(to), int type)
{
    SELECT_MEDIAN(7, CHORD_KEYS(0, 0, -1) CHORD_KEYS(0, -1, 0) CHORD_KEYS(1, 0, 0) CHORD_KEYS(0, 1, 0)
                  CHORD_KEYS(0, 0, 1))
}

kernel void median_disk_2(INPUT(from), OUTPUT(to), int type)
{
    SELECT_MEDIAN(13, CHORD_KEYS(0, -2, 0) CHORD_KEYS(1, -1, 0) CHORD_KEYS(2, 0, 0) CHORD_KEYS(1, 1, 0)
                  CHORD_KEYS(0, 2, 0))
}

kernel void median_disk_3(INPUT(from), OUTPUT(to), int type)
{
    SELECT_MEDIAN(29, CHORD_KEYS(0, -3, 0) CHORD_KEYS(2, -2, 0) CHORD_KEYS(2, -1, 0) CHORD_KEYS(3, 0, 0)
                  CHORD_KEYS(2, 1, 0) CHORD_KEYS(2, 2, 0) CHORD_KEYS(0, 3, 0))
}

#define SQUARE_KEYS(dz) CHORD_KEYS(1, -1, dz) CHORD_KEYS(1, 0, dz) CHORD_KEYS(1, 1, dz)

kernel void median_ball_2(INPUT(from), OUTPUT(to), int type)
{
    SELECT_MEDIAN(33, CHORD_KEYS(0, 0, -2) SQUARE_KEYS(-1) CHORD_KEYS(0, -2, 0) CHORD_KEYS(1, -1, 0)
                  CHORD_KEYS(2, 0, 0) CHORD_KEYS(1, 1, 0) CHORD_KEYS(0, 2, 0) SQUARE_KEYS(1) CHORD_KEYS(0, 0, 2))
}

kernel void median_5x5(INPUT(from), OUTPUT(to), int type)
{
    SELECT_MEDIAN(25,
                  CHORD_KEYS(2, -2, 0) CHORD_KEYS(2, -1, 0) CHORD_KEYS(2, 0, 0) CHORD_KEYS(2, 1, 0) CHORD_KEYS(2, 2, 0))
}
