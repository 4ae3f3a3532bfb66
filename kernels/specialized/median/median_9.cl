/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Medians of 3 x 3 pixels. A work-item walks down the rows of a slice with four pixels of each, and keeps the sorted
 * triples around them. The median of a window is the middle one of three keys: the highest of the low keys, the middle
 * of the middle keys, and the lowest of the high keys. Constants:
 *
 * - ELEMENT: type of pixels. FLOATS: whether pixels are float.
 * - KEY: type of comparisons, int or uint.
 * - ALIGNED: whether rows lie in vectors of four.
 */
inline KEY middle_of(KEY a, KEY b, KEY c)
{
    return max(min(a, b), min(max(a, b), c));
}

typedef struct {
    KEY low[4], middle[4], high[4];
} triples;

inline triples read_triples(line row, const INDEX *columns, int left)
{
    KEY v[6];
#if ALIGNED
    JOIN(PIXEL, 4) four = QUAD_AT(row, columns[1]);
    END_QUAD(four, left)
    v[0] = key_of(PIXEL_AT(row, columns[0]));
    v[1] = key_of(four.x);
    v[2] = key_of(four.y);
    v[3] = key_of(four.z);
    v[4] = key_of(four.w);
    v[5] = key_of(PIXEL_AT(row, columns[5]));
#else
    EACH(i, 0, 6)
        v[i] = key_of(PIXEL_AT(row, columns[i]));
#endif
    triples t;
    EACH(i, 0, 4) {
        const KEY lower = min(v[i], v[i + 1]), higher = max(v[i], v[i + 1]);
        t.low[i] = min(lower, v[i + 2]);
        t.middle[i] = max(lower, min(higher, v[i + 2]));
        t.high[i] = max(higher, v[i + 2]);
    }
    return t;
}

__attribute__((reqd_work_group_size(32, 4, 1))) kernel void median_9(INPUT(from), OUTPUT(to),
                                                                     int rows PROLOGUE_PARAMETERS EPILOGUE_PARAMETERS)
{
    PROLOGUE_INPUTS
    const int x = 4 * (int)get_global_id(0), front = rows * (int)get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, front, z))
        return;
    INDEX columns[6];
    EACH(i, 0, 6)
        columns[i] = (INDEX)clamp(x - 1 + i, 0, from.width - 1) * (INDEX)from.column;
#define TRIPLES(y)                                                                                                     \
    read_triples(LINE_OF(from, clamp(y, 0, from.height - 1), min(z, from.depth - 1)), columns, from.width - x)
        triples above = TRIPLES(front - 1), here = TRIPLES(front);
        _Pragma("unroll 2") for (int y = front; y < min(front + rows, to.height); y++)
        {
            const triples below = TRIPLES(y + 1);
            ELEMENT median[4];
            EACH(i, 0, 4)
            median[i] = pixel_of(middle_of(max(max(above.low[i], here.low[i]), below.low[i]),
                                           middle_of(above.middle[i], here.middle[i], below.middle[i]),
                                           min(min(above.high[i], here.high[i]), below.high[i])));
        STORE_PIXELS(ELEMENT, 4, ALIGNED, to, x, y, z, median)
        above = here;
        here = below;
    }
}
