/* SPDX-License-Identifier: BSD-3-Clause */
/* Projections along z over selected pixels. */

/*
 * For each column, copies the slices from `start` slices after the one whose number is in the first slice of
 * `position`. A work-item copies `slices` of them.
 */
kernel void slices_at(INPUT(from), INPUT(position), OUTPUT(to), int start, int slices)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), first = (int)get_global_id(2) * slices;
    if (!INSIDE(to, x, y, first))
        return;
    const long place = (long)clamp(trunc(LOAD_CLAMPED(position, x, y, 0)), -1e9f, 1e9f) + start;
    const INDEX column = AT(from, min(x, from.width - 1), min(y, from.height - 1), 0);
    for (int z = first; z < min(first + slices, to.depth); z++) {
        const INDEX at = column + (INDEX)clamp(place + z, 0L, (long)from.depth - 1) * (INDEX)from.plane;
        MOVE(from, at, to, AT(to, x, y, z))
    }
}

/*
 * Computes the mean of the values above the threshold, or below it with sign -1. The rounding errors of the sum are
 * summed separately and added at the end.
 */
kernel void mean_of_chosen(INPUT(from), OUTPUT(to), float threshold, float sign)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_global_id(2);
    if (!INSIDE(to, x, y, slice))
        return;
    float sum = 0.0f, rest = 0.0f;
    int count = 0;
    for (int z = 0; z < from.depth; z++) {
        const float value = LOAD_CLAMPED(from, x, y, z);
        if (sign * value > sign * threshold) {
            const float next = sum + value;
            rest += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
            sum = next;
            count++;
        }
    }
    STORE_SNAPPED(to, x, y, slice, (sum + (isfinite(sum) ? rest : 0.0f)) / (float)count, ROUNDINGS_OF_ROOT);
}

/* Finds the smallest value above the threshold, or writes 0 if no value is above it. */
kernel void minimum_above(INPUT(from), OUTPUT(to), float threshold, int first, int count)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_global_id(2);
    if (!INSIDE(to, x, y, slice))
        return;
    float min_value = NAN;
    for (int z = first; z < first + count; z++) {
        const float value = LOAD_CLAMPED(from, x, y, z);
        if (value > threshold)
            min_value = fmin(min_value, value);
    }
    STORE(to, x, y, slice, isnan(min_value) ? 0.0f : min_value);
}

/*
 * As minimum_above, for 32-bit integers, which float32 would round: finds the smallest number of at least `min_value`.
 */
kernel void minimum_from(INPUT(from), OUTPUT(to), long min_value, int first, int count)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_global_id(2);
    if (!INSIDE(to, x, y, slice))
        return;
    long found = LONG_MAX;
    for (int z = first; z < first + count; z++) {
        const long value = LOAD_WHOLE_CLAMPED(from, x, y, z);
        if (value >= min_value)
            found = min(found, value);
    }
    STORE_WHOLE(to, x, y, slice, found == LONG_MAX ? 0 : found);
}

/* Integers that sort like floats. */
inline uint order_of(float value)
{
    const uint bits = as_uint(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* The order of a pixel; 32-bit integers keep all bits. Adding 0 turns -0 into 0, so both have the same order. */
inline uint order_at(global const uchar *pixels, int type, INDEX at)
{
    if (type == UINT32 || type == INT32)
        return load_bits(pixels, type, at) ^ (type == INT32 ? 0x80000000u : 0u);
    return order_of(load_float(pixels, type, at) + 0.0f);
}

inline void store_order(global uchar *pixels, int type, INDEX at, uint order, int from_type)
{
    if (from_type == UINT32 || from_type == INT32)
        store_whole(pixels, type, at, from_type == INT32 ? (long)order - 0x80000000L : (long)order);
    else
        store_float(pixels, type, at, as_float(order >> 31 ? order & 0x7fffffffu : ~order));
}

/*
 * Writes the element with index count / 2 of the sorted nonzero values of a column, or 0 if all values are 0. The
 * element is found bit by bit.
 */
kernel void median_of_nonzero(INPUT(from), OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_global_id(2);
    if (!INSIDE(to, x, y, slice))
        return;
    const INDEX column = AT(from, min(x, from.width - 1), min(y, from.height - 1), 0), plane = (INDEX)from.plane;
    const uint zero = from.type == UINT32 ? 0u : 0x80000000u;
    int count = 0;
    uint first = 0, differ = 0;
    for (int z = 0; z < from.depth; z++) {
        const uint order = order_at(from_pixels, from.type, column + z * plane);
        if (order != zero) {
            first = count++ ? first : order;
            differ |= order ^ first;
        }
    }
    uint median = first & ~differ;
    for (uint bit; differ; differ ^= bit) {
        int below = 0;
        bit = 1u << (31 - clz(differ));
        for (int z = 0; z < from.depth; z++) {
            const uint order = order_at(from_pixels, from.type, column + z * plane);
            below += order != zero && order < (median | bit);
        }
        if (below <= count / 2)
            median |= bit;
    }
    if (count == 0)
        STORE(to, x, y, slice, 0.0f);
    else
        store_order(to_pixels, to.type, AT(to, x, y, slice), median, from.type);
}

/*
 * Like median_of_nonzero, for long columns of types that float32 represents exactly: 32 work-items per column keep its
 * values in local memory. If there are too many values, they are read again for each bit.
 */
enum { MEDIAN_COLUMNS = 8, MEDIAN_LANES = 32, MEDIAN_VALUES = 512, MEDIAN_LOADS = 8 };

/*
 * The values of a work-item: every 32nd from z on, 0 beyond the column. All loads are issued before the first value is
 * used.
 */
inline void load_column(global const uchar *from_pixels, const layout *image, int x, int y, int z, float *values)
{
    const layout from = *image;
#pragma unroll
    for (int i = 0; i < MEDIAN_LOADS; i++)
        values[i] = z + i * MEDIAN_LANES < from.depth ? LOAD_CLAMPED(from, x, y, z + i * MEDIAN_LANES) : 0.0f;
}

kernel void median_of_long(INPUT(from), OUTPUT(to))
{
    local uint values[MEDIAN_VALUES * MEDIAN_COLUMNS];
    volatile local int counts[33 * MEDIAN_COLUMNS];
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), slice = (int)get_group_id(2);
    const int column = (int)get_local_id(0), lane = (int)get_local_id(2);
    for (int i = lane; i < 33; i += MEDIAN_LANES)
        counts[i * MEDIAN_COLUMNS + column] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local int *all = counts + 32 * MEDIAN_COLUMNS + column;
    for (int z = lane; z < from.depth; z += MEDIAN_LOADS * MEDIAN_LANES) {
        float loaded[MEDIAN_LOADS];
        load_column(from_pixels, &from, x, y, z, loaded);
        for (int i = 0; i < MEDIAN_LOADS; i++) {
            const int place = loaded[i] != 0.0f ? atomic_inc(all) : MEDIAN_VALUES;
            if (place < MEDIAN_VALUES)
                values[place * MEDIAN_COLUMNS + column] = order_of(loaded[i]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int count = *all;
    uint median = 0;
    for (int bit = 31; bit >= 0; bit--) {
        const uint higher = median | 1u << bit;
        int mine = 0;
        if (count <= MEDIAN_VALUES)
            for (int i = lane; i < count; i += MEDIAN_LANES)
                mine += values[i * MEDIAN_COLUMNS + column] < higher;
        else
            for (int z = lane; z < from.depth; z += MEDIAN_LOADS * MEDIAN_LANES) {
                float loaded[MEDIAN_LOADS];
                load_column(from_pixels, &from, x, y, z, loaded);
                for (int i = 0; i < MEDIAN_LOADS; i++)
                    mine += loaded[i] != 0.0f && order_of(loaded[i]) < higher;
            }
        if (mine > 0)
            atomic_add(&counts[bit * MEDIAN_COLUMNS + column], mine);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (counts[bit * MEDIAN_COLUMNS + column] <= count / 2)
            median = higher;
    }
    if (lane == 0 && INSIDE(to, x, y, slice))
        STORE(to, x, y, slice, count == 0 ? 0.0f : as_float(median >> 31 ? median & 0x7fffffffu : ~median));
}
