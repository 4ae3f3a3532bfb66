/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows with one weight per pixel, dense in `weights`. A work-item computes a vector of pixels in ROWS rows from a
 * float32 copy with repeated borders, so each row that it reads serves several windows.
 */
enum { ROWS = 2 };

/*
 * Defines NAME. It reads one row of taps and calls `add` with each tap, in order, for each of the ROWS windows that
 * contain it. The row is row j of the first window, row j - 1 of the second one, and so on. `line` has the weights of
 * row j. Most rows belong to all windows, and most taps need no test.
 */
#define OVER_ROW(NAME, T, add)                                                                                         \
    inline void NAME(T *all, global const float *row, global const float *line, int j, int width, int height)          \
    {                                                                                                                  \
        tap_row taps = taps_from(row, 0);                                                                              \
        const int whole = j >= ROWS - 1 && j < height ? width / TAPS * TAPS : 0;                                       \
        for (int i = 0; i < whole; i += TAPS) {                                                                        \
            next_taps(&taps);                                                                                          \
            UNROLLED(t, TAPS) {                                                                                        \
                const FLOATV v = tap(&taps, t);                                                                        \
                UNROLLED(n, ROWS)                                                                                      \
                    add(&all[n], line[i + t - n * width], v);                                                          \
            }                                                                                                          \
        }                                                                                                              \
        for (int i = whole; i < width; i += TAPS) {                                                                    \
            next_taps(&taps);                                                                                          \
            UNROLLED(t, TAPS)                                                                                          \
                if (TAPS == 1 || i + t < width) {                                                                      \
                    const FLOATV v = tap(&taps, t);                                                                    \
                    UNROLLED(n, ROWS)                                                                                  \
                        if ((uint)(j - n) < (uint)height)                                                              \
                            add(&all[n], line[i + t - n * width], v);                                                  \
                }                                                                                                      \
        }                                                                                                              \
    }

#define ROW_AT(j, k) ((global const float *)padded_pixels + AT(padded, x, min(y + (j), padded.height - 1), z + (k)))
#define LINE_AT(j, k) ((global const float *)weights_pixels + AT(weights, 0, (k) * weights.height + (j), 0))

inline void add_weighted(FLOATV *sum, float weight, FLOATV v) { *sum = fma((FLOATV)(weight), v, *sum); }
OVER_ROW(add_row, FLOATV, add_weighted)

/* Rows and planes have separate sums, so that a sum of thousands of pixels is not rounded thousands of times. */
kernel void convolve_window(INPUT(padded), INPUT(weights), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = ROWS * (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    FLOATV sum[ROWS], plane_sum[ROWS], row_sum[ROWS];
    UNROLLED(n, ROWS)
        sum[n] = 0.0f;
    for (int k = 0; k < weights.depth; k++) {
        UNROLLED(n, ROWS)
            plane_sum[n] = 0.0f;
        for (int j = 0; j < weights.height + ROWS - 1; j++) {
            UNROLLED(n, ROWS)
                row_sum[n] = 0.0f;
            add_row(row_sum, ROW_AT(j, k), LINE_AT(j, k), j, weights.width, weights.height);
            UNROLLED(n, ROWS)
                plane_sum[n] += row_sum[n];
        }
        UNROLLED(n, ROWS)
            sum[n] += plane_sum[n];
    }
    UNROLLED(n, ROWS) {
        float out[LANES];
        JOIN(vstore, LANES)(sum[n], 0, out);
        for (int l = 0; l < LANES && x + l < to.width && y + n < to.height; l++)
            STORE_SNAPPED(to, x + l, y + n, z, out[l],
                          ROUNDINGS_OF_SUM(weights.width * weights.height * weights.depth));
    }
}

typedef struct {
    FLOATV both, image;
} products;

inline void add_products(products *sum, float weight, FLOATV v)
{
    sum->both = fma((FLOATV)(weight), v, sum->both);
    sum->image = fma(v, v, sum->image);
}
OVER_ROW(add_row_of_products, products, add_products)

/* Normalised correlation of a window with the pattern: 1 if they are proportional, 0 if either is 0 everywhere. */
kernel void local_cross_correlation(INPUT(padded), INPUT(weights), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = ROWS * (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    products sum[ROWS];
    float wanted = 0.0f;
    UNROLLED(n, ROWS)
        sum[n] = (products){0.0f, 0.0f};
    for (int k = 0; k < weights.depth; k++)
        for (int j = 0; j < weights.height + ROWS - 1; j++)
            add_row_of_products(sum, ROW_AT(j, k), LINE_AT(j, k), j, weights.width, weights.height);
    for (int i = 0; i < weights.width * weights.height * weights.depth; i++) {
        const float weight = ((global const float *)weights_pixels)[weights.offset + i];
        wanted = fma(weight, weight, wanted);
    }
    UNROLLED(n, ROWS) {
        float product[LANES], square[LANES];
        JOIN(vstore, LANES)(sum[n].both, 0, product);
        JOIN(vstore, LANES)(sum[n].image, 0, square);
        for (int l = 0; l < LANES && x + l < to.width && y + n < to.height; l++) {
            const float size = sqrt(square[l]) * sqrt(wanted);
            STORE_SNAPPED(to, x + l, y + n, z, size == 0.0f ? 0.0f : product[l] / size,
                          4 * ROUNDINGS_OF_SUM(weights.width * weights.height * weights.depth));
        }
    }
}
