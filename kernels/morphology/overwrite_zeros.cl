/* SPDX-License-Identifier: BSD-3-Clause */

/* A zero becomes the largest value around it, by side and corner (box) or by side. */
kernel void overwrite_zeros(INPUT(from), OUTPUT(to), int box)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    float value = LOAD_CLAMPED(from, x, y, z);
    if (value == 0.0f) {
        const int deep = from.depth > 1;
        for (int dz = -deep; dz <= deep; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (box || abs(dx) + abs(dy) + abs(dz) == 1)
                        value = fmax(value, LOAD_CLAMPED(from, x + dx, y + dy, z + dz));
    }
    STORE(to, x, y, z, value);
}
