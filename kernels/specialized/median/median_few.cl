/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of windows of a few pixels of any shape. The lowest and the highest of any set of more than half of the keys
 * cannot be the median. The kernel holds such a set. In each step it drops these two keys and adds one key that is not
 * in the set yet. Constants:
 *
 * - ELEMENT: type of pixels. FLOATS: whether pixels are float.
 * - KEY: type of comparisons, int or uint.
 * - COUNT: number of pixels in the window. REACH_X: how far it reaches along x.
 * - WINDOW: its rows, each as CHORD(first, half, dy, dz). `first` is the index of the row's first pixel, and `half` the
 *   number of pixels on either side of its middle.
 */
enum { FIRST = COUNT / 2 + 2 };

#define CHORD(first, half, dy, dz)                                                                                     \
    {                                                                                                                  \
        global const ELEMENT *row = pixels + AT(from, 0, clamp(y + (dy), 0, from.height - 1),                          \
            clamp(z + (dz), 0, from.depth - 1));                                                                       \
        EACH(i, 0, 2 * (half) + 1)                                                                                     \
            v[(first) + i] = key_of(row[columns[REACH_X - (half) + i]]);                                               \
    }
#define EXCHANGE(a, b) EXCHANGE_BY(KEY, min, max, a, b)

__attribute__((reqd_work_group_size(32, 4, 1))) kernel void median_few(INPUT(from), OUTPUT(to) EPILOGUE_PARAMETERS)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    INDEX columns[2 * REACH_X + 1];
    EACH(dx, -REACH_X, REACH_X + 1)
        columns[dx + REACH_X] = (INDEX)clamp(x + dx, 0, from.width - 1) * (INDEX)from.column;
    global const ELEMENT *pixels = (global const ELEMENT *)from_pixels;
    KEY v[COUNT];
    WINDOW
    /* v[low] to v[high] are the set. Loops have constant bounds, so that compilers keep all elements in registers. */
    EACH(low, 0, COUNT - FIRST + 1) {
        const int high = FIRST - 1, count = FIRST - low;
        EACH(i, 0, FIRST / 2)
            if (i < count / 2)
                EXCHANGE(v[low + i], v[high - i])
        EACH(i, 1, FIRST)
            if (i <= (count - 1) / 2)
                EXCHANGE(v[low], v[i <= (count - 1) / 2 ? low + i : 0])
        EACH(i, 0, FIRST - 1)
            if (i >= low + count / 2)
                EXCHANGE(v[i], v[high])
        if (FIRST + low < COUNT)
            v[high] = v[FIRST + low < COUNT ? FIRST + low : 0];
    }
    const ELEMENT median[1] = {pixel_of(v[FIRST - 2])};
    STORE_PIXELS(ELEMENT, 1, false, to, x, y, z, median)
}
