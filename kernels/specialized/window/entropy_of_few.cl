/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entropy of small windows: the bins of all pixels of a window are held in registers and compared pairwise. As in
 * kernels/window/entropy.cl, the c-th occurrence of a value adds the c-th entry of a table. Constants: REACH_X to
 * REACH_Z.
 */
enum { LINE = 2 * REACH_X + 1, PLANE = LINE * (2 * REACH_Y + 1), ALL = PLANE * (2 * REACH_Z + 1) };

__attribute__((reqd_work_group_size(32, 4, 1))) kernel void entropy_of_few(INPUT(bins), OUTPUT(to),
                                                                           global const long *gains, float pixels)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    uint seen[ALL];
    long sum = 0;
    EACH(i, 0, ALL) {
        const int at_x = clamp(x + i % LINE - REACH_X, 0, bins.width - 1),
                  at_y = clamp(y + i % PLANE / LINE - REACH_Y, 0, bins.height - 1);
        seen[i] = ((
            global const ushort *)bins_pixels)[AT(bins, at_x, at_y, clamp(z + i / PLANE - REACH_Z, 0, bins.depth - 1))];
        uint before = 0;
        EACH(j, 0, ALL)
            if (j < i)
                before += seen[i] == seen[j];
        sum += gains[before];
    }
    STORE(to, x, y, z, fmax(log2(pixels) - (float)sum * 0x1p-24f / pixels, 0.0f));
}
