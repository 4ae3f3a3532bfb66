/* SPDX-License-Identifier: BSD-3-Clause */

/* Pixel u, v of each block of `across` x `down` pixels goes into view v * across + u; `to` begins at view `first`. */
kernel void light_field_views(INPUT(from), OUTPUT(to), int across, int down, int first)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2), view = z + first;
    if (!INSIDE(to, x, y, z))
        return;
    const long fx = (long)x * across + view % across, fy = (long)y * down + view / across;
    if (fx < from.width && fy < from.height)
        MOVE(from, AT(from, fx, fy, 0), to, AT(to, x, y, z))
    else
        STORE(to, x, y, z, 0.0f);
}
