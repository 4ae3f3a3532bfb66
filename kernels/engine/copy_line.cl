/* SPDX-License-Identifier: BSD-3-Clause */

kernel void copy_line(global const uint4 *restrict from, global uint4 *restrict to, long quads)
{
    const size_t i = get_global_id(0);
    if (i < (size_t)quads)
        to[i] = from[i];
}
