/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of skeletons, from the counts of kernels/morphology/skeleton_labels.cl. The same source serves devices with
 * doubles and the host.
 */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "shape_axes.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

enum { SKELETON_EDGES = 7, SKELETON_COUNTS = 12, SKELETON_DISTANCES = 10 };

/*
 * Length, pixels, branch points, ends and average thickness; NaN for a label without pixels. Distances are unknown for
 * a label that fills the image.
 */
METHOD void fill_skeleton(SPACE const WORD *counts, SPACE const double *size, SPACE double *cell)
{
    double length = 0;
    for (int i = 0; i < SKELETON_EDGES; i++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++)
            square += (i + 1) >> axis & 1 ? size[axis] * size[axis] : 0.0;
        length += sqrt(square) * (double)counts[i];
    }
    const int present = counts[SKELETON_EDGES] > 0;
    cell[0] = present ? length : (double)NAN;
    cell[1] = present ? (double)counts[SKELETON_EDGES] : (double)NAN;
    cell[2] = present ? (double)counts[SKELETON_EDGES + 2] : (double)NAN;
    cell[3] = present ? (double)counts[SKELETON_EDGES + 1] : (double)NAN;
    const double distances =
        ((double)counts[SKELETON_DISTANCES] + 4294967296.0 * (double)counts[SKELETON_DISTANCES + 1]) / 4096;
    cell[4] = present && distances > 0 ? size[0] * (2 * distances / counts[SKELETON_EDGES] - 1) : (double)NAN;
}

#ifdef __OPENCL_VERSION__
kernel void skeleton_columns(global const uint *counts, global const double *size, uint count, global double *cells,
                             int columns, int column)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_skeleton(counts + (ulong)i * SKELETON_COUNTS, size, cells + (ulong)i * columns + column);
}
#endif
#endif
