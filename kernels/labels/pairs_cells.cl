/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of pairs and neighbours. The same source serves devices with doubles and the host. */
#define TOGETHER
#ifdef __OPENCL_VERSION__
#include "pairs.cl"
#include "shape_axes.cl"
#endif

#if !defined(__OPENCL_VERSION__) || defined(DOUBLES)

/*
 * Both labels, sides, and the area or length of contact. With `dams`, a fifth cell has the number of dams. `weights`
 * has one weight for each kind of step: x, y, z, xy, xz, yz, xyz.
 */
METHOD void fill_pair(WORD a, WORD b, SPACE const WORD *counts, SPACE const double *weights, int dams,
                      SPACE double *cell)
{
    double contact = 0;
    for (int i = 0; i < 7; i++)
        contact += weights[i] * counts[i];
    cell[0] = a;
    cell[1] = b;
    cell[2] = (double)counts[0] + counts[1] + counts[2];
    cell[3] = contact;
    if (dams)
        cell[4] = counts[7];
}

/*
 * Number of neighbours, and the shares of a label's outline that touch other labels and the image's border. `sides` has
 * three numbers for each kind of side, along x, y and z: all sides, those to other labels, and those at the border.
 */
METHOD void fill_neighbors(WORD neighbors, SPACE const WORD *sides, SPACE const double *areas, SPACE double *cell)
{
    double all = 0, touching = 0, border = 0;
    for (int axis = 0; axis < 3; axis++) {
        all += areas[axis] * sides[axis];
        touching += areas[axis] * sides[3 + axis];
        border += areas[axis] * sides[6 + axis];
    }
    cell[0] = all > 0 ? (double)neighbors : (double)NAN;
    cell[1] = touching / all;
    cell[2] = border / all;
}

#ifdef __OPENCL_VERSION__
kernel void pair_columns(global const uint4 *list, uint count, global const uint *counts, global const double *weights,
                         int dams, global double *cells)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_pair(list[i].x, list[i].y, counts + (ulong)list[i].z * PAIR_WORDS, weights, dams,
                  cells + (ulong)(dams ? 5 : 4) * i);
}

kernel void neighbor_columns(global const uint *neighbors, global const uint *sides, global const double *areas,
                             uint count, global double *cells, int columns, int column)
{
    const uint i = get_global_id(0);
    if (i < count)
        fill_neighbors(neighbors[i], sides + 9 * (ulong)i, areas, cells + (ulong)i * columns + column);
}
#endif
#endif

#ifdef __OPENCL_VERSION__
/* Counts the neighbours of labels `first` to `last` from the table of pairs. */
kernel void count_neighbors(INPUT(labels), global const uint *keys, uint slots, uint first, uint last,
                            volatile global uint *neighbors)
{
    const uint slot = get_global_id(0);
    if (slot >= slots || keys[slot] == NO_PAIR)
        return;
    const uint2 pair = pair_of_key(labels_pixels, &labels, keys[slot]);
    const uint a = pair.x - first, b = pair.y - first;
    if (a <= last - first)
        atomic_inc(neighbors + a);
    if (b <= last - first)
        atomic_inc(neighbors + b);
}

/* Counts the sides of each label's outline: all, those to other labels, and those at the border of the image. */
kernel void count_sides(INPUT(labels), uint first, uint last, volatile global uint *sides)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z), i = label - first;
    if (i > last - first)
        return;
    const int axes = labels.depth > 1 ? 3 : 2;
    ROLLED for (int side = 0; side < 2 * axes; side++) {
        const int axis = side / 2, step = side % 2 ? -1 : 1;
        const int a = x + (axis == 0 ? step : 0), b = y + (axis == 1 ? step : 0), c = z + (axis == 2 ? step : 0);
        const bool outside = a < 0 || b < 0 || c < 0 || !INSIDE(labels, a, b, c);
        const uint other = outside ? 0 : LOAD_LABEL(labels, a, b, c);
        if (other == label)
            continue;
        volatile global uint *own = sides + 9 * (ulong)i + axis;
        atomic_inc(own);
        if (other != 0)
            atomic_inc(own + 3);
        if (outside)
            atomic_inc(own + 6);
    }
}
#endif
