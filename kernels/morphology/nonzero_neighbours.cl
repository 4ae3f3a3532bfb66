/* SPDX-License-Identifier: BSD-3-Clause */

/* Where a pixel is not 0: the largest value around it, or the smallest above 0; by side and corner (box) or by side. */
kernel void nonzero_neighbours(INPUT(from), OUTPUT(to), int box, int largest)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float found = LOAD_CLAMPED(from, x, y, z);
    if (found == 0.0f)
        return;
    const int deep = from.depth > 1;
    for (int dz = -deep; dz <= deep; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const float value = LOAD_CLAMPED(from, x + dx, y + dy, z + dz);
                if ((box || abs(dx) + abs(dy) + abs(dz) == 1) && (largest ? value > found : value < found && value > 0.0f))
                    found = value;
            }
    STORE(to, x, y, z, found);
}
