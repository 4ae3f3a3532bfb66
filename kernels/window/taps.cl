/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filters of chords_filters.cl computed pixel by pixel, for devices with wide registers and no dedicated local
 * memory. A work-item computes a vector of pixels from a float32 copy with repeated borders.
 */
#include "chords_filters.cl"
#include "tap_windows.cl"

/* A work-item computes a vector of pixels. */
kernel void taps_pad(INPUT(from), OUTPUT(padded), int rx, int ry, int rz)
{
    const int x = LANES * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(padded, x, y, z))
        return;
    const INDEX row = AT(from, 0, clamp(y - ry, 0, from.height - 1), clamp(z - rz, 0, from.depth - 1)),
                to = AT(padded, x, y, z);
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

inline void store_taps(global uchar *to_pixels, const layout to, const tap_window *w, FLOATV value)
{
    float out[LANES];
    JOIN(vstore, LANES)(value, 0, out);
    for (int k = 0; k < LANES && w->x + k < to.width; k++)
        STORE(to, w->x + k, w->y, w->z, out[k]);
}

inline FLOATV snap_for(int type, FLOATV value, float roundings)
{
    return type == FLOAT32 ? value : snap_lanes(value, roundings);
}

#define PADDED (global const float *)padded_pixels
#define WINDOW_HERE window_here(&padded, TABLE_OF(short, chords), rx, ry, rz)

/*
 * If an extreme starts at infinity, one instruction compares and skips NaN. Few results stay infinite; those of windows
 * that hold only NaN become NaN.
 */
inline FLOATV nan_without_numbers(FLOATV extreme, global const float *pixels, const tap_window *w)
{
    if (any(isinf(extreme)))
        extreme = select((FLOATV)(NAN), extreme, numbers(0, pixels, w) > 0);
    return extreme;
}

kernel void taps_minimum(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w, nan_without_numbers(lowest(INFINITY, PADDED, &w), PADDED, &w));
}

kernel void taps_maximum(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w, nan_without_numbers(highest(-INFINITY, PADDED, &w), PADDED, &w));
}

kernel void taps_count(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w, JOIN(convert_float, LANES)(nonzero(0, PADDED, &w)));
}

/*
 * A pixel exceeds the median if enough pixels of the window are below it; one pass over the window decides this. A NaN
 * with a sign bit sorts first, and nothing exceeds it. Vectors are loaded unaligned: with aligned ones, stacks took 1.7
 * times as long.
 */
inline INTV is_above_median(global const float *pixels, const tap_window *w, int rank, float offset, const bool has_nan)
{
    const FLOATV own = window_centre(pixels, w);
    INTV low = 0, first = 0;
    for (int dz = -w->rz; dz <= w->rz; dz++)
        for (int dy = -w->ry; dy <= w->ry; dy++) {
            const int half_length = half_chord(w, dy, dz);
            global const float *middle = pixels + window_row(w, dy, dz) + w->rx;
            for (int dx = -half_length; dx <= half_length; dx++) {
                const FLOATV v = JOIN(vload, LANES)(0, middle + dx);
                low -= own > v + offset;
                if (has_nan)
                    first -= JOIN(as_uint, LANES)(v) > 0xff800000u;
            }
        }
    return (first <= rank) & (rank < first + low);
}

kernel void taps_above_median(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int rank, float offset)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w, -JOIN(convert_float, LANES)(is_above_median(PADDED, &w, rank, offset, true)));
}

kernel void taps_above_median_of_integers(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int rank,
                                          float offset)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w, -JOIN(convert_float, LANES)(is_above_median(PADDED, &w, rank, offset, false)));
}

kernel void taps_mean(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w,
               snap_for(to.type, DIVIDE(sum(PADDED, &w, 0.0f), (FLOATV)((float)count)), ROUNDINGS_OF_SUM(count)));
}

kernel void taps_exact_mean(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    uint sums[LANES];
    JOIN(vstore, LANES)(sum_of_integers(0, PADDED, &w), 0, sums);
    for (int k = 0; k < LANES && w.x + k < to.width; k++)
        STORE(to, w.x + k, w.y, w.z, exact_mean(sums[k], count, type, to.type));
}

/*
 * Computes the mean from the differences to one pixel, and the variance from the differences to the mean. The result is
 * exactly 0 if all pixels are equal.
 */
inline FLOATV variance_of(global const float *pixels, const tap_window *w, int count)
{
    const FLOATV pixel = window_centre(pixels, w), mean = pixel + sum_of_differences(pixels, w, pixel) / (float)count;
    return sum_of_squares(pixels, w, mean) / (float)count;
}

kernel void taps_variance(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w, snap_for(to.type, variance_of(PADDED, &w, count), 2 * ROUNDINGS_OF_SUM(count)));
}

kernel void taps_deviation(INPUT(padded), OUTPUT(to), int rx, int ry, int rz, TABLE(chords), int count, int type)
{
    const tap_window w = WINDOW_HERE;
    if (!INSIDE(to, w.x, w.y, w.z))
        return;
    store_taps(to_pixels, to, &w, snap_for(to.type, sqrt(variance_of(PADDED, &w, count)), 2 * ROUNDINGS_OF_SUM(count)));
}
