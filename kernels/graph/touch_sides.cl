/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts pixel faces between touching labels and computes their share of a label's outline. */
#include "bit_rows.cl"
#include "matrices.cl"

/* Adds faces between two labels, left of the diagonal or on both sides of it. */
#define ADD_SIDES(low, high, number)                                                                                   \
    if (number > 0) {                                                                                                  \
        atomic_add(&sides[(ulong)(high) * count + (low)], number);                                                     \
        if (both)                                                                                                      \
            atomic_add(&sides[(ulong)(low) * count + (high)], number);                                                 \
    }

/* Counts faces of a map that lacks the rows before y0; only faces in the rows up to y1 count. */
kernel void touch_counts(INPUT(labels), int y0, int y1, volatile global uint *sides, uint count, int both)
{
    const int x = (int)get_global_id(0), first = max((int)get_global_id(1) * WALK, y0), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, first, z))
        return;
    uint low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, number[3] = {0, 0, 0};
    for (int y = first; y < min(((int)get_global_id(1) + 1) * WALK, y1); y++) {
        const uint label = LOAD_LABEL(labels, x, y, z);
        const uint next[3] = {LOAD_LABEL_CLAMPED(labels, x + 1, y, z), LOAD_LABEL_CLAMPED(labels, x, y + 1, z),
                              LOAD_LABEL_CLAMPED(labels, x, y, z + 1)};
        for (int axis = 0; axis < 3; axis++) {
            const uint min_label = min(label, next[axis]), max_label = max(label, next[axis]);
            if (min_label == max_label || max_label >= count)
                continue;
            if (min_label != low[axis] || max_label != high[axis]) {
                ADD_SIDES(low[axis], high[axis], number[axis])
                low[axis] = min_label;
                high[axis] = max_label;
                number[axis] = 0;
            }
            number[axis]++;
        }
    }
    for (int axis = 0; axis < 3; axis++)
        ADD_SIDES(low[axis], high[axis], number[axis])
}

/* Like touch_counts, for rows that are aligned to four pixels. */
kernel void touch_counts_vec4(INPUT(labels), volatile global uint *sides, uint count, int both, int slices)
{
    uint number = 0;
#define END_COUNT                                                                                                      \
    if (high < count)                                                                                                  \
        ADD_SIDES(low, high, number)
    EACH_TOUCH(slices, END_COUNT, number = 0;, number++;)
    END_COUNT
}

/* ---- a symmetric matrix of faces, in which a label's column equals its row; one work-group per row */

enum { ROW_LANES = 256, ROW_VALUES = 1024 };

inline float sum_of_row(global const uint *row, uint count, local ulong *lanes)
{
    const uint lane = get_local_id(0);
    const uint size = get_local_size(0);
    ulong sum = 0;
    for (uint first = lane; first < count; first += 4 * size)      /* four loads at a time */
        for (uint k = 0; k < 4; k++)
            sum += first + k * size < count ? row[first + k * size] : 0;
    lanes[lane] = sum;
    for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step)
            lanes[lane] += lanes[lane + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return (float)lanes[0];
}

kernel void row_sums(global const uint *sides, uint count, global float *sums)
{
    local ulong lanes[ROW_LANES];
    const uint y = get_global_id(0) / get_local_size(0);
    const float sum = sum_of_row(sides + (ulong)y * count, count, lanes);
    if (get_local_id(0) == 0)
        sums[y] = sum;
}

/* Writes each entry's share of the sum of its column. */
kernel void column_shares(global const uint *sides, global const float *sums, uint count, OUTPUT(shares))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(shares, x, y, z))
        return;
    const uint side = (uint)x < count && (uint)y < count ? sides[(ulong)y * count + x] : 0;
    float share = 0.0f;
    if (side > 0 && sums[x] > 0.0f)
        share = DIVIDE((FLOATV)((float)side), (FLOATV)(sums[x])).s0;
    STORE(shares, x, y, z, share);
}

/*
 * Finds the median of the shares that are not 0 (entry number / 2 of the sorted list), which belongs to the median
 * number of faces. The median is found bit by bit. The work-group keeps the numbers in local memory, or reads the row
 * again for each bit if there are too many.
 */
kernel void median_shares(global const uint *sides, uint count, global float *medians)
{
    local ulong lanes[ROW_LANES];
    local uint values[ROW_VALUES];
    volatile local uint counts[34];
    volatile local uint *all = counts + 32, *max_side = counts + 33;
    const uint y = get_global_id(0) / get_local_size(0), lane = get_local_id(0);
    global const uint *row = sides + (ulong)y * count;
    for (uint n = lane; n < 34; n += get_local_size(0))
        counts[n] = 0;
    const float sum = sum_of_row(row, count, lanes);
    for (uint x = lane; x < count; x += get_local_size(0)) {
        const uint value = row[x];
        if (value == 0)
            continue;
        const uint place = atomic_inc(all);
        if (place < ROW_VALUES)
            values[place] = value;
        atomic_max(max_side, value);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint number = *all;
    uint median = 0;
    for (int bit = 31 - (int)clz(*max_side); bit >= 0; bit--) {
        const uint higher = median | 1u << bit;
        uint below = 0;
        if (number <= ROW_VALUES)
            for (uint n = lane; n < number; n += get_local_size(0))
                below += values[n] < higher;
        else
            for (uint x = lane; x < count; x += get_local_size(0))
                below += row[x] > 0 && row[x] < higher;
        if (below > 0)
            atomic_add(&counts[bit], below);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (counts[bit] <= number / 2)
            median = higher;
    }
    if (lane == 0)
        medians[y] = number > 0 ? DIVIDE((FLOATV)((float)median), (FLOATV)(sum)).s0 : 0.0f;
}

/*
 * Writes the number of labels from `first` on whose share is at least `min_share`, or the mean of all shares, which is
 * 1 / number because shares add up to 1. A label that is left out has no share.
 */
kernel void count_shares(global const uint *sides, uint count, global float *numbers, uint first, float min_share,
                         int mean)
{
    local ulong lanes[ROW_LANES];
    volatile local uint number;
    const uint y = get_global_id(0) / get_local_size(0), lane = get_local_id(0);
    global const uint *row = sides + (ulong)y * count;
    if (lane == 0)
        number = 0;
    const float sum = sum_of_row(row, count, lanes);
    for (uint x = first + lane; x < count && y >= first; x += get_local_size(0))
        if (row[x] > 0 && DIVIDE((FLOATV)((float)row[x]), (FLOATV)(sum)).s0 >= min_share)
            atomic_inc(&number);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0)
        numbers[y] = number > 0 && mean ? DIVIDE((FLOATV)(1.0f), (FLOATV)((float)number)).s0 : (float)number;
}
