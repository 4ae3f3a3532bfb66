/* SPDX-License-Identifier: BSD-3-Clause */
#include "chords.cl"

/* Returns the number of occurrences of `value` in the window, and the smallest value above it. */
inline int count_of(global const uchar *from_pixels, const layout from, int x, int y, int z, int ry, int rz,
                    constant short *chords, float value, float *next)
{
    int count = 0;
    *next = INFINITY;
    for (int dz = -rz; dz <= rz; dz++)
        for (int dy = -ry; dy <= ry; dy++) {
            const int half_row = chords[abs(dz) * (ry + 1) + abs(dy)];
            for (int dx = -half_row; dx <= half_row; dx++) {
                const float other = LOAD_CLAMPED(from, x + dx, y + dy, z + dz);
                count += other == value;
                if (other > value)
                    *next = fmin(*next, other);
            }
        }
    return count;
}

/*
 * Writes the most frequent value of the window, the smallest in a tie. Reads the window once for each value,
 * until one has the majority.
 */
kernel void mode_of_window(INPUT(from), OUTPUT(to), int ry, int rz, TABLE(chords), int size)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float value, next, mode = -INFINITY;
    int max_count = count_of(from_pixels, from, x, y, z, ry, rz, TABLE_OF(short, chords), mode, &value);
    while (value < INFINITY && 2 * max_count <= size) {
        const int count = count_of(from_pixels, from, x, y, z, ry, rz, TABLE_OF(short, chords), value, &next);
        if (count > max_count) {
            max_count = count;
            mode = value;
        }
        value = next;
    }
    STORE(to, x, y, z, max_count > 0 ? mode : LOAD_CLAMPED(from, x, y, z));
}

/*
 * As mode_of_window, for windows of at most three pixels along each axis, whose values fit a work-item's registers.
 * Positions outside the window have a value that equals no other.
 */
#define IS_THERE(dx, dy, dz) ((dy) <= ry && (dz) <= rz && (dx) <= half_rows[(dz) * (ry + 1) + (dy)])

/* A vector of pixels of a slice. */
kernel void mode_of_9(INPUT(from), OUTPUT(to), int ry, int rz, TABLE(chords), int size)
{
    enum { PIXELS = 9 };
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    constant short *half_rows = TABLE_OF(short, chords);
    if (!INSIDE(to, x, y, z))
        return;
    const FLOATV none = NAN;
    FLOATV values[PIXELS], mode = none;
    INTV counts[PIXELS], max_count = 0;
    EACH(j, 3)
    {
        const int dy = abs(j - 1);
        const columns row =
            read_columns(from_pixels, &from, x, y + j - 1, z, IN_VECTORS(from) && to.width <= from.width);
        values[3 * j] = IS_THERE(1, dy, 0) ? row.left : none;
        values[3 * j + 1] = IS_THERE(0, dy, 0) ? row.middle : none;
        values[3 * j + 2] = IS_THERE(1, dy, 0) ? row.right : none;
    }
    EACH(i, PIXELS)
        counts[i] = values[i] == values[i];
    EACH(i, PIXELS)
        EACH(k, PIXELS)
            if (k < i) {
                const INTV equal = values[k] == values[i];
                counts[i] += equal;
                counts[k] += equal;
            }
    EACH(i, PIXELS)
    {
        const INTV better = (values[i] < INFINITY) &
                            /* counts are negative */
                            ((counts[i] < max_count) | ((counts[i] == max_count) & (values[i] < mode)));
        max_count = select(max_count, counts[i], better);
        mode = select(mode, values[i], better);
    }
    store_row_lanes(to_pixels, &to, x, y, z, select(values[PIXELS / 2], mode, max_count < 0), IN_VECTORS(to));
}

kernel void mode_of_27(INPUT(from), OUTPUT(to), int ry, int rz, TABLE(chords), int size)
{
    enum { PIXELS = 27 };
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    constant short *half_rows = TABLE_OF(short, chords);
    float values[PIXELS], mode = NAN;
    int max_count = 0;
    if (!INSIDE(to, x, y, z))
        return;
    EACH(i, PIXELS)
    {
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
        values[i] =
            IS_THERE((int)abs(dx), (int)abs(dy), (int)abs(dz)) ? LOAD_CLAMPED(from, x + dx, y + dy, z + dz) : NAN;
    }
    EACH(i, PIXELS)
    {
        int count = 0;
        EACH(k, PIXELS)
            count += values[k] == values[i];
        if (values[i] < INFINITY && (count > max_count || (count == max_count && values[i] < mode))) {
            max_count = count;
            mode = values[i];
        }
    }
    STORE(to, x, y, z, max_count > 0 ? mode : values[PIXELS / 2]);
}
