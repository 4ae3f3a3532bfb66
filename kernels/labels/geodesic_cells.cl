/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of geodesic diameters. The same source serves devices with doubles and the host, which defines bits_as_float
 * itself.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "statistics_cells.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Diameter, both ends, and the ratios to the Feret diameter and to the diameter of the largest inscribed circle. All
 * columns are NaN for a label without pixels and for a label in pieces. `longest`: bits of the largest distance.
 * `inscribed`: bits of the square of the circle's radius. `from` and `to`: complements of the positions of both ends.
 */
METHOD void fill_geodesic(WORD longest, WORD inscribed, WORD from, WORD to, int width, int height,
                          SPACE const double *size, int axes, double feret, SPACE double *cell)
{
    const double radius = sqrt((double)bits_as_float(inscribed));
    const WORD ends[2] = {~from, ~to};
    const double length = (double)bits_as_float(longest);
    double square = 0;
    for (int axis = 0; axis < axes; axis++)
        square += size[axis] * size[axis];
    const int known = from != 0 && isfinite(length);
    cell[0] = known ? length + sqrt(square) : (double)NAN;
    for (int end = 0; end < 2; end++) {
        const WORD w = (WORD)width, h = (WORD)height, at[3] = {ends[end] % w, ends[end] / w % h, ends[end] / w / h};
        for (int axis = 0; axis < axes; axis++)
            cell[1 + end * axes + axis] = known ? size[axis] * (at[axis] + 0.5) : (double)NAN;
    }
    cell[1 + 2 * axes] = known ? cell[0] / feret : (double)NAN;
    cell[2 + 2 * axes] = known && isfinite(radius) ? cell[0] / (2 * radius) : (double)NAN;
}

#ifdef __OPENCL_VERSION__
kernel void geodesic_columns(global const uint *longest, global const uint *inscribed, global const uint *from,
                             global const uint *to, uint count, int width, int height, global const double *size,
                             int axes, global double *cells, int columns, int column, int feret)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_geodesic(longest[i], inscribed[i], from[i], to[i], width, height, size, axes,
                      cells[(ulong)i * columns + feret], cells + (ulong)i * columns + column);
}
#endif
#endif
