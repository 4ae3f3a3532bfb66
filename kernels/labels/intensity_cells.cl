/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of intensity, from those of statistics_of_labelled_pixels and from sums of deviations. The order of the
 * columns is that of the headings in native/ops/labels/measure_intensity.c. The same source serves devices with doubles
 * and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "shape_cells.cl"
#include "statistics_cells.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* The mean of a label as the sum of two floats, and the inverse of its range; 0 without a finite range. */
METHOD void fill_centre(SPACE const double *statistics, SPACE float *centre)
{
    const double mean = statistics[COLUMN_MEAN], range = statistics[COLUMN_MAXIMUM] - statistics[COLUMN_MINIMUM];
    centre[0] = (float)mean;
    centre[1] = (float)(mean - (double)centre[0]);
    centre[2] = range > 0 && range < 1e38 ? (float)(1 / range) : 0.0f;
    centre[3] = 0;
}

METHOD void fill_intensity(SPACE const double *statistics, SPACE const WORD *sums, SPACE const float *quantiles,
                           float mode, SPACE const double *size, int axes, SPACE double *cell, int width)
{
    const double n = statistics[COLUMN_PIXELS], low = statistics[COLUMN_MINIMUM], high = statistics[COLUMN_MAXIMUM],
                 deviation = statistics[COLUMN_DEVIATION], range = (double)(float)(1 / (high - low));
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
    cell[2] = high > low ? third / (square * deviation) : (double)NAN;
    cell[3] = high > low ? fourth / (square * square) - 3 : (double)NAN;
    cell[4] = statistics[COLUMN_SUM];
    cell[5] = low;
    cell[6] = high;
    for (int q = 0; q < 3; q++)
        cell[7 + q] = (double)quantiles[q];
    cell[10] = (double)mode;
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

kernel void intensity_columns(global const double *statistics, global const uint *sums, global const float *quantiles,
                              global const float *modes, global const double *size, int axes, uint count,
                              global double *cells, int columns, int column, int width)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_intensity(statistics + (ulong)i * COLUMNS, sums + 8 * (ulong)i, quantiles + 3 * (ulong)i, modes[i], size,
                       axes, cells + (ulong)i * columns + column, width);
}
#endif
#endif
