/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima within a distance. Direct neighbours are compared first, because one of them is usually higher. */

/*
 * Whether the pixel at a step prevents a maximum of this value: it is higher, or it is equal and earlier in raster
 * order.
 */
inline bool refuses(global const uchar *from_pixels, const layout from, int x, int y, int z, int dx, int dy, int dz,
                    float value)
{
    const int i = x + dx, j = y + dy, k = z + dz;
    if (i < 0 || j < 0 || k < 0 || !INSIDE(from, i, j, k))
        return false;
    const bool is_before = dz < 0 || (dz == 0 && (dy < 0 || (dy == 0 && dx < 0)));
    const float other = LOAD(from, i, j, k);
    return other > value || (is_before && other == value);
}

/* `square`: the largest square distance. */
kernel void mark_distant_maxima(INPUT(from), OUTPUT(to), int reach, int square, float threshold)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(from, x, y, z) || !INSIDE(to, x, y, z))
        return;
    const float value = LOAD(from, x, y, z);
    bool is_top = value > threshold;
    for (int step = 0; is_top && step < 6; step++) {
        const int sign = step % 2 ? 1 : -1;
        is_top = !refuses(from_pixels, from, x, y, z, step / 2 == 0 ? sign : 0, step / 2 == 1 ? sign : 0,
                          step / 2 == 2 ? sign : 0, value);
    }
    const int deep = from.depth > 1 ? reach : 0;
    for (int dz = -deep; is_top && dz <= deep; dz++)
        for (int dy = -reach; is_top && dy <= reach; dy++)
            for (int dx = -reach; is_top && dx <= reach; dx++)
                is_top = (dx == 0 && dy == 0 && dz == 0) || dx * dx + dy * dy + dz * dz > square ||
                         !refuses(from_pixels, from, x, y, z, dx, dy, dz, value);
    STORE(to, x, y, z, is_top ? 1.0f : 0.0f);
}
