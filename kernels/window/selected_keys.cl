/* SPDX-License-Identifier: BSD-3-Clause */
/* Extremes and modes of 32-bit integers, which float32 would round. Their keys (median.cl) hold all bits. */
#include "median.cl"

/* Writes the smallest number of each window, or the largest. Work-items compute vectors of pixels. */
kernel void extreme_of_keys(INPUT(keys), OUTPUT(to), int type, int rx, int ry, int rz, TABLE(chords), int largest)
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    selections s = {.low = 0xffffffffu, .high = 0};
    widen_to_window(&s, (global const uint *)keys_pixels + AT(keys, x + rx, y + ry, z + rz), &keys,
                    TABLE_OF(short, chords), ry, rz);
    store_keys(to_pixels, to, x, y, z, largest ? s.high : s.low, type);
}

/*
 * Writes the most frequent number of the window, the smallest in a tie. Reads the window once for each number,
 * until one has the majority. Each pass counts a key and finds the next larger one.
 */
kernel void mode_of_keys(INPUT(keys), OUTPUT(to), int type, int rx, int ry, int rz, TABLE(chords), int size)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    constant short *half_chords = TABLE_OF(short, chords);
    global const uint *centre = (global const uint *)keys_pixels + AT(keys, x + rx, y + ry, z + rz);
    uint key, next = 0, mode = 0;
    int max_count = 0;
    bool has_next = true;
    while (has_next && 2 * max_count <= size) {
        int count = 0;
        key = next;
        next = 0xffffffffu;
        has_next = false;
        for (int dz = -rz; dz <= rz; dz++)
            for (int dy = -ry; dy <= ry; dy++) {
                const int half_row = half_chords[abs(dz) * (ry + 1) + abs(dy)];
                global const uint *row = centre + (INDEX)dz * keys.plane + (INDEX)dy * keys.row;
                for (int dx = -half_row; dx <= half_row; dx++) {
                    count += row[dx] == key;
                    has_next |= row[dx] > key;
                    next = row[dx] > key ? min(next, row[dx]) : next;
                }
            }
        if (count > max_count) {
            max_count = count;
            mode = key;
        }
    }
    store_key(to_pixels, to.type, AT(to, x, y, z), mode, type);
}
