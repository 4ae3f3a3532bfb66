/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows with a weight for each pixel, dense in `weights`. A work-item makes a vector of pixels of ROWS rows from a float32 copy with
 * repeated borders, so that a row that is read serves the windows of several.
 */
enum { ROWS = 2 };

#define EACH_ROW(n) _Pragma("unroll") for (int n = 0; n < ROWS; n++)

/* Does `body` for each tap of plane k of the windows, in order for each row n of the item; `first` and `last` around a row of the copy. */
#define EACH_WEIGHT(first, body, last)                                                                                           \
    for (int j = 0; j < weights.height + ROWS - 1; j++) {                                                                        \
        global const float *row = (global const float *)padded_pixels + AT(padded, x, min(y + j, padded.height - 1), z + k);     \
        global const float *line = (global const float *)weights_pixels + AT(weights, 0, k * weights.height + j, 0);             \
        first                                                                                                                    \
        EACH_TAP(row, 0, weights.width, EACH_ROW(n) if ((uint)(j - n) < (uint)weights.height) {                                  \
            const float weight = line[i - n * weights.width];                                                                    \
            body                                                                                                                 \
        })                                                                                                                       \
        last                                                                                                                     \
    }

#define POSITION                                                                                                                 \
    const int x = LANES * (int)get_global_id(0), y = ROWS * (int)get_global_id(1), z = (int)get_global_id(2);                    \
    if (!INSIDE(to, x, y, z))                                                                                                    \
        return;

/* Rows and planes have their own sums, so that a sum of thousands of pixels is not rounded thousands of times. */
kernel void convolve_window(INPUT(padded), INPUT(weights), OUTPUT(to))
{
    POSITION
    FLOATV sum[ROWS], plane_sum[ROWS], row_sum[ROWS];
    EACH_ROW(n)
        sum[n] = 0.0f;
    for (int k = 0; k < weights.depth; k++) {
        EACH_ROW(n)
            plane_sum[n] = 0.0f;
        EACH_WEIGHT(EACH_ROW(n) row_sum[n] = 0.0f;, row_sum[n] = fma((FLOATV)(weight), v, row_sum[n]);, EACH_ROW(n) plane_sum[n] += row_sum[n];)
        EACH_ROW(n)
            sum[n] += plane_sum[n];
    }
    EACH_ROW(n) {
        float out[LANES];
        JOIN(vstore, LANES)(sum[n], 0, out);
        for (int l = 0; l < LANES && x + l < to.width && y + n < to.height; l++)
            STORE_SNAPPED(to, x + l, y + n, z, out[l], ROUNDINGS_OF_SUM(weights.width * weights.height * weights.depth));
    }
}

/* How far a window is the pattern times a number: 1 if it is, 0 where one of them is 0 everywhere. */
kernel void local_cross_correlation(INPUT(padded), INPUT(weights), OUTPUT(to))
{
    POSITION
    FLOATV both[ROWS], image[ROWS];
    float wanted = 0.0f;
    EACH_ROW(n)
        both[n] = image[n] = 0.0f;
    for (int k = 0; k < weights.depth; k++)
        EACH_WEIGHT(, both[n] += weight * v; image[n] += v * v;, )
    for (int i = 0; i < weights.width * weights.height * weights.depth; i++) {
        const float weight = ((global const float *)weights_pixels)[weights.offset + i];
        wanted += weight * weight;
    }
    EACH_ROW(n) {
        float product[LANES], square[LANES];
        JOIN(vstore, LANES)(both[n], 0, product);
        JOIN(vstore, LANES)(image[n], 0, square);
        for (int l = 0; l < LANES && x + l < to.width && y + n < to.height; l++) {
            const float size = sqrt(square[l]) * sqrt(wanted);
            STORE_SNAPPED(to, x + l, y + n, z, size == 0.0f ? 0.0f : product[l] / size, 4 * ROUNDINGS_OF_SUM(weights.width * weights.height * weights.depth));
        }
    }
}
