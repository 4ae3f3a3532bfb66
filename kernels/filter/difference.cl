/* SPDX-License-Identifier: BSD-3-Clause */

/* One image less another, where a filter's last pass cannot join it; outside them their borders are repeated. */
kernel void difference(INPUT(a), INPUT(b), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, LOAD_CLAMPED(a, x, y, z) - LOAD_CLAMPED(b, x, y, z));
}
