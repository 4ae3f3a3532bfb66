/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Copies pixels to position x0, y0, z0 of the target and drops those outside. Pixels of equal types are copied as bits.
 */
kernel void copy_region(INPUT(from), OUTPUT(to), long x0, long y0, long z0)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const long tx = x + x0, ty = y + y0, tz = z + z0;
    if (!INSIDE(from, x, y, z) || tx < 0 || ty < 0 || tz < 0 || tx >= to.width || ty >= to.height || tz >= to.depth)
        return;
    MOVE(from, AT(from, x, y, z), to, AT(to, tx, ty, tz))
}
