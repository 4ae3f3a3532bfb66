/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary steps along lines of 3 pixels, in stacks along planes of 3 x 3: they smooth outlines without a direction of their own. */

constant char plane_axes[13][6] = {
    {1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}, {1, -1, 0, 0, 0, 0},    /* lines */
    {1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 1}, {1, 0, 0, 0, 1, -1},
    {0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, -1}, {0, 0, 1, 1, 1, 0}, {0, 0, 1, 1, -1, 0}};

/* all: 1 where some line or plane is full; else 1 where none is empty. Outside is 0. */
kernel void lines_of_pixels(INPUT(from), OUTPUT(to), int deep, int all)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int first = deep ? 4 : 0, last = deep ? 13 : 4, full = deep ? 9 : 3;
    int most = 0, least = full;
    for (int plane = first; plane < last; plane++) {
        constant char *a = plane_axes[plane];
        int count = 0;
        for (int i = -1; i <= 1; i++)
            for (int j = -deep; j <= deep; j++) {
                const int px = x + i * a[0] + j * a[3], py = y + i * a[1] + j * a[4], pz = z + i * a[2] + j * a[5];
                const bool inside = px >= 0 && py >= 0 && pz >= 0 && INSIDE(from, px, py, pz);
                count += inside && LOAD(from, px, py, pz) != 0.0f;
            }
        most = max(most, count);
        least = min(least, count);
    }
    STORE(to, x, y, z, all ? most == full : least > 0);
}
