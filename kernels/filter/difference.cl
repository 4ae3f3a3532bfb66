/* SPDX-License-Identifier: BSD-3-Clause */

/* What a filter's last pass cannot do: one image less another, and results of other extents; outside an image its
 * border is repeated. */
kernel void difference(INPUT(a), INPUT(b), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, LOAD_CLAMPED(a, x, y, z) - LOAD_CLAMPED(b, x, y, z));
}

kernel void extended(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, LOAD_CLAMPED(from, x, y, z));
}
