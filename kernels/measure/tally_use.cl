/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of slices, and what a tally says of an image applied to it. */

/* Groups (their number, slices), which count from `first`: each item adds pixels in steps of all items, then the group its items by a tree. */
kernel void slice_parts(INPUT(source), global float *parts, int first)
{
    local float2 group[TALLY_GROUP];
    const int lane = (int)get_local_id(0), z = (int)get_global_id(1);
    const long count = (long)source.width * source.height;
    float2 sum = (float2)(0.0f);
    for (long i = get_global_id(0); i < count; i += get_global_size(0))
        sum = add_pairs(sum, (float2)(LOAD(source, i % source.width, i / source.width, z), 0.0f));
    group[lane] = sum;
    for (int half_size = TALLY_GROUP / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            group[lane] = add_pairs(group[lane], group[lane + half_size]);
    }
    if (lane == 0)
        vstore2(group[0], (size_t)(first + z) * get_num_groups(0) + get_group_id(0), parts);
}

kernel void slice_sums(global const float *parts, int groups, int slices, OUTPUT(sums))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(sums, x, y, z))
        return;
    float2 sum = (float2)(0.0f);
    for (int i = 0; i < groups && x < slices; i++)
        sum = add_pairs(sum, vload2((size_t)x * groups + i, parts));
    STORE(sums, x, y, z, sum.x + sum.y);
}

kernel void normalize_pixels(INPUT(source), global const float *all, OUTPUT(stretched))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(stretched, x, y, z))
        return;
    const float low = all[2 * SUMS], range = all[2 * SUMS + 1] - low;
    STORE(stretched, x, y, z, range > 0.0f ? (LOAD_CLAMPED(source, x, y, z) - low) / range : 0.0f);
}
