/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of colocalization, from the sums of colocalization.cl and from columns of statistics_of_labelled_pixels. The
 * same source serves devices with doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "shape_cells.cl"
#include "statistics_cells.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* Seven sums of four words, then three counters of two words. */
enum { SUM_OF_PRODUCTS, SUM_OF_SQUARES_1, SUM_OF_SQUARES_2, SUM_ABOVE_1, SUM_ABOVE_2, SUM_COMMON_1, SUM_COMMON_2,
       COUNT_ABOVE_1 = 28, COUNT_ABOVE_2 = 30, COUNT_COMMON = 32, WORDS_OF_LABEL = 34 };

/* The range of a label's intensities as float32, which is the unit of deviations. */
METHOD double unit_of_deviations(SPACE const double *statistics)
{
    return (double)(float)statistics[COLUMN_MAXIMUM] - (double)(float)statistics[COLUMN_MINIMUM];
}

/* Whether the mean and the range of intensities are finite numbers. */
METHOD int is_measurable(SPACE const double *statistics)
{
    return fabs(statistics[COLUMN_MEAN]) < 1e38 && unit_of_deviations(statistics) < 1e38;
}

/* A sum of the deviations of n pixels, in grey values. Removes the 1 that colocalization.cl adds for each pixel. */
METHOD double sum_of_deviations(SPACE const WORD *sums, int which, double n, double range)
{
    return range * (wide_sum(sums + 4 * which) / 0x1p40 - n);
}

/* The sum of the intensities of the pixels that `counter` counts. */
METHOD double sum_above(SPACE const WORD *sums, int which, int counter, double mean, double range)
{
    const double n = (double)pixels_of(sums + counter);
    return n * mean + sum_of_deviations(sums, which, n, range);
}

/* Removes a rounding error that puts a coefficient beyond its limits; NaN stays. */
METHOD double within_limits(double coefficient, double low, double high)
{
    return coefficient < low ? low : coefficient > high ? high : coefficient;
}

/* Pixels, Pearson's correlation, overlap coefficient, and Manders' M1 and M2; see docs/shape.md. */
METHOD void fill_colocalization(SPACE const double *statistics1, SPACE const double *statistics2,
                                SPACE const WORD *sums, SPACE double *cell)
{
    const double n = statistics1[COLUMN_PIXELS], mean1 = statistics1[COLUMN_MEAN], mean2 = statistics2[COLUMN_MEAN],
                 range1 = unit_of_deviations(statistics1), range2 = unit_of_deviations(statistics2);
    cell[0] = n;
    if (n == 0 || !is_measurable(statistics1) || !is_measurable(statistics2)) {
        for (int c = 1; c < 5; c++)
            cell[c] = (double)NAN;
        return;
    }
    const double products = sum_of_deviations(sums, SUM_OF_PRODUCTS, n, range1 * range2),
                 squares1 = sum_of_deviations(sums, SUM_OF_SQUARES_1, n, range1 * range1),
                 squares2 = sum_of_deviations(sums, SUM_OF_SQUARES_2, n, range2 * range2);
    const double lowest_overlap = statistics1[COLUMN_MINIMUM] < 0 || statistics2[COLUMN_MINIMUM] < 0 ? -1 : 0;
    cell[1] = within_limits(products / sqrt(squares1 * squares2), -1, 1);
    cell[2] = within_limits((products + n * mean1 * mean2) /
                                sqrt((squares1 + n * mean1 * mean1) * (squares2 + n * mean2 * mean2)),
                            lowest_overlap, 1);
    cell[3] = sum_above(sums, SUM_COMMON_1, COUNT_COMMON, mean1, range1) /
              sum_above(sums, SUM_ABOVE_1, COUNT_ABOVE_1, mean1, range1);
    cell[4] = sum_above(sums, SUM_COMMON_2, COUNT_COMMON, mean2, range2) /
              sum_above(sums, SUM_ABOVE_2, COUNT_ABOVE_2, mean2, range2);
}

#ifdef __OPENCL_VERSION__
kernel void colocalization_columns(global const double *statistics1, global const double *statistics2,
                                   global const uint *sums, uint first, uint count, global double *cells)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global double *row = cells + 6 * (ulong)i;
    row[0] = (double)first + i;
    fill_colocalization(statistics1 + (ulong)i * COLUMNS, statistics2 + (ulong)i * COLUMNS,
                        sums + (ulong)i * WORDS_OF_LABEL, row + 1);
}
#endif
#endif
