/* SPDX-License-Identifier: BSD-3-Clause */

/* How often `value` is in the window, and the smallest value above it. */
inline int count_of(global const uchar *from_pixels, const layout from, int x, int y, int z, int ry, int rz, constant short *chords, float value, float *next)
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

/* The value that most pixels of the window have, the smallest of several: a sweep for each value, until one has the majority. */
kernel void mode_of_window(INPUT(from), OUTPUT(to), int ry, int rz, TABLE(chords), int size)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float value, next, mode = -INFINITY;
    int most = count_of(from_pixels, from, x, y, z, ry, rz, TABLE_OF(short, chords), mode, &value);
    while (value < INFINITY && 2 * most <= size) {
        const int count = count_of(from_pixels, from, x, y, z, ry, rz, TABLE_OF(short, chords), value, &next);
        if (count > most) {
            most = count;
            mode = value;
        }
        value = next;
    }
    STORE(to, x, y, z, most > 0 ? mode : LOAD_CLAMPED(from, x, y, z));
}

/*
 * The same in windows of at most three pixels along each axis, whose values an item holds: SLICES is 1 or 3. Places outside the
 * window have no value, which equals nothing.
 */
#define MODE_OF_NEIGHBOURS(SLICES)                                                                                               \
    enum { PIXELS = 9 * SLICES };                                                                                                \
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);                                   \
    constant short *half_rows = TABLE_OF(short, chords);                                                                         \
    float values[PIXELS], mode = NAN;                                                                                            \
    int most = 0;                                                                                                                \
    if (!INSIDE(to, x, y, z))                                                                                                    \
        return;                                                                                                                  \
    EACH(i, PIXELS)                                                                                                              \
    {                                                                                                                            \
        const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - SLICES / 2;                                                   \
        const bool there = abs(dy) <= ry && abs(dz) <= rz && (int)abs(dx) <= half_rows[abs(dz) * (ry + 1) + abs(dy)]; \
        values[i] = there ? LOAD_CLAMPED(from, x + dx, y + dy, z + dz) : NAN;                                                    \
    }                                                                                                                            \
    EACH(i, PIXELS)                                                                                                              \
    {                                                                                                                            \
        int count = 0;                                                                                                           \
        EACH(k, PIXELS)                                                                                                          \
            count += values[k] == values[i];                                                                                     \
        if (values[i] < INFINITY && (count > most || (count == most && values[i] < mode))) {                                     \
            most = count;                                                                                                        \
            mode = values[i];                                                                                                    \
        }                                                                                                                        \
    }                                                                                                                            \
    STORE(to, x, y, z, most > 0 ? mode : values[PIXELS / 2]);

kernel void mode_of_9(INPUT(from), OUTPUT(to), int ry, int rz, TABLE(chords), int size)
{
    MODE_OF_NEIGHBOURS(1)
}

kernel void mode_of_27(INPUT(from), OUTPUT(to), int ry, int rz, TABLE(chords), int size)
{
    MODE_OF_NEIGHBOURS(3)
}
