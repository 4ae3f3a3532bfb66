/* SPDX-License-Identifier: BSD-3-Clause */

kernel void clear_line(global uint4 *to, long first, long quads)
{
    const size_t i = get_global_id(0);
    if (i < (size_t)quads)
        to[(size_t)first + i] = (uint4)(0);
}
