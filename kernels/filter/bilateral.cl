/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of a box whose pixels count the less the more they differ from something. A work-item makes a vector of pixels from float32 copies with repeated borders. */

/* The differences of a box's pixels from its middle: weighted and summed up, and their weights. */
typedef struct {
    FLOATV sum, weights;
} weighted_sum;

inline void add_weighted_difference(weighted_sum *all, FLOATV difference, FLOATV weight)
{
    all->sum += difference * weight;
    all->weights += weight;
}

/* Row (j, k) of a box around `own`, which begins at `row`. */
inline void add_similar(weighted_sum *all, global const float *row, int rx, int j, int k, FLOATV own, float per_value, float per_pixel)
{
    tap_row taps = taps_from(row, 0);
    for (int i = 0; i <= 2 * rx; i += TAPS) {
        next_taps(&taps);
        UNROLLED(n, TAPS)
            if (TAPS == 1 || i + n <= 2 * rx) {
                const float dx = (float)(i + n - rx), square = dx * dx + (float)j * (float)j + (float)k * (float)k;
                const FLOATV difference = tap(&taps, n) - own;
                add_weighted_difference(all, difference, exp(-(difference * difference * per_value + square * per_pixel)));
            }
    }
}

/* The smallest square of a row. */
inline FLOATV least_square(FLOATV least, global const float *row, int rx)
{
    tap_row taps = taps_from(row, 0);
    for (int i = 0; i <= 2 * rx; i += TAPS) {
        next_taps(&taps);
        UNROLLED(n, TAPS)
            if (TAPS == 1 || i + n <= 2 * rx) {
                const FLOATV v = tap(&taps, n);
                least = fmin(least, v * v);
            }
    }
    return least;
}

inline void add_likely(weighted_sum *all, global const float *row, global const float *unlike, int rx, FLOATV own, FLOATV least, float per_value)
{
    tap_row taps = taps_from(row, 0), differences = taps_from(unlike, 0);
    for (int i = 0; i <= 2 * rx; i += TAPS) {
        next_taps(&taps);
        next_taps(&differences);
        UNROLLED(n, TAPS)
            if (TAPS == 1 || i + n <= 2 * rx) {
                const FLOATV v = tap(&differences, n);
                add_weighted_difference(all, tap(&taps, n) - own, exp(-(v * v - least) * per_value));
            }
    }
}

#define ROW_OF(image, j, k) AT(image, x, y + ry + (j), z + rz + (k))

inline void store_mean(global uchar *to_pixels, const layout to, int x, int y, int z, FLOATV own, weighted_sum all)
{
    float out[LANES];
    JOIN(vstore, LANES)(own + all.sum / all.weights, 0, out);
    for (int l = 0; l < LANES && x + l < to.width; l++)
        STORE_SNAPPED(to, x + l, y, z, out[l], ROUNDINGS_OF_ROOT);
}

/* Less with the square of the difference from the middle and of the distance to it. */
kernel void bilateral(INPUT(from), OUTPUT(to), int rx, int ry, int rz, float per_value, float per_pixel)
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    global const float *pixels = (global const float *)from_pixels;
    const FLOATV own = JOIN(vload, LANES)(0, pixels + ROW_OF(from, 0, 0) + rx);
    weighted_sum all = {0.0f, 0.0f};
    for (int k = -rz; k <= rz; k++)
        for (int j = -ry; j <= ry; j++)
            add_similar(&all, pixels + ROW_OF(from, j, k), rx, j, k, own, per_value, per_pixel);
    store_mean(to_pixels, to, x, y, z, own, all);
}

/* Of two images with borders, their difference. */
kernel void differ(INPUT(from), INPUT(other), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        *VECTOR_AT(float, to_pixels, AT(to, x, y, z)) =
            *CONST_VECTOR_AT(float, from_pixels, AT(from, x, y, z)) - *CONST_VECTOR_AT(float, other_pixels, AT(other, x, y, z));
}

/* Less with the square of the difference from another image; the best pixel of the box counts 1, so that there is always one. */
kernel void likely_mean(INPUT(from), INPUT(unlike), OUTPUT(to), int rx, int ry, int rz, float per_value)
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    global const float *pixels = (global const float *)from_pixels, *differences = (global const float *)unlike_pixels;
    const FLOATV own = JOIN(vload, LANES)(0, pixels + ROW_OF(from, 0, 0) + rx);
    FLOATV least = INFINITY;
    weighted_sum all = {0.0f, 0.0f};
    for (int k = -rz; k <= rz; k++)
        for (int j = -ry; j <= ry; j++)
            least = least_square(least, differences + ROW_OF(unlike, j, k), rx);
    for (int k = -rz; k <= rz; k++)
        for (int j = -ry; j <= ry; j++) {
            const INDEX row = ROW_OF(unlike, j, k);     /* of both, which have one extent */
            add_likely(&all, pixels + row, differences + row, rx, own, least, per_value);
        }
    store_mean(to_pixels, to, x, y, z, own, all);
}
