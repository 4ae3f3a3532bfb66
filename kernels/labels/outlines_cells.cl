/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of outlines, from the counts of outlines.cl. The same source serves devices with doubles and the host. */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#include "statistics.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/* The integers of a label; `outline` is not used for a stack, and `cavities` has their number and their pixels. */
typedef struct {
    WORD pieces;
    SPACE const WORD *row, *outline, *cavities;
    SPACE const double *size;
    int flat;
} outline_facts;

/*
 * Number of pieces; of a plane also the holes and the perimeter of ImageJ, of a stack the cavities and the tunnels,
 * which follow from the Euler number; area or volume with filled holes. A label in pieces has no perimeter of ImageJ.
 */
METHOD void fill_outline(const outline_facts *f, double euler, SPACE double *cell)
{
    const double pixel = f->size[0] * f->size[1], cut = f->size[0] + f->size[1] - sqrt(f->size[0] * f->size[0] +
                                                                                     f->size[1] * f->size[1]);
    if (f->pieces == 0) {
        for (int i = 0; i < 4; i++)
            cell[i] = (double)NAN;
        return;
    }
    cell[0] = (double)f->pieces;
    cell[1] = (double)f->cavities[0];
    if (f->flat)
        cell[2] = f->pieces == 1 ? f->outline[0] * f->size[0] + f->outline[1] * f->size[1] - f->outline[2] * cut
                                 : (double)NAN;
    else
        cell[2] = cell[0] + cell[1] - euler;
    cell[3] = ((double)pixels_of(f->row) + (double)f->cavities[1]) * pixel * (f->flat ? 1 : f->size[2]);
}

#ifdef __OPENCL_VERSION__
kernel void outline_columns(global const uint *pieces, global const uint *rows, global const uint *outlines,
                            global const uint *cavities, global const double *constants, int flat, uint count,
                            global double *cells, int columns, int column, int euler)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    const outline_facts f = {pieces[i], rows + (ulong)i * ROW, outlines + 3 * (ulong)i, cavities + 2 * (ulong)i,
                             constants, flat};
    global double *row = cells + (ulong)i * columns;
    fill_outline(&f, row[euler], row + column);
}
#endif
#endif
