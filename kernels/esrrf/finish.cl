/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the statistics over time into images: projections, macro-pixel correction, and phases interleaved. */
#include "add_in_time.cl"
#include "convergence.cl"

enum { AVERAGE, VARIANCE, AUTOCORRELATION, ALL };

/* Returns the sum of the weights of those taps whose samples count; the weights of all taps add up to 1. */
inline float weight_at(global const float4 *taps, item it, int c, int x, int y, int reach, int row, int last_x,
                       int last_y)
{
    float sum = 0.0f;
    for (int s = 0; s < it.samples; s++) {
        const float4 tap = taps[it.first + s * it.count + c];
        const int at = as_int(tap.w), in_row = at % row, half_row = row / 2;
        const int nx = 2 * (x + in_row % half_row) + in_row / half_row - reach, ny = 2 * y + at / row - reach;
        if (nx >= 1 && nx <= last_x && ny >= 1 && ny <= last_y)
            sum += tap.z;
    }
    return sum;
}

/*
 * Computes the projections of `count` frames, one or all three, and overwrites the first planes of the state with them.
 * Magnified pixels nearer than `margin` to the border become 0. The state holds `rows` rows of the frames, from row
 * `top` on.
 */
kernel void esrrf_project(global uchar *state_pixels, const layout state, global const float4 *taps, TABLE(items),
                          int item_count, int magnification, int width, int height, int rows, int top, int margin,
                          int reach, int row, int last_x, int last_y, int count, int projection, float sensitivity)
{
    const int x = get_global_id(0), in_state = get_global_id(1), y = top + in_state;
    const int number = get_global_id(2) / PHASES, c = get_global_id(2) % PHASES;
    if (x >= width || in_state >= rows || number >= item_count)
        return;
    const item it = TABLE_OF(item, items)[number];
    if (c >= it.count)
        return;
    const int phases = magnification * magnification, ox = x * magnification + it.p, oy = y * magnification + it.q + c;
    const int kx = (2 * ox + 1) / magnification, ky = (2 * oy + 1) / magnification;
    const INDEX plane = (INDEX)state.plane * phases;
    global float *at = (global float *)state_pixels + AT(state, x, in_state, (it.q + c) * magnification + it.p);
    float factor = 1.0f;
    if (ox < margin || oy < margin || ox >= width * magnification - margin || oy >= height * magnification - margin) {
        factor = 0.0f;
    } else if (kx - reach < 1 || ky - reach < 1 || kx + reach > last_x || ky + reach > last_y) {
        const float weight = weight_at(taps, it, c, x, y, reach, row, last_x, last_y);
        factor = weight > 0.0f ? pow(1.0f / weight, sensitivity) : 0.0f;
    }
    float average = at[0] * factor / (float)count, variance = 0.0f, autocorrelation = 0.0f;
    if (projection != AVERAGE) {
        variance = at[SQUARES * plane] * factor * factor / (float)count;
        autocorrelation = count > 1 ? at[PRODUCTS * plane] * factor * factor / (float)(count - 1) : NAN;
    }
    if (factor == 0.0f)
        average = variance = 0.0f, autocorrelation = count > 1 ? 0.0f : NAN;
    at[0] = projection == VARIANCE ? variance : projection == AUTOCORRELATION ? autocorrelation : average;
    if (projection == ALL) {
        at[plane] = variance;
        at[2 * plane] = autocorrelation;
    }
}

enum { BLOCK = 256, BLOCK_ROWS = 16 };

/* Sums the values of a work-group in a fixed order; `part` has one value per work-item. */
#define FOLD(name, T)                                                                                                  \
    inline T name(local T *part, T value)                                                                              \
    {                                                                                                                  \
        const int l = get_local_id(0);                                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        part[l] = value;                                                                                               \
        for (int half_size = (int)get_local_size(0) / 2; half_size > 0; half_size /= 2) {                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            if (l < half_size)                                                                                         \
                part[l] += part[l + half_size];                                                                        \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return part[0];                                                                                                \
    }
FOLD(fold_group, float)
FOLD(fold_pairs, float2)
FOLD(fold_eights, float8)

/*
 * Sums BLOCK_ROWS rows of each phase in a fixed order. It leaves out pixels that are not finite, and counts them,
 * because one of them would spoil the mean and thus all pixels of its phase. The phases are planes or, with
 * magnification > 1, every magnification-th pixel of a slice.
 */
kernel void esrrf_sum_rows(INPUT(image), global float2 *sums, int width, int height, int blocks, int magnification)
{
    local float2 part[BLOCK];
    const int l = get_local_id(0), block = get_group_id(1), number = get_group_id(2);
    const int p = number % magnification, q = number / magnification % magnification,
              z = number / (magnification * magnification);
    float2 sum = (float2)(0.0f);
    for (int y = block * BLOCK_ROWS; y < min((block + 1) * BLOCK_ROWS, height); y++) {
        float2 line = (float2)(0.0f);
        for (int x = l; x < width; x += BLOCK) {
            const float value = LOAD(image, x * magnification + p, y * magnification + q, z);
            line += isfinite(value) ? (float2)(value, 0.0f) : (float2)(0.0f, 1.0f);
        }
        sum += line;
    }
    sum = fold_pairs(part, sum);
    if (l == 0)
        sums[number * blocks + block] = sum;
}

/* Computes means of planes of `count` pixels from the sums of their blocks. */
kernel void esrrf_means(global const float2 *sums, global float *means, int blocks, float count)
{
    local float2 part[BLOCK];
    const int l = get_local_id(0), z = get_group_id(1);
    float2 sum = (float2)(0.0f);
    for (int i = l; i < blocks; i += BLOCK)
        sum += sums[z * blocks + i];
    sum = fold_pairs(part, sum);
    if (l == 0)
        means[z] = sum.x / (count - sum.y);
}

/* Interleaves the phases and divides by the mean of the phase unless that is 0. */
kernel void esrrf_interleave(INPUT(planes), OUTPUT(to), global const float *means, int magnification, int divide)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int plane = (z * magnification + y % magnification) * magnification + x % magnification;
    const float value = LOAD(planes, x / magnification, y / magnification, plane), mean = divide ? means[plane] : 1.0f;
    STORE(to, x, y, z, mean != 0.0f ? value / mean : value);
}
