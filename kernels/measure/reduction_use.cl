/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of slices, and operations that apply the result of a reduction to an image. */
#include "reduction.cl"

/*
 * Several work-groups share a slice, and each writes one partial sum. `first` and `group0` are the numbers, in the
 * whole image, of this launch's first slice and of its first work-group in each slice. They say where the partial sums
 * are stored. A work-group adds the sums of its work-items by a tree.
 */
kernel void slice_parts(INPUT(source), global float *parts, int groups, int group0, int first, int is_line)
{
    local float2 group[REDUCTION_GROUP];
    const int lane = (int)get_local_id(0), z = (int)get_global_id(1);
    const long count = (long)source.width * source.height;
    layout slice = source;
    slice.offset += z * slice.plane;
    reduction4 t;
    clear_reduction4(&t);
    add_up(&t, source_pixels, slice, source_pixels, slice, false, 4 * (long)get_global_id(0),
           4 * (long)get_global_size(0), count, is_line);
    const float2 sum = join_lanes(t).sum[0];
    join_pairs(group, sum);
    if (lane == 0)
        vstore2(group[0], (size_t)(first + z) * groups + group0 + get_group_id(0), parts);
}

/* One work-group per sum. */
kernel void slice_sums(global const float *parts, int groups, int slices, OUTPUT(sums))
{
    enum { ITEMS = 32 };
    local float2 group[ITEMS];
    const int lane = (int)get_local_id(0), x = (int)get_group_id(0), y = (int)get_global_id(1),
              z = (int)get_global_id(2);
    float2 sum = (float2)(0.0f);
    for (int i = lane; i < groups && x < slices; i += ITEMS)
        sum = add_pairs(sum, vload2((size_t)x * groups + i, parts));
    group[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; lane == 0 && i < min(groups, (int)ITEMS); i++)
        sum = add_pairs(sum, group[i]);
    if (lane == 0)
        STORE(sums, x, y, z, sum.x + sum.y);
}

/* A work-item handles LANES pixels if all rows can be read and written as whole vectors (`wide`), else one pixel. */
kernel void normalize_pixels(INPUT(source), global const float *all, OUTPUT(stretched), int wide)
{
    const int x = (wide ? LANES : 1) * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(stretched, x, y, z))
        return;
    const float low = all[2 * SUMS], range = all[2 * SUMS + 1] - low;
    if (wide) {
        const FLOATV value = load_lanes(source_pixels, source.type, AT(source, x, y, z));
        store_row_lanes(stretched_pixels, &stretched, x, y, z,
                        range > 0.0f ? (value - low) / range : select(value, (FLOATV)(0.0f), isfinite(value)), true);
    } else {
        const float value = LOAD_CLAMPED(source, x, y, z);
        STORE(stretched, x, y, z, range > 0.0f ? (value - low) / range : isfinite(value) ? 0.0f : value);
    }
}
