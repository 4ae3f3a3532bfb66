/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nearest label of each pixel. Squared distances are computed for one axis after another. If several labels are
 * equally near, the smallest number wins. The images of distances and labels are dense.
 */
#define DENSE(width, height, x, y, z) (((long)(z) * (height) + (y)) * (width) + (x))

kernel void expand_begin(INPUT(labels), global float *squares, global uint *nearest)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL(labels, x, y, z);
    const long at = DENSE(labels.width, labels.height, x, y, z);
    nearest[at] = label;
    squares[at] = label ? 0.0f : INFINITY;
}

/* Looks `radius` pixels, each `step` long, to both sides along an axis. */
kernel void expand_along(global const float *squares, global const uint *nearest, global float *new_squares,
                         global uint *new_nearest, int width, int height, int depth, int axis, int radius, float step)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= width || y >= height || z >= depth)
        return;
    const int place = axis == 0 ? x : axis == 1 ? y : z, extent = axis == 0 ? width : axis == 1 ? height : depth;
    const long at = DENSE(width, height, x, y, z), stride = axis == 0 ? 1 : axis == 1 ? width : (long)width * height;
    float min_square = squares[at];
    uint label = nearest[at];
    for (int d = 1; d <= radius && (d * step) * (d * step) <= min_square; d++) {
        const float square = (d * step) * (d * step);
        for (int side = -1; side <= 1; side += 2) {
            if (place + side * d < 0 || place + side * d >= extent)
                continue;
            const long neighbour = at + side * d * stride;
            const float sum = squares[neighbour] + square;
            const uint other = nearest[neighbour];
            if (other && (sum < min_square || (sum == min_square && other < label))) {
                min_square = sum;
                label = other;
            }
        }
    }
    new_squares[at] = min_square;
    new_nearest[at] = label;
}

kernel void expand_end(global const float *squares, global const uint *nearest, int width, int height, int depth,
                       float limit, OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const long at = DENSE(width, height, min(x, width - 1), min(y, height - 1), min(z, depth - 1));
    STORE_LABEL(to, x, y, z, squares[at] <= limit ? nearest[at] : 0);
}
