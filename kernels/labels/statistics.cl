/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums for each label, exact and so independent of the order of atomics: intensities become integers on a scale of the
 * label's own range, and each 32-bit piece of a sum has a counter of 64 bits. An item walks down a column of pixels and adds up what
 * belongs to one label before it touches the table. Fields of a label's row: native/ops/labels/statistics.h.
 */

enum {
    WALK = 32,
    COUNT = 0, LEAST = 2, MOST = 3, LOW = 4, HIGH = 7, SUM = 10,
    VALUE_SUM = 22, WEIGHTED_SUM = 26, SQUARE_SUM = 44,
    DISTANCE_SUM = 48, LONGEST = 56,
    ROW = 58,
    SCALE_BITS = 29,
    CENTRE_ROW = 8
};

/* Order of floats as order of integers. */
inline uint order_of(float value)
{
    const uint bits = as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

inline float value_of(uint order)
{
    return as_float(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}

inline void add_piece(volatile global uint *counter, uint piece)
{
    if (piece == 0)
        return;
#ifdef ATOMICS64
    atom_add((volatile global ulong *)counter, (ulong)piece);
#else
    if (atomic_add(counter, piece) > 0xffffffffu - piece)
        atomic_inc(counter + 1);
#endif
}

inline void add_sum(volatile global uint *counters, ulong value)
{
    add_piece(counters, (uint)value);
    add_piece(counters + 2, (uint)(value >> 32));
}

/* a * b + more, below 2^96. */
inline void add_product(volatile global uint *counters, ulong a, ulong b, ulong more)
{
    const ulong product = a * b, low = product + more;
    add_sum(counters, low);
    add_piece(counters + 4, (uint)mul_hi(a, b) + (low < product));
}

inline ulong sum_of(global const uint *counters)
{
    return (counters[0] | (ulong)counters[1] << 32) + ((ulong)counters[2] << 32);
}

/* Steps of the label's scale in one unit of intensity: 2^exponent, as two factors that no float overflows. */
inline float2 scale_of(float least, float most)
{
    const float range = most * 0.5f - least * 0.5f;
    if (!(range > 0.0f) || isinf(range))
        return (float2)(0.0f);
    const int exponent = clamp(SCALE_BITS - 2 - ilogb(range), -250, 250);
    return (float2)(ldexp(1.0f, exponent / 2), ldexp(1.0f, exponent - exponent / 2));
}

/* Each kernel walks with its own run: `begin` where a label starts, `add` for a pixel, `end` where it stops. */
#define WALK_RUNS(begin, add, end)                                                                                               \
    const int x = (int)get_global_id(0), top = (int)get_global_id(1) * WALK, z = (int)get_global_id(2);                          \
    if (x >= labels.width || top >= labels.height || z >= labels.depth)                                                          \
        return;                                                                                                                  \
    const int bottom = min(top + WALK, labels.height);                                                                           \
    uint label = 0;                                                                                                              \
    bool open = false;                                                                                                           \
    int start = top;                                                                                                             \
    for (int y = top; y <= bottom; y++) {                                                                                        \
        const uint next = y < bottom ? LOAD_LABEL(labels, x, y, z) : 0;                                                          \
        const bool counts = y < bottom && next >= first && next <= last;                                                         \
        if (open && (!counts || next != label)) {                                                                                \
            volatile global uint *row = table + (ulong)(label - first) * ROW;                                                    \
            end                                                                                                                  \
            open = false;                                                                                                        \
        }                                                                                                                        \
        if (!counts)                                                                                                             \
            continue;                                                                                                            \
        if (!open) {                                                                                                             \
            open = true;                                                                                                         \
            label = next;                                                                                                        \
            start = y;                                                                                                           \
            volatile global uint *row = table + (ulong)(label - first) * ROW;                                                    \
            begin                                                                                                                \
        }                                                                                                                        \
        add                                                                                                                      \
    }

/* Counts, boxes, smallest and largest values, sums of positions. Fields that keep a minimum hold its complement. */
kernel void statistics_extents(INPUT(labels), INPUT(source), uint first, uint last, volatile global uint *table)
{
    uint least = 0, most = 0;
    WALK_RUNS(least = 0; most = 0;,
        const uint order = order_of(LOAD_CLAMPED(source, x, y, z));
        least = max(least, ~order); most = max(most, order);,
        const ulong n = (ulong)(y - start);
        add_piece(row + COUNT, (uint)n);
        if (row[LEAST] < least) atomic_max(row + LEAST, least);
        if (row[MOST] < most) atomic_max(row + MOST, most);
        if (row[LOW] < ~(uint)x) atomic_max(row + LOW, ~(uint)x);
        if (row[LOW + 1] < ~(uint)start) atomic_max(row + LOW + 1, ~(uint)start);
        if (row[LOW + 2] < ~(uint)z) atomic_max(row + LOW + 2, ~(uint)z);
        if (row[HIGH] < (uint)x) atomic_max(row + HIGH, (uint)x);
        if (row[HIGH + 1] < (uint)(y - 1)) atomic_max(row + HIGH + 1, (uint)(y - 1));
        if (row[HIGH + 2] < (uint)z) atomic_max(row + HIGH + 2, (uint)z);
        add_sum(row + SUM, n * x);
        add_sum(row + SUM + 4, n * start + n * (n - 1) / 2);
        add_sum(row + SUM + 8, n * z);)
}

/* Sums of values above the label's smallest, of their squares, and of them times the position in the label's box. */
kernel void statistics_values(INPUT(labels), INPUT(source), uint first, uint last, volatile global uint *table)
{
    ulong sum = 0, squares = 0, falling = 0;
    long least = 0;
    float2 scale = 0.0f;
    WALK_RUNS(
        const float smallest = value_of(~row[LEAST]);
        scale = scale_of(smallest, value_of(row[MOST]));
        least = scale.x > 0.0f ? convert_long_rte(smallest * scale.x * scale.y) : 0;
        sum = 0; squares = 0; falling = 0;,
        const ulong steps = scale.x > 0.0f ? (ulong)(convert_long_rte(LOAD_CLAMPED(source, x, y, z) * scale.x * scale.y) - least) : 0;
        sum += steps; squares += steps * steps; falling += steps * (uint)(y - start);,
        add_sum(row + VALUE_SUM, sum);
        add_product(row + WEIGHTED_SUM, sum, (uint)x - ~row[LOW], 0);
        add_product(row + WEIGHTED_SUM + 6, sum, (uint)start - ~row[LOW + 1], falling);
        add_product(row + WEIGHTED_SUM + 12, sum, (uint)z - ~row[LOW + 2], 0);
        add_sum(row + SQUARE_SUM, squares);)
}

/*
 * Distances to two centres, one a lane, given relative to the corner of the label's box, with the number of steps in one
 * pixel.
 */
kernel void statistics_distances(INPUT(labels), uint first, uint last, global const float *centres, volatile global uint *table)
{
    ulong2 sum = 0;
    float2 longest = 0.0f, along_x = 0.0f, centre_y = 0.0f, along_z = 0.0f, steps = 0.0f;
    int corner_y = 0;
    WALK_RUNS(
        global const float *mass = centres + (ulong)(label - first) * CENTRE_ROW;
        global const float *centroid = mass + 4;
        along_x = (float)(x - (int)~row[LOW]) - (float2)(mass[0], centroid[0]);
        centre_y = (float2)(mass[1], centroid[1]);
        along_z = (float)(z - (int)~row[LOW + 2]) - (float2)(mass[2], centroid[2]);
        steps = (float2)(mass[3], centroid[3]);
        corner_y = (int)~row[LOW + 1];
        sum = 0;
        longest = 0.0f;,
        const float2 along_y = (float)(y - corner_y) - centre_y;
        const float2 distance = sqrt(along_x * along_x + along_y * along_y + along_z * along_z);
        sum += convert_ulong2(convert_uint2_sat_rte(distance * steps));
        longest = fmax(longest, distance);,
        add_sum(row + DISTANCE_SUM, sum.x);
        add_sum(row + DISTANCE_SUM + 4, sum.y);
        if (row[LONGEST] < as_uint(longest.x)) atomic_max(row + LONGEST, as_uint(longest.x));
        if (row[LONGEST + 1] < as_uint(longest.y)) atomic_max(row + LONGEST + 1, as_uint(longest.y));)
}
