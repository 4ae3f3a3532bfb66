/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes, for each pixel that is not 0, the largest value around it, or the smallest value above 0. A work-item walks
 * through slices.
 */

inline float better_of(float found, float value, int largest)
{
    return (largest ? value > found : value < found && value > 0.0f) ? value : found;
}

/*
 * Returns the best of nine pixels of a slice (box) or of five, and the pixel itself. Beyond the stack, the last slice
 * is repeated.
 */
inline float2 best_of_slice(INPUT(from), int x, int y, int z, int box, int largest)
{
    const int slice = clamp(z, 0, from.depth - 1);
    float best = largest ? -INFINITY : INFINITY;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (box || abs(dx) + abs(dy) == 1)
                best = better_of(best, LOAD_CLAMPED(from, x + dx, y + dy, slice), largest);
    return (float2)(best, LOAD_CLAMPED(from, x, y, slice));
}

/* Like nonzero_neighbours, for 32-bit integers, which float32 would round. A work-item computes one pixel. */
kernel void nonzero_neighbours_of_integers(INPUT(from), OUTPUT(to), int box, int largest)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    long found = LOAD_WHOLE_CLAMPED(from, x, y, z);
    if (found == 0)
        return;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (box || abs(dx) + abs(dy) + abs(dz) == 1) {
                    const long value = LOAD_WHOLE_CLAMPED(from, x + dx, y + dy, z + dz);
                    found = (largest ? value > found : value < found && value > 0) ? value : found;
                }
    STORE_WHOLE(to, x, y, z, found);
}

/* Writes only pixels that are not 0. */
kernel void nonzero_neighbours(INPUT(from), OUTPUT(to), int box, int largest, int slices)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), first = (int)get_global_id(2) * slices,
              deep = from.depth > 1;
    if (!INSIDE(to, x, y, first))
        return;
    float2 before = best_of_slice(from_pixels, from, x, y, deep ? first - 1 : first, box, largest);
    float2 here = deep ? best_of_slice(from_pixels, from, x, y, first, box, largest) : before, after = here;
    for (int z = first; z < min(first + slices, to.depth); z++) {
        if (deep)
            after = best_of_slice(from_pixels, from, x, y, z + 1, box, largest);
        float found = here.y;
        found = better_of(found, box || !deep ? before.x : before.y, largest);
        found = better_of(found, here.x, largest);
        found = better_of(found, box || !deep ? after.x : after.y, largest);
        if (here.y != 0.0f)
            STORE(to, x, y, z, found);
        before = here;
        here = after;
    }
}
