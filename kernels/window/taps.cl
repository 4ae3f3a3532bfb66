/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same windows pixel by pixel, for devices with wide registers and without local memory of their own: a work-item makes a
 * vector of pixels from a float32 copy with repeated borders. This file comes after chords_filters.cl and uses it.
 */

#define CHORD(dy, dz) half_chords[abs(dz) * (ry + 1) + abs(dy)]

/* A work-item makes a vector of pixels. */
kernel void taps_pad(INPUT(from), OUTPUT(padded), int rx, int ry, int rz)
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(padded, x, y, z))
        return;
    const INDEX row = AT(from, 0, clamp(y - ry, 0, from.height - 1), clamp(z - rz, 0, from.depth - 1)), to = AT(padded, x, y, z);
    INDEX at[LANES];
    float pixels[LANES];
    for (int l = 0; l < LANES; l++)
        at[l] = row + (INDEX)clamp(x + l - rx, 0, from.width - 1) * (INDEX)from.column;
    if (from.type == UINT16)
        for (int l = 0; l < LANES; l++)
            pixels[l] = ((global const ushort *)from_pixels)[at[l]];
    else
        for (int l = 0; l < LANES; l++)
            pixels[l] = load_float(from_pixels, from.type, at[l]);
    if (IN_VECTORS(padded))
        *VECTOR_AT(float, padded_pixels, to) = JOIN(vload, LANES)(0, pixels);
    else
        for (int l = 0; l < LANES && x + l < padded.width; l++)
            ((global float *)padded_pixels)[to + l] = pixels[l];
}

/* Something before and after each plane and each row of the window, and something for each vector of pixels v. */
#define TAPS_NESTED(plane_first, row_first, body, row_last, plane_last)                                                          \
    for (int dz = -rz; dz <= rz; dz++) {                                                                                         \
        plane_first                                                                                                              \
        for (int dy = -ry; dy <= ry; dy++) {                                                                                     \
            const int half_length = CHORD(dy, dz);                                                                               \
            global const float *row = (global const float *)padded_pixels + AT(padded, x, y + ry + dy, z + rz + dz);             \
            row_first                                                                                                            \
            EACH_TAP(row, rx - half_length, rx + half_length + 1, body)                                                          \
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
    constant short *half_chords = TABLE_OF(short, chords);
#define CENTRE JOIN(vload, LANES)(0, (global const float *)padded_pixels + AT(padded, x + rx, y + ry, z + rz))

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

/*
 * The median is low where enough of the window is: one sweep tells. NaN with a sign comes first in its order, and nothing is above that.
 * Vectors are loaded from each pixel on: with those of EACH_TAP stacks took 1.7 times as long.
 */
#define ABOVE_MEDIAN(body)                                                                                                       \
    TAPS_POSITION                                                                                                                \
    global const float *centre = (global const float *)padded_pixels + AT(padded, x + rx, y + ry, z + rz);                       \
    const FLOATV own = JOIN(vload, LANES)(0, centre);                                                                            \
    INTV low = 0, first = 0;                                                                                                     \
    for (int dz = -rz; dz <= rz; dz++)                                                                                           \
        for (int dy = -ry; dy <= ry; dy++) {                                                                                     \
            const int half_length = CHORD(dy, dz);                                                                               \
            global const float *row = centre + (INDEX)dz * padded.plane + (INDEX)dy * padded.row;                                \
            for (int dx = -half_length; dx <= half_length; dx++) {                                                               \
                const FLOATV v = JOIN(vload, LANES)(0, row + dx);                                                                \
                body                                                                                                             \
            }                                                                                                                    \
        }                                                                                                                        \
    STORE_TAPS(-JOIN(convert_float, LANES)((first <= rank) & (rank < first + low)), STORE)

kernel void taps_above_median(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int rank, float offset)
{
    ABOVE_MEDIAN(low -= own > v + offset; first -= JOIN(as_uint, LANES)(v) > 0xff800000u;)
}

/* Of integers, which have no NaN. */
kernel void taps_above_median_of_integers(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int rank, float offset)
{
    ABOVE_MEDIAN(low -= own > v + offset;)
}

#define STORE_SUM(i, x, y, z, value) STORE_SNAPPED(i, x, y, z, value, ROUNDINGS_OF_SUM(count))
#define STORE_SQUARES(i, x, y, z, value) STORE_SNAPPED(i, x, y, z, value, 2 * ROUNDINGS_OF_SUM(count))

kernel void taps_mean(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_POSITION
    FLOATV sum = 0.0f;
    TAPS_SUM(sum, v)
    STORE_TAPS(DIVIDE(sum, (FLOATV)((float)count)), STORE_SUM)
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
    const FLOATV pixel = CENTRE;                                                                          \
    FLOATV mean = 0.0f, variance = 0.0f;                                                                                         \
    TAPS_SUM(mean, v - pixel)                                                                                                     \
    mean = pixel + mean / (float)count;                                                                                          \
    TAPS_SUM(variance, (v - mean) * (v - mean))                                                                                   \
    variance /= (float)count;

kernel void taps_variance(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_VARIANCE
    STORE_TAPS(variance, STORE_SQUARES)
}

kernel void taps_deviation(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    TAPS_VARIANCE
    STORE_TAPS(sqrt(variance), STORE_SQUARES)
}
