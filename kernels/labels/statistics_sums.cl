/* SPDX-License-Identifier: BSD-3-Clause */

enum { POSITIONS = 1, INTENSITIES = 2, SQUARES = 1, MOMENTS = 2 };

/* ---- counts, boxes, smallest and largest values, sums of positions; fields that keep a minimum hold its complement */

enum { RUN_COUNT = 0, RUN_SUM, RUN_COLUMNS = 4, RUN_SLICES, RUN_TOP, RUN_BOTTOM, RUN_LEAST, RUN_MOST, EXTENT_FIELDS };

inline void collect_extents(volatile local uint *slot, const uint *run, int parts)
{
    atomic_add(slot + RUN_COUNT, run[RUN_COUNT]);
    if (parts & POSITIONS) {
        for (int axis = 0; axis < 3; axis++)
            add_word(slot + RUN_SUM + axis, run[RUN_SUM + axis]);
        set_bits(slot + RUN_COLUMNS, run[RUN_COLUMNS]);
        set_bits(slot + RUN_SLICES, run[RUN_SLICES]);
        raise_word(slot + RUN_TOP, run[RUN_TOP]);
        raise_word(slot + RUN_BOTTOM, run[RUN_BOTTOM]);
    }
    if (parts & INTENSITIES) {
        raise_word(slot + RUN_LEAST, run[RUN_LEAST]);
        raise_word(slot + RUN_MOST, run[RUN_MOST]);
    }
}

inline uint lowest_bit(uint bits)
{
    return 31 - clz(bits & -bits);
}

inline void emit_extents(volatile global uint *row, const uint *run, int3 tile, int parts)
{
    add_counter(row + COUNT, run[RUN_COUNT]);
    if (parts & POSITIONS) {
        raise(row + LOW, ~(tile.x + lowest_bit(run[RUN_COLUMNS])));
        raise(row + LOW + 1, run[RUN_TOP]);
        raise(row + LOW + 2, ~(tile.z + lowest_bit(run[RUN_SLICES])));
        raise(row + HIGH, tile.x + 31 - clz(run[RUN_COLUMNS]));
        raise(row + HIGH + 1, run[RUN_BOTTOM]);
        raise(row + HIGH + 2, tile.z + 31 - clz(run[RUN_SLICES]));
        add_sum(row + SUM, (ulong)run[RUN_COUNT] * tile.x + run[RUN_SUM]);
        add_sum(row + SUM + 4, (ulong)run[RUN_COUNT] * tile.y + run[RUN_SUM + 1]);
        add_sum(row + SUM + 8, (ulong)run[RUN_COUNT] * tile.z + run[RUN_SUM + 2]);
    }
    if (parts & INTENSITIES) {
        raise(row + LEAST, run[RUN_LEAST]);
        raise(row + MOST, run[RUN_MOST]);
    }
}

kernel void statistics_extents(INPUT(labels), INPUT(source), uint first, uint last, int rows, int parts,
                               volatile global uint *rows_of_labels)
{
    WALK_RUNS(EXTENT_FIELDS,
        uint least = 0; uint most = 0;,
        if (parts & INTENSITIES)
            value = values_down(source_pixels, &source, x, four, z, more);,
        least = 0; most = 0;,
        const uint order = order_of(value.x);
        least = max(least, ~order); most = max(most, order);,
        const uint n = y - start;
        run[RUN_COUNT] = n;
        run[RUN_SUM] = n * get_local_id(0);
        run[RUN_SUM + 1] = n * (start - tile.y) + n * (n - 1) / 2;
        run[RUN_SUM + 2] = n * get_local_id(2);
        run[RUN_COLUMNS] = 1u << get_local_id(0);
        run[RUN_SLICES] = 1u << get_local_id(2);
        run[RUN_TOP] = ~(uint)start;
        run[RUN_BOTTOM] = y - 1;
        run[RUN_LEAST] = least;
        run[RUN_MOST] = most;,
        collect_extents(slot, run, parts);,
        emit_extents(rows_of_labels + (ulong)label * ROW, run, tile, parts);)
}

/* ---- sums of values above the label's smallest, of their squares, and of them times the position in the label's box */

enum { RUN_VALUES = 0, RUN_MOMENTS = 2, RUN_SQUARES = 8, VALUE_FIELDS = 11 };

/* A label's scale, and its smallest value on it. */
kernel void statistics_scales(global const uint *rows_of_labels, global uint4 *scales, uint count)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = rows_of_labels + (ulong)i * ROW;
    const float smallest = value_of(~row[LEAST]);
    const float2 scale = scale_of(smallest, value_of(row[MOST]));
    const ulong least = scale.x > 0.0f ? (ulong)convert_long_rte(smallest * scale.x * scale.y) : 0;
    scales[i] = (uint4)(as_uint(scale.x), as_uint(scale.y), (uint)least, (uint)(least >> 32));
}

inline void collect_values(volatile local uint *slot, const uint *run, int parts)
{
    add_words(slot + RUN_VALUES, long_of(run + RUN_VALUES));
    for (int axis = 0; axis < 3 && parts & MOMENTS; axis++)
        add_words(slot + RUN_MOMENTS + 2 * axis, long_of(run + RUN_MOMENTS + 2 * axis));
    if (parts & SQUARES)
        add_word(slot + RUN_SQUARES + 2, run[RUN_SQUARES + 2] + add_words(slot + RUN_SQUARES, long_of(run + RUN_SQUARES)));
}

/* The box may start inside the tile. */
inline void emit_moment(volatile global uint *counters, ulong sum, ulong moment, int from_corner)
{
    if (from_corner < 0)
        add_sum(counters, moment - sum * (uint)-from_corner);
    else
        add_product(counters, sum, (uint)from_corner, moment);
}

inline void emit_values(volatile global uint *row, const uint *run, int3 tile, int parts)
{
    const ulong sum = long_of(run + RUN_VALUES);
    add_sum(row + VALUE_SUM, sum);
    if (parts & MOMENTS) {
        emit_moment(row + WEIGHTED_SUM, sum, long_of(run + RUN_MOMENTS), tile.x - (int)~row[LOW]);
        emit_moment(row + WEIGHTED_SUM + 6, sum, long_of(run + RUN_MOMENTS + 2), tile.y - (int)~row[LOW + 1]);
        emit_moment(row + WEIGHTED_SUM + 12, sum, long_of(run + RUN_MOMENTS + 4), tile.z - (int)~row[LOW + 2]);
    }
    if (parts & SQUARES) {
        add_counter(row + SQUARE_SUM, run[RUN_SQUARES]);
        add_counter(row + SQUARE_SUM + 2, long_of(run + RUN_SQUARES + 1));
    }
}

kernel void statistics_values(INPUT(labels), INPUT(source), uint first, uint last, int rows, int parts, global const uint4 *scales,
                              volatile global uint *rows_of_labels)
{
    WALK_RUNS(VALUE_FIELDS,
        ulong sum = 0; ulong squares = 0; ulong down = 0;
        uint overflow = 0;
        long least = 0;
        float2 scale = 0.0f;,
        value = values_down(source_pixels, &source, x, four, z, more);,
        const uint4 found = scales[label];
        scale = as_float2(found.xy);
        least = (long)(found.z | (ulong)found.w << 32);
        sum = 0; squares = 0; overflow = 0; down = 0;,
        const ulong steps = scale.x > 0.0f ? (ulong)(convert_long_rte(value.x * scale.x * scale.y) - least) : 0;
        const ulong square = steps * steps;
        sum += steps; squares += square; overflow += squares < square; down += steps * (uint)(y - tile.y);,
        keep_long(run + RUN_VALUES, sum);
        keep_long(run + RUN_MOMENTS, sum * get_local_id(0));
        keep_long(run + RUN_MOMENTS + 2, down);
        keep_long(run + RUN_MOMENTS + 4, sum * get_local_id(2));
        keep_long(run + RUN_SQUARES, squares);
        run[RUN_SQUARES + 2] = overflow;,
        collect_values(slot, run, parts);,
        emit_values(rows_of_labels + (ulong)label * ROW, run, tile, parts);)
}
