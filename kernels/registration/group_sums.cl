/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over work-groups. */

/* Adds up a number of each work-item of a group and writes the sum. All work-items call it; `items` is a power of 2. */
inline void write_group_sum(float own, local float *part, int items, global float *result)
{
    const int l = get_local_id(0);
    part[l] = own;
    ROLLED for (int half_size = items / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            part[l] += part[l + half_size];
    }
    if (l == 0)
        *result = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
}
