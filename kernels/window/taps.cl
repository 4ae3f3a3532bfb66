/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same windows pixel by pixel, for devices with wide registers and without local memory of their own: a work-item makes a
 * vector of pixels from a float32 copy with repeated borders. This file comes after chords_filters.cl and uses it.
 */

#define CHORD(dy, dz) half_chords[abs(dz) * (ry + 1) + abs(dy)]

kernel void taps_pad(INPUT(from), OUTPUT(padded), int rx, int ry, int rz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (INSIDE(padded, x, y, z))
        ((global float *)padded_pixels)[AT(padded, x, y, z)] = LOAD_CLAMPED(from, x - rx, y - ry, z - rz);
}

/* Something before and after each plane and each row of the window, and something for each vector of pixels v. */
#define TAPS_NESTED(plane_first, row_first, body, row_last, plane_last)                                                          \
    for (int dz = -rz; dz <= rz; dz++) {                                                                                         \
        plane_first                                                                                                              \
        for (int dy = -ry; dy <= ry; dy++) {                                                                                     \
            const int half_length = CHORD(dy, dz);                                                                               \
            global const float *row = centre + (INDEX)dz * padded.plane + (INDEX)dy * padded.row;                                \
            row_first                                                                                                            \
            for (int dx = -half_length; dx <= half_length; dx++) {                                                               \
                const FLOATV v = JOIN(vload, LANES)(0, row + dx);                                                                \
                body                                                                                                             \
            }                                                                                                                    \
            row_last                                                                                                             \
        }                                                                                                                        \
        plane_last                                                                                                               \
    }
#define TAPS(body) TAPS_NESTED(, , body, , )
/* Rows and planes have their own sums, so that a sum of thousands of pixels is not rounded thousands of times. */
#define TAPS_SUM(sum, term)                                                                                                      \
    TAPS_NESTED(FLOATV plane_sum = 0.0f;, FLOATV row_sum = 0.0f;, row_sum += term;, plane_sum += row_sum;, sum += plane_sum;)

#define TAPS_POSITION                                                                                                            \
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);                                     \
    if (!INSIDE(to, x, y, z))                                                                                                    \
        return;                                                                                                                  \
    constant short *half_chords = TABLE_OF(short, chords);                                                                       \
    global const float *centre = (global const float *)padded_pixels + AT(padded, x + rx, y + ry, z + rz);

#define STORE_TAPS(value, store)                                                                                                 \
    float out[LANES];                                                                                                            \
    JOIN(vstore, LANES)(value, 0, out);                                                                                          \
    for (int k = 0; k < LANES && x + k < to.width; k++)                                                                          \
        store(to, x + k, y, z, out[k]);

kernel void taps_minimum(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_POSITION
    FLOATV best = INFINITY;
    TAPS(best = select(best, v, v < best);)
    STORE_TAPS(best, STORE)
}

kernel void taps_maximum(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_POSITION
    FLOATV best = -INFINITY;
    TAPS(best = select(best, v, v > best);)
    STORE_TAPS(best, STORE)
}

kernel void taps_count(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_POSITION
    INTV sum = 0;
    TAPS(sum -= v != 0.0f;)
    STORE_TAPS(JOIN(convert_float, LANES)(sum), STORE)
}

/* The median is low where enough of the window is: one sweep tells. NaN with a sign comes first in its order, and nothing is above that. */
kernel void taps_above_median(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int rank, float offset)
{
    TAPS_POSITION
    const FLOATV own = JOIN(vload, LANES)(0, centre);
    INTV low = 0, first = 0;
    TAPS(low -= own > v + offset; first -= JOIN(as_uint, LANES)(v) > 0xff800000u;)
    STORE_TAPS(-JOIN(convert_float, LANES)((first <= rank) & (rank < first + low)), STORE)
}

kernel void taps_mean(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_POSITION
    FLOATV sum = 0.0f;
    TAPS_SUM(sum, v)
    STORE_TAPS(DIVIDE(sum, (FLOATV)((float)count)), STORE_SNAPPED)
}

kernel void taps_exact_mean(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_POSITION
    JOIN(uint, LANES) sum = 0;
    TAPS(sum += JOIN(as_uint, LANES)(JOIN(convert_int, LANES)(v));)
    uint sums[LANES];
    JOIN(vstore, LANES)(sum, 0, sums);
    for (int k = 0; k < LANES && x + k < to.width; k++)
        STORE(to, x + k, y, z, exact_mean(sums[k], count, type, to.type));
}

/* The mean from the differences to one pixel, then the variance from those to the mean: exactly 0 where all are equal. */
#define TAPS_VARIANCE                                                                                                            \
    TAPS_POSITION                                                                                                                \
    const FLOATV pixel = JOIN(vload, LANES)(0, centre);                                                                          \
    FLOATV mean = 0.0f, variance = 0.0f;                                                                                         \
    TAPS_SUM(mean, v - pixel)                                                                                                     \
    mean = pixel + mean / (float)count;                                                                                          \
    TAPS_SUM(variance, (v - mean) * (v - mean))                                                                                   \
    variance /= (float)count;

kernel void taps_variance(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_VARIANCE
    STORE_TAPS(variance, STORE_SNAPPED)
}

kernel void taps_deviation(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_VARIANCE
    STORE_TAPS(sqrt(variance), STORE_SNAPPED)
}
