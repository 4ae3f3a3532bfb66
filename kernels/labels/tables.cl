/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns tables with a row per label into flags and values; the rows are those of statistics.cl. */
#include "bit_lines.cl"
#include "exact_orders.cl"
#include "statistics.cl"

kernel void flag_marked(INPUT(marks), global uint *flags, uint largest)
{
    const uint label = get_global_id(0);
    if (label <= largest)
        flags[label] = label < (uint)marks.width && LOAD(marks, label, 0, 0) != 0.0f;
}

/* A NaN is neither inside nor outside a range, and a label without a value is not excluded. */
kernel void flag_values(INPUT(values), global uint *flags, uint largest, float low, float high, int inside)
{
    const uint label = get_global_id(0);
    if (label > largest)
        return;
    const float value = label < (uint)values.width ? LOAD(values, label, 0, 0) : NAN;
    flags[label] = inside ? value >= low && value <= high : value < low || value > high;
}

kernel void flag_sizes(global const uint *table, global uint *flags, uint largest, long low, long high)
{
    const uint label = get_global_id(0);
    if (label > largest)
        return;
    const long pixels = pixels_of(table + (ulong)label * ROW);
    flags[label] = pixels < low || pixels > high;
}

inline float mean_of(global const uint *row, int type)
{
    const float min_value = value_of(~row[LOWEST], type), max_value = value_of(row[HIGHEST], type);
    const float2 scale = scale_of(min_value, max_value);
    if (!(scale.x > 0.0f))
        return isfinite(min_value) && isfinite(max_value) ? min_value : min_value + max_value;
    const ulong sum = sum_of(row + VALUE_SUM), pixels = pixels_of(row);
    const float steps = (float)(sum / pixels) + (float)(sum % pixels) / (float)pixels;
    return min_value + steps / scale.x / scale.y;
}

/* Exact sum of squares around a whole number of steps near the mean, so that nothing cancels. */
inline float deviation_of(global const uint *row, int type)
{
    const float min_value = value_of(~row[LOWEST], type), max_value = value_of(row[HIGHEST], type);
    const float2 scale = scale_of(min_value, max_value);
    if (!(scale.x > 0.0f))
        return min_value == max_value && isfinite(max_value) ? 0.0f : NAN;
    const ulong sum = sum_of(row + VALUE_SUM), pixels = pixels_of(row), near = sum / pixels;
    const ulong more = near * near * pixels, less = 2 * near * sum;
    ulong low = sum_of(row + SQUARE_SUM), high = row[SQUARE_SUM + 3];
    high += low < ((ulong)row[SQUARE_SUM + 2] << 32);
    low += more;
    high += mul_hi(near * near, pixels) + (low < more);
    high -= mul_hi(2 * near, sum) + (low < less);
    low -= less;
    const float squares = ((float)high * 0x1p64f + (float)low) / (float)pixels,
                rest = (float)(sum % pixels) / (float)pixels;
    return sqrt(fmax(squares - rest * rest, 0.0f)) / scale.x / scale.y;
}

/* Values of labels 0 to `largest`. The table starts with label 1, and a label without pixels has the value 0. */
kernel void label_values(global const uint *table, global float *values, uint largest, int measurement,
                         int type)
{
    const uint label = get_global_id(0);
    if (label > largest)
        return;
    global const uint *row = table + (ulong)(label > 0 ? label - 1 : 0) * ROW;
    float value = 0.0f;
    if (label > 0 && pixels_of(row) > 0)
        switch (measurement) {
        case 0: value = (float)pixels_of(row); break;
        case 1: value = mean_of(row, type); break;
        case 2: value = value_of(~row[LOWEST], type); break;
        case 4: value = deviation_of(row, type); break;
        default: value = value_of(row[HIGHEST], type);
        }
    values[label] = value;
}

/* Column label - first of a point list: x, y and z of the label's centroid; NaN without pixels. */
kernel void list_centroids(global const uint *table, uint count, OUTPUT(list))
{
    const uint i = get_global_id(0);
    const int axis = get_global_id(1);
    if (i >= count || !INSIDE(list, (int)i, axis, 0) || axis > 2)
        return;
    global const uint *row = table + (ulong)i * ROW;
    const ulong pixels = pixels_of(row), corner = ~row[LOW + axis];
    const ulong sum = sum_of(row + SUM + 4 * axis) - pixels * corner;
    const float whole = pixels ? (float)(corner + sum / pixels) : NAN;
    STORE(list, i, axis, 0, pixels ? whole + (float)(sum % pixels) / (float)pixels : whole);
}

/* Column label - 1: x, y and z of the label's last pixel. */
kernel void list_last_pixels(global const uint *last, int width, int height, OUTPUT(list))
{
    const int x = (int)get_global_id(0), axis = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(list, x, axis, z) || axis > 2 || last[x + 1] == 0)
        return;
    const uint at = last[x + 1] - 1;
    STORE(list, x, axis, z, (float)(axis == 0 ? at % width : axis == 1 ? at / width % height : at / width / height));
}

/* Positions of pixels that are not 0, in raster order. 32 work-items process LIST_WORDS words of a row. */
enum { LIST_WORDS = 4 };

kernel void list_spots(global const uint *bits, global const uint *before, int row_words, int height, int depth,
                       OUTPUT(list), uint listed, int first_row, int first_slice)
{
    const int bit = get_global_id(0) % 32, first = (int)(get_global_id(0) / 32) * LIST_WORDS, y = (int)get_global_id(1),
              z = (int)get_global_id(2);
    if (y >= height || z >= depth)
        return;
    for (int k = first; k < min(first + LIST_WORDS, row_words); k++) {
        const uint word = ((uint)z * height + y) * row_words + k;
        if ((bits[word] >> bit & 1) == 0)
            continue;
        const uint column = listed + rank_of(bits, before, word, bit) - 1;
        const int position[3] = {32 * k + bit, first_row + y, first_slice + z};
        for (int axis = 0; column < (uint)list.width && axis < min(list.height, 3); axis++)
            STORE(list, column, axis, 0, (float)position[axis]);
    }
}
