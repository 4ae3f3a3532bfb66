/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * For results that a filter's last pass cannot write: the difference of two images, and results that differ in extent
 * from the source. Outside an image its border is repeated.
 */
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
