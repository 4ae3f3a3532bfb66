/* SPDX-License-Identifier: BSD-3-Clause */

/* The weights add up to 1, so grey pixels keep their value. */
kernel void luminance(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float red = LOAD_CLAMPED(from, x, y, 0), green = LOAD_CLAMPED(from, x, y, 1),
                blue = LOAD_CLAMPED(from, x, y, 2);
    STORE_SNAPPED(to, x, y, z, red * 0.299f + green * 0.587f + blue * 0.114f, 6.0f);
}
