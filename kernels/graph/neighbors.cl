/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics over the neighbours of each label; one work-group per label. */
#include "bit_rows.cl"

/* Unsigned integers that sort like floats. */
inline uint order_of(float value)
{
    const uint bits = as_uint(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

inline float value_of(uint order)
{
    return as_float(order >> 31 ? order & 0x7fffffffu : ~order);
}

#define VALUE(j) LOAD_CLAMPED(values, j, 0, 0)

/* Results of a work-item, or of the work-group, over the neighbours of a label. */
typedef struct {
    float sum, low, high;
    uint number;
} neighborhood;

enum { NEIGHBOR_LANES = 32, NEIGHBOR_VALUES = 512 };

inline void add_neighbor(neighborhood *to, float value)
{
    to->sum += value;
    to->low = fmin(to->low, value);
    to->high = fmax(to->high, value);
    to->number++;
}

inline neighborhood join_lanes(local neighborhood *lanes, neighborhood own)
{
    const uint lane = get_local_id(0);
    lanes[lane] = own;
    for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step) {
            const neighborhood other = lanes[lane + step];
            lanes[lane].sum += other.sum;
            lanes[lane].low = fmin(lanes[lane].low, other.low);
            lanes[lane].high = fmax(lanes[lane].high, other.high);
            lanes[lane].number += other.number;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    own = lanes[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return own;
}

/* The label `i` of a work-group, and the number of words in its row: 0 if `i` is past the last label. */
#define OWN_ROW                                                                                                        \
    const uint i = get_global_id(0) / get_local_size(0), lane = get_local_id(0), own_words = i < count ? words : 0;    \
    global const uint *row = bits + (ulong)min(i, count - 1) * words;

#define STORE_OWN(value)                                                                                               \
    for (int z = 0; z < result.depth; z++)                                                                             \
        for (int y = 0; lane == 0 && y < result.height; y++)                                                           \
            STORE(result, i, y, z, value);

kernel void neighbor_statistic(global const uint *bits, uint count, uint words, INPUT(values), int statistic,
                               OUTPUT(result))
{
    local neighborhood lanes[NEIGHBOR_LANES];
    OWN_ROW
    const float own = VALUE(i);
    neighborhood found = {lane == 0 ? own : 0.0f, own, own, lane == 0};
    EACH_OWN_BIT(row, own_words, j)
        add_neighbor(&found, VALUE(j));
    found = join_lanes(lanes, found);
    const float mean = found.sum / (float)found.number;
    float measured = statistic == 2 ? found.low : found.high;
    if (statistic < 2)
        measured = statistic == 0 ? (float)(found.number - 1) : mean;
    if (statistic == 5) {
        neighborhood squares = {lane == 0 ? (own - mean) * (own - mean) : 0.0f, own, own, 0};
        EACH_OWN_BIT(row, own_words, j)
            squares.sum += (VALUE(j) - mean) * (VALUE(j) - mean);
        /* CLIJ2 also divides by 2 n - 1 */
        measured = sqrt(join_lanes(lanes, squares).sum / (float)(2 * found.number - 1));
    }
    STORE_OWN(i < count ? measured : 0.0f)
}

/*
 * Upper median, found bit by bit: the largest value with at most half of the values below it. The work-group keeps the
 * values in local memory, or reads them again for each bit if there are too many.
 */
kernel void neighbor_median(global const uint *bits, uint count, uint words, INPUT(values), OUTPUT(result))
{
    local uint orders[NEIGHBOR_VALUES];
    volatile local uint counts[33];
    volatile local uint *others = counts + 32;
    OWN_ROW
    const uint own = order_of(VALUE(i));
    for (uint n = lane; n < 33; n += get_local_size(0))
        counts[n] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0)
        orders[0] = own;
    EACH_OWN_BIT(row, own_words, j) {
        const uint place = 1 + atomic_inc(others);
        if (place < NEIGHBOR_VALUES)
            orders[place] = order_of(VALUE(j));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint number = 1 + *others;
    uint found = 0;
    for (int bit = 31; bit >= 0; bit--) {
        const uint higher = found | 1u << bit;
        uint below = 0;
        if (number <= NEIGHBOR_VALUES) {
            for (uint n = lane; n < number; n += get_local_size(0))
                below += orders[n] < higher;
        } else {
            below = lane == 0 && own < higher;
            EACH_OWN_BIT(row, own_words, j)
                below += order_of(VALUE(j)) < higher;
        }
        if (below > 0)
            atomic_add(&counts[bit], below);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (counts[bit] <= number / 2)
            found = higher;
    }
    STORE_OWN(i < count ? value_of(found) : 0.0f)
}

/* Finds the most frequent integer from 0 to 255, the smallest in a tie; one work-group per label. */
kernel void neighbor_mode(global const uint *bits, uint count, uint words, INPUT(values), OUTPUT(result))
{
    local uint bins[256];
    const uint i = get_group_id(0), lane = get_local_id(0);
    for (uint bin = lane; bin < 256; bin += get_local_size(0))
        bins[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint word = lane; i < count && word < words; word += get_local_size(0))
        for (uint left = bits[(ulong)i * words + word]; left; left &= left - 1)
            atomic_inc(&bins[(uint)clamp(VALUE(word * 32 + 31 - clz(left & -left)), 0.0f, 255.0f)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > 0)
        return;
    uint mode = 0;
    for (uint bin = 1; bin < 256; bin++)
        if (bins[bin] > bins[mode])
            mode = bin;
    for (int z = 0; z < result.depth; z++)
        for (int y = 0; y < result.height; y++)
            STORE(result, i, y, z, (float)mode);
}

/*
 * Writes the mean, minimum or maximum distance to the neighbours. A matrix stores these distances left of its diagonal.
 */
kernel void neighbor_distances(global const uint *bits, uint count, uint words, INPUT(source), int points,
                               int statistic, OUTPUT(result))
{
    local neighborhood lanes[NEIGHBOR_LANES];
    OWN_ROW
    neighborhood found = {0.0f, INFINITY, -INFINITY, 0};
    EACH_OWN_BIT(row, i > 0 ? own_words : 0, j) {
        if (j == 0)
            continue;
        float value;
        if (points) {
            DISTANCE(source, i - 1, source, j - 1, distance)
            value = distance;
        } else {
            value = LOAD_CLAMPED(source, min(i, j), max(i, j), 0);
        }
        add_neighbor(&found, value);
    }
    found = join_lanes(lanes, found);
    const float measured = statistic == 1 ? found.sum / (float)found.number : statistic == 2 ? found.low : found.high;
    STORE_OWN(found.number > 0 ? measured : 0.0f)
}
