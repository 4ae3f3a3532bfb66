/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Means over a box, in which a pixel's weight falls with its difference from a reference. A work-item computes a
 * vector of pixels from float32 copies with repeated borders.
 */

/* Weighted sum of the differences between a box's pixels and its centre, and the sum of the weights. */
typedef struct {
    FLOATV sum, weights;
} weighted_sum;

inline void add_weighted_difference(weighted_sum *all, FLOATV difference, FLOATV weight)
{
    all->sum += difference * weight;
    all->weights += weight;
}

/*
 * Both functions add pixels of row (j, k) of a box around `own` to the sums. The first function adds one pixel. The
 * second function adds the whole row, which begins at `row`.
 */
IN_PLACE void add_one_similar(weighted_sum *all, FLOATV v, int dx, int j, int k, FLOATV own, float per_value,
                              float per_pixel)
{
    const float square = (float)dx * (float)dx + (float)j * (float)j + (float)k * (float)k;
    const FLOATV difference = v - own;
    add_weighted_difference(all, difference, exp(-(difference * difference * per_value + square * per_pixel)));
}

IN_PLACE void add_similar(weighted_sum *all, global const float *row, int rx, int j, int k, FLOATV own, float per_value,
                          float per_pixel)
{
    tap_row taps = taps_from(row, 0);
    for (int i = 0; i <= 2 * rx; i += TAPS) {
        next_taps(&taps);
        add_one_similar(all, tap(&taps, 0), i - rx, j, k, own, per_value, per_pixel);
#if LANES == 4
        if (i + 1 <= 2 * rx)
            add_one_similar(all, tap(&taps, 1), i + 1 - rx, j, k, own, per_value, per_pixel);
        if (i + 2 <= 2 * rx)
            add_one_similar(all, tap(&taps, 2), i + 2 - rx, j, k, own, per_value, per_pixel);
        if (i + 3 <= 2 * rx)
            add_one_similar(all, tap(&taps, 3), i + 3 - rx, j, k, own, per_value, per_pixel);
#endif
    }
}

inline FLOATV smaller_square(FLOATV nearest, FLOATV v) { return fmin(nearest, v * v); }

/*
 * Returns the smallest square of a row. Here and above, taps are separate statements, because GPUs run these faster
 * than an unrolled loop.
 */
inline FLOATV min_square(FLOATV nearest, global const float *row, int rx)
{
    tap_row taps = taps_from(row, 0);
    for (int i = 0; i <= 2 * rx; i += TAPS) {
        next_taps(&taps);
        nearest = smaller_square(nearest, tap(&taps, 0));
#if LANES == 4
        if (i + 1 <= 2 * rx)
            nearest = smaller_square(nearest, tap(&taps, 1));
        if (i + 2 <= 2 * rx)
            nearest = smaller_square(nearest, tap(&taps, 2));
        if (i + 3 <= 2 * rx)
            nearest = smaller_square(nearest, tap(&taps, 3));
#endif
    }
    return nearest;
}

IN_PLACE void add_one_likely(weighted_sum *all, FLOATV w, FLOATV v, FLOATV own, FLOATV nearest, float per_value)
{
    add_weighted_difference(all, w - own, exp(-(v * v - nearest) * per_value));
}

IN_PLACE void add_likely(weighted_sum *all, global const float *row, global const float *unlike, int rx, FLOATV own,
                         FLOATV nearest, float per_value)
{
    tap_row taps = taps_from(row, 0), differences = taps_from(unlike, 0);
    for (int i = 0; i <= 2 * rx; i += TAPS) {
        next_taps(&taps);
        next_taps(&differences);
        add_one_likely(all, tap(&taps, 0), tap(&differences, 0), own, nearest, per_value);
#if LANES == 4
        if (i + 1 <= 2 * rx)
            add_one_likely(all, tap(&taps, 1), tap(&differences, 1), own, nearest, per_value);
        if (i + 2 <= 2 * rx)
            add_one_likely(all, tap(&taps, 2), tap(&differences, 2), own, nearest, per_value);
        if (i + 3 <= 2 * rx)
            add_one_likely(all, tap(&taps, 3), tap(&differences, 3), own, nearest, per_value);
#endif
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

/* Weights fall with the square of the difference from the middle pixel and with the square of the distance to it. */
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

/* Writes the difference of two images with borders. */
kernel void differ(INPUT(from), INPUT(other), OUTPUT(to))
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        *VECTOR_AT(float, to_pixels, AT(to, x, y, z)) = *CONST_VECTOR_AT(float, from_pixels, AT(from, x, y, z)) -
                                                        *CONST_VECTOR_AT(float, other_pixels, AT(other, x, y, z));
}

/*
 * Weights fall with the square of the difference from another image. The best pixel of the box has weight 1, so the sum
 * of weights is never 0.
 */
kernel void likely_mean(INPUT(from), INPUT(unlike), OUTPUT(to), int rx, int ry, int rz, float per_value)
{
    const int x = LANES * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    global const float *pixels = (global const float *)from_pixels, *differences = (global const float *)unlike_pixels;
    const FLOATV own = JOIN(vload, LANES)(0, pixels + ROW_OF(from, 0, 0) + rx);
    FLOATV nearest = INFINITY;
    weighted_sum all = {0.0f, 0.0f};
    for (int k = -rz; k <= rz; k++)
        for (int j = -ry; j <= ry; j++)
            nearest = min_square(nearest, differences + ROW_OF(unlike, j, k), rx);
    for (int k = -rz; k <= rz; k++)
        for (int j = -ry; j <= ry; j++) {
            const INDEX row = ROW_OF(unlike, j, k);     /* the same row in both images, which have the same extent */
            add_likely(&all, pixels + row, differences + row, rx, own, nearest, per_value);
        }
    store_mean(to_pixels, to, x, y, z, own, all);
}
