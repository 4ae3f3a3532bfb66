/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * ends: for each axis the complement of the low end, and the high end plus 1; both only grow. Coordinate 0 is no low end, as
 * in CLIJ2, whose minimum leaves out products of coordinates and pixels that are 0.
 */
inline void grow_end(volatile global uint *end, uint value)
{
    if (*end < value)
        atomic_max(end, value);
}

kernel void bounding_box(INPUT(source), int first_slice, volatile global uint *ends)
{
    enum { WALK = 32 };
    const int x = (int)get_global_id(0), start = (int)get_global_id(1) * WALK, z = (int)get_global_id(2);
    if (!INSIDE(source, x, start, z))
        return;
    int first = -1, last = -1;
    for (int y = start; y < min(start + WALK, source.height); y++)
        if (LOAD(source, x, y, z) >= 1.0f) {
            first = first < 1 ? y : first;
            last = y;
        }
    if (first < 0)
        return;
    if (x > 0)
        grow_end(ends, ~(uint)x);
    grow_end(ends + 1, (uint)x + 1);
    if (first > 0)
        grow_end(ends + 2, ~(uint)first);
    grow_end(ends + 3, (uint)last + 1);
    const uint slice = (uint)(first_slice + z);
    if (slice > 0)
        grow_end(ends + 4, ~slice);
    grow_end(ends + 5, slice + 1);
}
