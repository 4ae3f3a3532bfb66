/* SPDX-License-Identifier: BSD-3-Clause */
#include "exact_orders.cl"
#include "statistics.cl"
#include "statistics_runs.cl"

enum { POSITIONS = 1, INTENSITIES = 2, SQUARES = 1, MOMENTS = 2 };

/* ---- counts, boxes, extremes and sums of positions; fields that keep a minimum hold its complement */

enum { RUN_COUNT = 0, RUN_SUM, RUN_LOW = 7, RUN_HIGH = 10, RUN_LOWEST = 13, RUN_HIGHEST, EXTENT_FIELDS };

inline void collect_extents(volatile local uint *slot, const uint *run, int parts)
{
    atomic_add(slot + RUN_COUNT, run[RUN_COUNT]);
    for (int axis = 0; axis < 3 && parts & POSITIONS; axis++) {
        add_words(slot + RUN_SUM + 2 * axis, long_of(run + RUN_SUM + 2 * axis));
        raise_word(slot + RUN_LOW + axis, run[RUN_LOW + axis]);
        raise_word(slot + RUN_HIGH + axis, run[RUN_HIGH + axis]);
    }
    if (parts & INTENSITIES) {
        raise_word(slot + RUN_LOWEST, run[RUN_LOWEST]);
        raise_word(slot + RUN_HIGHEST, run[RUN_HIGHEST]);
    }
}

inline void emit_extents(volatile global uint *row, const uint *run, int parts)
{
    add_counter(row + COUNT, run[RUN_COUNT]);
    for (int axis = 0; axis < 3 && parts & POSITIONS; axis++) {
        atomic_max(row + LOW + axis, run[RUN_LOW + axis]);
        atomic_max(row + HIGH + axis, run[RUN_HIGH + axis]);
        add_sum(row + SUM + 4 * axis, long_of(run + RUN_SUM + 2 * axis));
    }
    if (parts & INTENSITIES) {
        atomic_max(row + LOWEST, run[RUN_LOWEST]);
        atomic_max(row + HIGHEST, run[RUN_HIGHEST]);
    }
}

kernel void statistics_extents(INPUT(labels), INPUT(source), uint first, uint last, int rows, int capacity,
                               global const uint *count, global const uint4 *list, int parts,
                               volatile global uint *rows_of_labels)
{
    EACH_RUN(EXTENT_FIELDS,
        uint min_value = 0; uint max_value = 0;,
        if (parts & INTENSITIES)
            order = orders_down(source_pixels, &source, x, four, z, more);,
        min_value = 0; max_value = 0;,
        min_value = max(min_value, ~order.x); max_value = max(max_value, order.x);,
        const uint n = y - start;
        run[RUN_COUNT] = n;
        keep_long(run + RUN_SUM, (ulong)n * x);
        keep_long(run + RUN_SUM + 2, (ulong)n * start + n * (n - 1) / 2);
        keep_long(run + RUN_SUM + 4, (ulong)n * z);
        run[RUN_LOW] = ~(uint)x;
        run[RUN_LOW + 1] = ~(uint)start;
        run[RUN_LOW + 2] = ~(uint)z;
        run[RUN_HIGH] = x;
        run[RUN_HIGH + 1] = y - 1;
        run[RUN_HIGH + 2] = z;
        run[RUN_LOWEST] = min_value;
        run[RUN_HIGHEST] = max_value;,
        collect_extents(slot, run, parts);,
        emit_extents(rows_of_labels + (ulong)label * ROW, run, parts);)
}

/*
 * ---- sums of values (less the label's smallest value), of their squares, and of values times the position in the
 *   label's box
 */

enum { RUN_VALUES = 0, RUN_MOMENTS = 2, RUN_SQUARES = 11, VALUE_FIELDS = 14 };

/* Computes for each label its scale, its smallest value on that scale, and the corner of its box. */
kernel void statistics_scales(global const uint *rows_of_labels, int type, global uint4 *scales, uint count)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = rows_of_labels + (ulong)i * ROW;
    const float smallest = value_of(~row[LOWEST], type);
    const float2 scale = scale_of(smallest, value_of(row[HIGHEST], type));
    const ulong min_value = scale.x > 0.0f ? (ulong)convert_long_rte(smallest * scale.x * scale.y) : 0;
    scales[2 * i] = (uint4)(as_uint(scale.x), as_uint(scale.y), (uint)min_value, (uint)(min_value >> 32));
    scales[2 * i + 1] = (uint4)(~row[LOW], ~row[LOW + 1], ~row[LOW + 2], 0);
}

inline void collect_values(volatile local uint *slot, const uint *run, int parts)
{
    add_words(slot + RUN_VALUES, long_of(run + RUN_VALUES));
    for (int axis = 0; axis < 3 && parts & MOMENTS; axis++)
        add_long_words(slot + RUN_MOMENTS + 3 * axis, run + RUN_MOMENTS + 3 * axis);
    if (parts & SQUARES)
        add_long_words(slot + RUN_SQUARES, run + RUN_SQUARES);
}

inline void emit_values(volatile global uint *row, const uint *run, int parts)
{
    add_sum(row + VALUE_SUM, long_of(run + RUN_VALUES));
    for (int i = 0; i < 9 && parts & MOMENTS; i++)
        add_counter(row + WEIGHTED_SUM + 2 * i, run[RUN_MOMENTS + i]);
    if (parts & SQUARES) {
        add_counter(row + SQUARE_SUM, run[RUN_SQUARES]);
        add_counter(row + SQUARE_SUM + 2, long_of(run + RUN_SQUARES + 1));
    }
}

kernel void statistics_values(INPUT(labels), INPUT(source), uint first, uint last, int rows, int capacity,
                              global const uint *count, global const uint4 *list, int parts, global const uint4 *scales,
                              volatile global uint *rows_of_labels)
{
    EACH_RUN(VALUE_FIELDS,
        ulong sum = 0; ulong squares = 0; ulong down = 0;
        uint overflow = 0;
        long min_value = 0;
        float2 scale = 0.0f;,
        value = values_down(source_pixels, &source, x, four, z, more);,
        const uint4 own = scales[2 * label];
        scale = as_float2(own.xy);
        min_value = (long)(own.z | (ulong)own.w << 32);
        sum = 0; squares = 0; overflow = 0; down = 0;,
        const ulong steps = scale.x > 0.0f ? (ulong)(convert_long_rte(value.x * scale.x * scale.y) - min_value) : 0;
        const ulong square = steps * steps;
        sum += steps; squares += square; overflow += squares < square; down += steps * (uint)(y - start);,
        const uint4 corner = scales[2 * label + 1];
        keep_long(run + RUN_VALUES, sum);
        keep_product(run + RUN_MOMENTS, sum, x - corner.x, 0);
        keep_product(run + RUN_MOMENTS + 3, sum, start - corner.y, down);
        keep_product(run + RUN_MOMENTS + 6, sum, z - corner.z, 0);
        keep_long(run + RUN_SQUARES, squares);
        run[RUN_SQUARES + 2] = overflow;,
        collect_values(slot, run, parts);,
        emit_values(rows_of_labels + (ulong)label * ROW, run, parts);)
}
