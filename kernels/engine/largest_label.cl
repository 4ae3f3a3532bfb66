/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds the largest label of an image; *largest starts at 0. A dense image is read as a line of vectors, any other
 * image row by row, by vectors of four if its rows allow it.
 */
kernel void largest_label(INPUT(labels), global uint *largest, long count, int dense, int vec4)
{
    uint mine = 0;
    if (dense) {
        uint4 four = 0;
        for (long i = get_global_id(0); i < count / 4; i += get_global_size(0))
            four = max(four, load_four_labels(labels_pixels, labels.type, (INDEX)(labels.offset + 4 * i)));
        mine = max(max(four.x, four.y), max(four.z, four.w));
        if (get_global_id(0) < count % 4)
            mine = max(mine, load_label(labels_pixels, labels.type,
                                        (INDEX)(labels.offset + count - 1 - (long)get_global_id(0))));
    } else if (vec4) {     /* each work-item walks down its column */
        const uint columns = ((uint)labels.width + 3) / 4, items = get_global_size(0), step = max(items / columns, 1u);
        uint4 four = 0;
        for (uint column = get_global_id(0) % columns; column < columns; column += items) {
            uint4 down = 0;
            for (uint row = get_global_id(0) / columns; row < (uint)labels.height * labels.depth; row += step)
                down = max(down, LOAD_FOUR_LABELS(labels, 4 * (int)column, row % labels.height, row / labels.height));
            four = max(four, select((uint4)(0), down, FIRST_OF_FOUR(labels.width - 4 * (int)column)));
        }
        mine = max(max(four.x, four.y), max(four.z, four.w));
    } else {
        for (uint row = get_group_id(0); row < (uint)labels.height * labels.depth; row += get_num_groups(0))
            for (int x = get_local_id(0); x < labels.width; x += get_local_size(0))
                mine = max(mine, LOAD_LABEL(labels, x, row % labels.height, row / labels.height));
    }
    local uint max_value[256];
    const int lane = get_local_id(0);
    max_value[lane] = mine;
    for (int half_size = 128; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_size)
            max_value[lane] = max(max_value[lane], max_value[lane + half_size]);
    }
    if (lane == 0)
        atomic_max(largest, max_value[0]);
}

/* Finds a pixel that is not 0 in a map without labels: sets the first word to 1, the second to the pixel's bits. */
kernel void find_no_label(INPUT(labels), volatile global uint *found)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const float number = LOAD(labels, x, y, z);
    if (number != 0.0f && !*found && atomic_xchg(found, 1u) == 0)
        found[1] = as_uint(number);
}
