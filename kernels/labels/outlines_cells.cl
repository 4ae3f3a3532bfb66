/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of outlines, from the counts of outlines.cl. The same source serves devices with doubles and the host. */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Number of pieces; of a plane also the holes, from the Euler number, and the perimeter of ImageJ. A label in pieces
 * has no such perimeter. Of a stack, `outline` has the number of cavities, and tunnels follow from the Euler number.
 */
METHOD void fill_outline(WORD pieces, double euler, SPACE const WORD *outline, SPACE const double *size, int flat,
                         SPACE double *cell)
{
    const double cut = size[0] + size[1] - sqrt(size[0] * size[0] + size[1] * size[1]);
    cell[0] = pieces > 0 ? (double)pieces : (double)NAN;
    if (!flat) {
        cell[1] = pieces > 0 ? (double)outline[0] : (double)NAN;
        cell[2] = cell[0] + cell[1] - euler;
        return;
    }
    cell[1] = pieces > 0 ? pieces - euler : (double)NAN;
    cell[2] = pieces == 1 ? outline[0] * size[0] + outline[1] * size[1] - outline[2] * cut : (double)NAN;
}

#ifdef __OPENCL_VERSION__
kernel void outline_columns(global const uint *pieces, global const uint *outlines, global const double *constants,
                            int flat, uint count, global double *cells, int columns, int column, int euler)
{
    const uint i = get_global_id(0);
    global double *row = cells + (ulong)i * columns;
    if (i < count)
        fill_outline(pieces[i], row[euler], outlines + 3 * (ulong)i, constants, flat, row + column);
}
#endif
#endif
