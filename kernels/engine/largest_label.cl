/* SPDX-License-Identifier: BSD-3-Clause */

/* Largest label of an image of `count` pixels; *largest starts at 0. */
kernel void largest_label(INPUT(labels), global uint *largest, long count)
{
    uint mine = 0;
    for (long i = get_global_id(0); i < count; i += get_global_size(0)) {
        const long row = i / labels.width;
        mine = max(mine, LOAD_LABEL(labels, i % labels.width, row % labels.height, row / labels.height));
    }
    local uint most[256];
    const int lane = get_local_id(0);
    most[lane] = mine;
    for (int half_size = 128; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            most[lane] = max(most[lane], most[lane + half_size]);
    }
    if (lane == 0)
        atomic_max(largest, most[0]);
}
