/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of each label's neighbourhood; sums go by ascending label, the label itself first. */

/* Unsigned integers of the same order as floats. */
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

/* Upper median, found bit by bit: the largest order with no more than half of the values below it. */
inline float median_of(global const uint *row, uint words, INPUT(values), uint i)
{
    const uint own = order_of(VALUE(i));
    uint number = 1, found = 0;
    for (uint word = 0; word < words; word++)
        number += popcount(row[word]);
    for (uint bit = 1u << 31; bit; bit >>= 1) {
        uint below = own < (found | bit);
        EACH_BIT(row, words, j)
            below += order_of(VALUE(j)) < (found | bit);
        if (below <= number / 2)
            found |= bit;
    }
    return value_of(found);
}

inline float statistic_of(global const uint *row, uint words, INPUT(values), uint i, int statistic)
{
    const float own = VALUE(i);
    float sum = own, low = own, high = own, square;
    uint number = 1;
    EACH_BIT(row, words, j) {
        const float value = VALUE(j);
        sum += value;
        low = fmin(low, value);
        high = fmax(high, value);
        number++;
    }
    const float mean = sum / (float)number;
    switch (statistic) {
    case 0: return (float)(number - 1);
    case 1: return mean;
    case 2: return low;
    case 3: return high;
    }
    square = (own - mean) * (own - mean);
    EACH_BIT(row, words, j)
        square += (VALUE(j) - mean) * (VALUE(j) - mean);
    return sqrt(square / (float)(2 * number - 1));      /* as CLIJ2 divides */
}

kernel void neighbor_statistic(global const uint *bits, uint count, uint words, INPUT(values), int statistic, OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    global const uint *row = bits + (ulong)min((uint)x, count - 1) * words;
    const float made = statistic == 4 ? median_of(row, words, values_pixels, values, x)
                                      : statistic_of(row, words, values_pixels, values, x, statistic);
    STORE(result, x, y, z, (uint)x < count ? made : 0.0f);
}

/* The most frequent integer from 0 to 255, the smallest of several; one group a label. */
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

/* Mean, minimum or maximum distance of neighbours; entries of a matrix are left of its diagonal. */
kernel void neighbor_distances(global const uint *bits, uint count, uint words, INPUT(source), int points, int statistic,
                               OUTPUT(result))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(result, x, y, z))
        return;
    const uint i = x;
    float sum = 0.0f, low = INFINITY, high = -INFINITY;
    uint number = 0;
    EACH_BIT(bits + (ulong)i * words, i > 0 && i < count ? words : 0, j) {
        if (j == 0)
            continue;
        float value;
        if (points) {
            DISTANCE(source, i - 1, source, j - 1, distance)
            value = distance;
        } else {
            value = LOAD_CLAMPED(source, min(i, j), max(i, j), 0);
        }
        sum += value;
        low = fmin(low, value);
        high = fmax(high, value);
        number++;
    }
    const float made = statistic == 1 ? sum / (float)number : statistic == 2 ? low : high;
    STORE(result, x, y, z, number > 0 ? made : 0.0f);
}

/*
 * values[label]: the map at the label's last pixel in raster order; only a pixel that differs from what follows can be that.
 * The first work-items have the last pixels and go backwards, so that others find what they cannot exceed.
 */
kernel void last_positions(INPUT(labels), volatile global uint *last, uint largest, int slices, int y0)
{
    const int x = (int)get_global_id(0), y = labels.height - 1 - (int)get_global_id(1);
    const int end = labels.depth - slices * (int)get_global_id(2);
    if (x >= labels.width || y < y0 || end <= 0)
        return;
    global const uint *known = (global const uint *)last;      /* may be old, which costs a second look */
    uint after = end < labels.depth ? LOAD_LABEL(labels, x, y, end) : 0xffffffffu;
    for (int z = end - 1; z >= max(end - slices, 0); z--) {
        const uint label = LOAD_LABEL(labels, x, y, z), at = ((uint)z * labels.height + y) * labels.width + x + 1;
        if (label != after && label <= largest && known[label] < at &&
            (x + 1 == labels.width || LOAD_LABEL(labels, x + 1, y, z) != label) &&
            (y + 1 == labels.height || LOAD_LABEL(labels, x, y + 1, z) != label) && last[label] < at)
            atomic_max(&last[label], at);
        after = label;
    }
}

/* Of a map of that height and depth the rows before y0 and the slices before z0 are missing, and those behind the last ones. */
kernel void values_at(global const uint *last, INPUT(map), int map_height, int map_depth, int y0, int z0, int width, int height, uint largest,
                      OUTPUT(values))
{
    const int i = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(values, i, y, z))
        return;
    const uint at = (uint)i <= largest ? last[i] : 0;
    const int mx = min((at - 1) % width, (uint)map.width - 1), my = min((at - 1) / width % height, (uint)map_height - 1);
    const int mz = min((at - 1) / width / height, (uint)map_depth - 1);
    if (at == 0)
        STORE(values, i, y, z, 0.0f);
    else if (my >= y0 && mz >= z0 && INSIDE(map, mx, my, mz))
        STORE(values, i, y, z, LOAD(map, mx, my, mz));
}

kernel void paint_labels(INPUT(labels), INPUT(values), OUTPUT(painted))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(painted, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(labels, x, y, z);
    STORE(painted, x, y, z, label > 0 && label < (uint)values.width ? LOAD(values, label, 0, 0) : 0.0f);
}

/* The same where rows are vectors of four pixels; `values` is a dense vector of float32. */
kernel void paint_labels_in_fours(INPUT(labels), INPUT(values), OUTPUT(painted))
{
    const int x = 4 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(painted, x, y, z))
        return;
    global const float *entries = (global const float *)values_pixels + values.offset;
    const uint4 label = load_four_labels(labels_pixels, labels.type, AT(labels, x, y, z)), known = min(label, (uint)values.width - 1);
    const float4 made = (float4)(entries[known.x], entries[known.y], entries[known.z], entries[known.w]);
    store_four(painted_pixels, painted.type, AT(painted, x, y, z), select((float4)(0.0f), made, label == known && label > 0));
}
