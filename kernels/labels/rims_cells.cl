/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of the groups radial and rim, from columns of statistics_of_labelled_pixels. The same source serves devices
 * with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "statistics_cells.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Share and mean of the intensity in each shell of a label; NaN if an intensity is not finite. A shell has `row`
 * numbers of statistics.
 */
METHOD void fill_radial(SPACE const double *statistics, int row, int shells, SPACE double *cell)
{
    double sum = 0, pixels = 0;
    for (int s = 0; s < shells; s++) {
        sum += statistics[s * row + COLUMN_SUM];
        pixels += statistics[s * row + COLUMN_PIXELS];
    }
    for (int s = 0; s < shells; s++) {
        SPACE const double *shell = statistics + s * row;
        const bool known = pixels > 0 && isfinite(sum);
        cell[2 * s] = known && sum != 0 ? shell[COLUMN_SUM] / sum : (double)NAN;
        cell[2 * s + 1] = known && shell[COLUMN_PIXELS] > 0 ? shell[COLUMN_MEAN] : (double)NAN;
    }
}

/* Number of pixels and mean intensity of a part of a label. `present`: whether the label itself has pixels. */
METHOD void fill_rim(SPACE const double *statistics, int present, SPACE double *cell)
{
    cell[0] = present ? statistics[COLUMN_PIXELS] : (double)NAN;
    cell[1] = statistics[COLUMN_PIXELS] > 0 ? statistics[COLUMN_MEAN] : (double)NAN;
}

#ifdef __OPENCL_VERSION__
kernel void radial_columns(global const double *statistics, int shells, uint from, uint count, global double *cells,
                           int columns, int column)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_radial(statistics + (ulong)i * shells * COLUMNS, COLUMNS, shells,
                    cells + ((ulong)from + i) * columns + column);
}

kernel void rim_columns(global const double *statistics, global const uint *rows, uint count, global double *cells,
                        int columns, int column)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_rim(statistics + (ulong)i * COLUMNS, pixels_of(rows + (ulong)i * ROW) > 0,
                 cells + (ulong)i * columns + column);
}
#endif
#endif
