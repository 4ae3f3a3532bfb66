/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Label maps of parts of labels: shells at equal steps of distance to the rim, the rim, and the background around each
 * label. Statistics of these maps give the columns of the groups radial and rim. Distances are squares.
 */
/*
 * Writes label (i shells + s + 1) for shell s of label i, from the rim (s = 0) to the largest distance. Writes 0 for
 * labels that are not measured, and for a label without other pixels around it.
 */
kernel void radial_shells(INPUT(labels), uint first, uint last, global const float *squares,
                          global const uint *largest, int shells, OUTPUT(map))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint i = LOAD_LABEL(labels, x, y, z) - first;
    uint shell = 0;
    if (i <= last - first) {
        const float square = squares[((ulong)z * labels.height + y) * labels.width + x],
                    max_square = as_float(largest[i]);
        if (!isinf(max_square)) {
            int s = 0;
            ROLLED while (s < shells - 1 && square * (shells * shells) > max_square * ((s + 1) * (s + 1)))
                s++;
            shell = i * shells + s + 1;
        }
    }
    STORE_LABEL(map, x, y, z, shell);
}

/* Writes the pixels of labels whose distance to the nearest pixel of another label is at most `limit`. */
kernel void rim_inside(INPUT(labels), global const float *squares, const float limit, OUTPUT(map))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const bool inside = squares[((ulong)z * labels.height + y) * labels.width + x] <= limit;
    STORE_LABEL(map, x, y, z, inside ? LOAD_LABEL(labels, x, y, z) : 0);
}

/*
 * Finds the nearest label along x, at most `reach` pixels away, and its distance. If two labels are equally near, the
 * smaller one counts.
 */
kernel void ring_x(INPUT(labels), const float step, int reach, global float *squares, global uint *nearest)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    uint found = LOAD_LABEL(labels, x, y, z);
    int k = 0;
    ROLLED while (found == 0 && k < reach) {
        k++;
        const uint left = x >= k ? LOAD_LABEL(labels, x - k, y, z) : 0;
        const uint right = x + k < labels.width ? LOAD_LABEL(labels, x + k, y, z) : 0;
        found = left == 0 || right == 0 ? max(left, right) : min(left, right);
    }
    const ulong at = ((ulong)z * labels.height + y) * labels.width + x;
    squares[at] = found ? (float)k * k * step : INFINITY;
    nearest[at] = found;
}

/*
 * Finds the nearest label among the lines along y (axis 1) or the planes along z (axis 2) that are at most `reach`
 * away.
 */
kernel void ring_next(INPUT(labels), global const float *squares, global const uint *nearest, const float step,
                      int reach, int axis, global float *next_squares, global uint *next_nearest)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const int place = axis == 1 ? y : z, count = axis == 1 ? labels.height : labels.depth;
    const long stride = axis == 1 ? (long)labels.width : (long)labels.width * labels.height;
    const long at = ((long)z * labels.height + y) * labels.width + x;
    float best = INFINITY;
    uint label = 0;
    ROLLED for (int k = max(-reach, -place); k <= min(reach, count - 1 - place); k++) {
        const float square = squares[at + k * stride] + (float)k * k * step;
        const uint other = nearest[at + k * stride];
        if (square < best || (square == best && other < label)) {
            best = square;
            label = other;
        }
    }
    next_squares[at] = best;
    next_nearest[at] = label;
}

/* Writes the background pixels whose nearest label is at most `limit` away. */
kernel void ring_around(INPUT(labels), global const float *squares, global const uint *nearest, const float limit,
                        OUTPUT(map))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const ulong at = ((ulong)z * labels.height + y) * labels.width + x;
    STORE_LABEL(map, x, y, z, LOAD_LABEL(labels, x, y, z) == 0 && squares[at] <= limit ? nearest[at] : 0);
}
