/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The largest circle or ball in each label: exact distances to the nearest pixel of another label, one axis after
 * another (Saito and Toriwaki 1994). Along an axis, a pixel of another label ends the search, because all pixels after
 * it are farther away. Distances are squares.
 */
#include "statistics.cl"

/* Distances along x; infinity if the row has no other label. */
kernel void inscribed_x(INPUT(labels), global float *squares, const float step)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z);
    float square = INFINITY;
    ROLLED for (int k = 1; label != 0 && isinf(square) && (x - k >= 0 || x + k < labels.width); k++)
        if ((x - k >= 0 && LOAD_LABEL(labels, x - k, y, z) != label) ||
            (x + k < labels.width && LOAD_LABEL(labels, x + k, y, z) != label))
            square = (float)k * k * step;
    squares[((ulong)z * labels.height + y) * labels.width + x] = square;
}

/* Adds the distances along y (axis 1) or z (axis 2) to those of the axes before. */
kernel void inscribed_next(INPUT(labels), global const float *before, global float *squares, const float step, int axis)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z);
    const int place = axis == 1 ? y : z, count = axis == 1 ? labels.height : labels.depth;
    const ulong at = ((ulong)z * labels.height + y) * labels.width + x;
    const ulong stride = axis == 1 ? (ulong)labels.width : (ulong)labels.width * labels.height;
    float square = before[at];
    bool up = label != 0, down = label != 0;
    ROLLED for (int k = 1; up || down; k++) {
        const float along = (float)k * k * step;
        up = up && place - k >= 0 && along < square;
        if (up) {
            up = LOAD_LABEL(labels, x, axis == 1 ? y - k : y, axis == 1 ? z : z - k) == label;
            square = fmin(square, up ? along + before[at - stride * k] : along);
        }
        down = down && place + k < count && along < square;
        if (down) {
            down = LOAD_LABEL(labels, x, axis == 1 ? y + k : y, axis == 1 ? z : z + k) == label;
            square = fmin(square, down ? along + before[at + stride * k] : along);
        }
    }
    squares[at] = square;
}

/* Finds the largest distance in each label, as the bits of a float. */
kernel void inscribed_largest(INPUT(labels), uint first, uint last, global const float *squares,
                              volatile global uint *largest)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i > last - first)
        return;
    const uint bits = as_uint(squares[((ulong)z * labels.height + y) * labels.width + x]);
    if (largest[i] < bits)
        atomic_max(largest + i, bits);
}

/* Finds the first pixel with that distance, in raster order. */
kernel void inscribed_first(INPUT(labels), uint first, uint last, global const float *squares,
                            global const uint *largest, volatile global uint *places)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    if (i > last - first)
        return;
    const ulong at = ((ulong)z * labels.height + y) * labels.width + x;
    if (as_uint(squares[at]) == largest[i] && places[i] < ~(uint)at)
        atomic_max(places + i, ~(uint)at);
}

#ifdef DOUBLES
/* Centre and radius; NaN for a label without pixels and for one that has no other pixels around it. */
kernel void inscribed_columns(global const uint *rows, uint count, global const uint *largest,
                              global const uint *places, int width, int height, int axes, global const double *size,
                              global double *cells, int columns, int column)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    global double *cell = cells + (ulong)i * columns + column;
    const uint place = ~places[i], at[3] = {place % width, place / width % height, place / width / height};
    const float square = as_float(largest[i]);
    const bool known = pixels_of(rows + (ulong)i * ROW) > 0 && !isinf(square);
    for (int axis = 0; axis < axes; axis++)
        cell[axis] = known ? size[axis] * (at[axis] + 0.5) : (double)NAN;
    cell[axes] = known ? sqrt((double)square) : (double)NAN;
}
#endif
