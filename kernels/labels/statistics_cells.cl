/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a label's row into columns of the table. The same source serves devices with doubles and the host, which
 * defines pixels_of, sum_of and bits_as_float itself. The columns are in native/ops/labels/statistics.h.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "exact_orders.cl"
#include "statistics.cl"
#define SPACE global
#define METHOD inline
#define WORD uint
#define WIDE ulong
enum {
    COLUMN_IDENTIFIER,
    COLUMN_BOX,
    COLUMN_BOX_END = 4,
    COLUMN_BOX_SIZE = 7,
    COLUMN_MINIMUM = 10,
    COLUMN_MAXIMUM,
    COLUMN_MEAN,
    COLUMN_SUM,
    COLUMN_DEVIATION,
    COLUMN_PIXELS,
    COLUMN_WEIGHTED,
    COLUMN_MASS_CENTRE = 19,
    COLUMN_POSITIONS = 22,
    COLUMN_CENTROID = 25,
    COLUMN_DISTANCES = 28,
    COLUMNS = 36
};
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

METHOD double number_of(SPACE const WORD *counters, int count)
{
    WIDE carry = 0;
    double sum = 0, unit = 1;
    for (int i = 0; i < count; i++, unit *= 0x1p32) {
        const WIDE piece = pixels_of(counters + 2 * i) + carry;
        sum += unit * (double)(i == count - 1 ? piece : piece & 0xffffffff);
        carry = piece >> 32;
    }
    return sum;
}

/*
 * Extremes are exact. Sums take intensities as float32, so a label has no deviation if all its intensities round to the
 * same float.
 */
METHOD void fill_intensities(SPACE const WORD *row, int type, SPACE double *cell)
{
    const float min_value = value_of(~row[LOWEST], type), max_value = value_of(row[HIGHEST], type),
                range = max_value * 0.5f - min_value * 0.5f;
    const WIDE count = pixels_of(row);
    const double n = (double)count, steps = (double)sum_of(row + VALUE_SUM);
    double base = exact_value_of(~row[LOWEST], type), unit = 1; /* intensity = (steps + base) * unit, as in scale_of */
    if (range > 0 && !isinf(range)) {
        const int exponent = SCALE_BITS - 2 - ilogb(range);
        base = rint(ldexp((double)min_value, exponent));
        unit = ldexp(1.0, -exponent);
    }
    if (isnan(min_value) || isinf(min_value) || isnan(max_value) || isinf(max_value))
        base = (double)min_value + max_value;        /* infinity and NaN must reach every sum */
    cell[COLUMN_MINIMUM] = count ? exact_value_of(~row[LOWEST], type) : DBL_MAX;
    cell[COLUMN_MAXIMUM] = count ? exact_value_of(row[HIGHEST], type) : -DBL_MAX;
    cell[COLUMN_PIXELS] = n;
    cell[COLUMN_SUM] = count ? (steps + n * base) * unit : 0;
    cell[COLUMN_MEAN] = cell[COLUMN_SUM] / n;
    const double mean_steps = steps / n, variance = number_of(row + SQUARE_SUM, 2) / n - mean_steps * mean_steps;
    cell[COLUMN_DEVIATION] = count && isfinite(base) ? sqrt(fmax(variance, 0.0)) * unit : (double)NAN;
    for (int axis = 0; axis < 3 && count; axis++) {
        const WIDE corner = ~row[LOW + axis], positions = sum_of(row + SUM + 4 * axis);
        const double weighted =
            number_of(row + WEIGHTED_SUM + 6 * axis, 3) + base * (double)(positions - count * corner);
        cell[COLUMN_WEIGHTED + axis] = (weighted + (steps + n * base) * (double)corner) * unit;
        cell[COLUMN_MASS_CENTRE + axis] = (double)corner + weighted / (steps + n * base);
        cell[COLUMN_POSITIONS + axis] = (double)positions;
        cell[COLUMN_CENTROID + axis] = (double)corner + (double)(positions - count * corner) / n;
    }
}

METHOD void fill_box(SPACE const WORD *row, SPACE double *cell)
{
    const bool present = pixels_of(row) > 0;
    for (int axis = 0; axis < 3; axis++) {
        const WORD low = ~row[LOW + axis];
        cell[COLUMN_BOX + axis] = present ? (double)low : DBL_MAX;
        cell[COLUMN_BOX_END + axis] = present ? (double)row[HIGH + axis] : -DBL_MAX;
        cell[COLUMN_BOX_SIZE + axis] = cell[COLUMN_BOX_END + axis] - cell[COLUMN_BOX + axis] + 1;
        if (!present) {
            cell[COLUMN_WEIGHTED + axis] = cell[COLUMN_POSITIONS + axis] = 0;
            cell[COLUMN_MASS_CENTRE + axis] = cell[COLUMN_CENTROID + axis] = NAN;
        }
    }
}

METHOD double from_corner(SPACE const double *cell, int centre, int axis)
{
    return cell[(centre == 0 ? COLUMN_MASS_CENTRE : COLUMN_CENTROID) + axis] - cell[COLUMN_BOX + axis];
}

/*
 * Stores both centres relative to the corner of the box, in steps. A pixel has so many steps that the farthest corner
 * is at most 2^29 steps away, or 0 steps if a float32 cannot hold the squared distance. Centres are first given as
 * multiples of 2^5 steps, so that the distance to a pixel is an exact float32; the remainders follow.
 */
METHOD void fill_centres(SPACE const double *cell, SPACE float *centres)
{
    for (int i = 0; i < 2; i++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double before = from_corner(cell, i, axis), behind = cell[COLUMN_BOX_SIZE + axis] - 1 - before;
            square += fmax(before * before, behind * behind);
        }
        const double steps = !(square < 1e38) ? 0 : square > 0 ? ldexp(1.0, SCALE_BITS - 1 - ilogb(sqrt(square))) : 1;
        for (int axis = 0; axis < 3; axis++) {
            const double before = from_corner(cell, i, axis),
                         multiple = steps > 0 ? rint(before * steps / 32) * 32 / steps : before;
            centres[4 * i + axis] = (float)multiple;
            centres[8 + 4 * i + axis] = steps > 0 ? (float)(before - multiple) : 0.0f;
        }
        centres[4 * i + 3] = (float)steps;
    }
}

METHOD void fill_distances(SPACE const WORD *distances, SPACE const float *centres, SPACE double *cell)
{
    const double n = cell[COLUMN_PIXELS];
    for (int i = 0; i < 2; i++) {
        const float steps = centres[4 * i + 3];
        double all = n == 0 ? 0 : (double)sum_of(distances + DISTANCE_SUM + 4 * i) / (double)steps,
               longest = bits_as_float(distances[LONGEST + i]);
        if (n > 0 && steps == 0) {      /* a centre that is so far away has the same distance from every pixel */
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square += from_corner(cell, i, axis) * from_corner(cell, i, axis);
            all = n * sqrt(square);
            longest = isnan(square) ? 0 : sqrt(square);
        }
        SPACE double *out = cell + COLUMN_DISTANCES + 4 * i;
        out[0] = all;
        out[1] = all / n;
        out[2] = longest;
        out[3] = longest / (all / n);
    }
}

#ifdef __OPENCL_VERSION__
/* Columns that follow from sums, for labels from `first` on, and their centres. */
kernel void statistics_columns(global const uint *rows, int type, global double *cells, global float *centres,
                               uint first, uint count)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global const uint *row = rows + (ulong)i * ROW;
    global double *cell = cells + (ulong)i * COLUMNS;
    cell[COLUMN_IDENTIFIER] = (double)first + i;
    fill_intensities(row, type, cell);
    fill_box(row, cell);
    fill_centres(cell, centres + (ulong)i * CENTRE_ROW);
}

kernel void distance_columns(global const uint *distances, global const float *centres, global double *cells,
                             uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_distances(distances + (ulong)i * DISTANCE_ROW, centres + (ulong)i * CENTRE_ROW,
                       cells + (ulong)i * COLUMNS);
}
#endif
#endif
