/* SPDX-License-Identifier: BSD-3-Clause */
/* Extremes along z of 32-bit integers, which float32 would round. A work-item computes one pixel. */

/* Writes the largest number of `count` slices, or the smallest with sign -1. */
kernel void extreme_of_integers(INPUT(from), OUTPUT(to), int first, int count, int sign)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    long max_value = LONG_MIN;
    for (int z = first; z < first + count; z++)
        max_value = max(max_value, sign * LOAD_WHOLE_CLAMPED(from, x, y, z));
    STORE_WHOLE(to, x, y, 0, sign * max_value);
}

/* Writes the index of the first slice with the largest number, or with the smallest for sign -1. */
kernel void position_of_integers(INPUT(from), OUTPUT(to), int sign)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    long max_value = LONG_MIN;
    int place = 0;
    for (int z = 0; z < from.depth; z++) {
        const long value = sign * LOAD_WHOLE_CLAMPED(from, x, y, z);
        if (value > max_value) {
            max_value = value;
            place = z;
        }
    }
    STORE(to, x, y, 0, (float)place);
}
