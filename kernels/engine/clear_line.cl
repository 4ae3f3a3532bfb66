/* SPDX-License-Identifier: BSD-3-Clause */

/* Clears whole quads and the bytes after the last one. */
kernel void clear_line(global uint4 *to, long first, long quads, int rest)
{
    const size_t i = get_global_id(0);
    if (i < (size_t)quads)
        to[(size_t)first + i] = (uint4)(0);
    else if (i == (size_t)quads)
        for (int k = 0; k < rest; k++)
            ((global uchar *)(to + (size_t)first + i))[k] = 0;
}
