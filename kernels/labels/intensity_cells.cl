/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of intensity, from those of statistics_of_labelled_pixels and from sums of deviations. The order of the
 * columns is that of the headings in native/ops/labels/measure_intensity.c. The same source serves devices with doubles
 * and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "exact_orders.cl"
#include "percentile_cells.cl"
#include "shape_axes.cl"
#include "shape_cells.cl"
#include "statistics_cells.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * The range of a label's intensities as float32. Sums of deviations take intensities as float32 too, so 32-bit integers
 * that differ can have a range of 0.
 */
METHOD double float_range(SPACE const double *statistics)
{
    return (double)(float)statistics[COLUMN_MAXIMUM] - (double)(float)statistics[COLUMN_MINIMUM];
}

/*
 * The mode: the most frequent intensity of an 8-bit image. For other types it is the middle of the fullest of 256 bins
 * from `low` to `high`.
 */
METHOD double mode_of_bin(WORD bin, int type, int bits, double low, double high)
{
    const double share = (bin + 0.5) / 256;
    if (bits == 8)
        return number_of_key(bin, type, bits);
    return high > low ? low * (1 - share) + high * share : low;
}

/* The mean of a label as the sum of two floats, and the inverse of its range; 0 without a finite range. */
METHOD void fill_centre(SPACE const double *statistics, SPACE float *centre)
{
    const double mean = statistics[COLUMN_MEAN], range = float_range(statistics);
    centre[0] = (float)mean;
    centre[1] = (float)(mean - (double)centre[0]);
    centre[2] = range > 0 && range < 1e38 ? (float)(1 / range) : 0.0f;
    centre[3] = 0;
}

/*
 * `bits` is the number of bits of the keys in `quantiles`, and `mode` a bin. Quantiles and mode are NaN for a label of
 * more than `max_pixels` pixels, because counters could overflow.
 */
METHOD void fill_intensity(SPACE const double *statistics, SPACE const WORD *sums, SPACE const WORD *quantiles,
                           WORD mode, int type, int bits, WIDE max_pixels, SPACE const double *size, int axes,
                           SPACE double *cell, int width)
{
    const double n = statistics[COLUMN_PIXELS], low = statistics[COLUMN_MINIMUM], high = statistics[COLUMN_MAXIMUM],
                 deviation = statistics[COLUMN_DEVIATION], range = (double)(float)(1 / float_range(statistics));
    if (n == 0 || isnan(low) || isnan(high)) {
        for (int c = 0; c < width; c++)
            cell[c] = (double)NAN;
        return;
    }
    const double third = (wide_sum(sums) / 0x1p40 - n) / n / (range * range * range),
                 fourth = wide_sum(sums + 4) / 0x1p40 / n / (range * range * range * range),
                 square = deviation * deviation;
    cell[0] = statistics[COLUMN_MEAN];
    cell[1] = deviation;
    cell[2] = deviation > 0 ? third / (square * deviation) : (double)NAN;
    cell[3] = deviation > 0 ? fourth / (square * square) - 3 : (double)NAN;
    cell[4] = statistics[COLUMN_SUM];
    cell[5] = low;
    cell[6] = high;
    for (int q = 0; q < 3; q++)
        cell[7 + q] = n > (double)max_pixels ? (double)NAN : number_of_key(quantiles[q], type, bits);
    cell[10] = n > (double)max_pixels ? (double)NAN : mode_of_bin(mode, type, bits, low, high);
    for (int axis = 0; axis < axes; axis++)
        cell[11 + axis] = size[axis] * (statistics[COLUMN_MASS_CENTRE + axis] + 0.5);
}

#ifdef __OPENCL_VERSION__
kernel void intensity_centres(global const double *statistics, uint count, global float *centres)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_centre(statistics + (ulong)i * COLUMNS, centres + 4 * (ulong)i);
}

kernel void intensity_columns(global const double *statistics, global const uint *sums, global const uint *quantiles,
                              global const uint *modes, int type, int bits, ulong max_pixels, global const double *size,
                              int axes, uint count, global double *cells, int columns, int column, int width)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_intensity(statistics + (ulong)i * COLUMNS, sums + 8 * (ulong)i, quantiles + 3 * (ulong)i, modes[i], type,
                       bits, max_pixels, size, axes, cells + (ulong)i * columns + column, width);
}
#endif
#endif
