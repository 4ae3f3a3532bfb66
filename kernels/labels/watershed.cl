/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixels climb to labelled tops; images are dense here. */

/* Batches of steps: changed[left] says whether one changed something; the first counts as if the step before had. */
kernel void watershed_batch(global uint *changed, int steps)
{
    const int i = get_global_id(0);
    if (i <= steps)
        changed[i] = i == steps;
}

kernel void watershed_begin(INPUT(seeds), INPUT(heights), global uint *labels, global float *to)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(seeds, x, y, z))
        return;
    const ulong at = ((ulong)z * seeds.height + y) * seeds.width + x;
    labels[at] = LOAD_LABEL(seeds, x, y, z);
    to[at] = LOAD_CLAMPED(heights, x, y, z);
}

/*
 * One step: a pixel above the threshold that has no label takes height and label of its highest neighbour, if that is higher.
 * Heights travel with the labels, so a pixel follows the way up that it began. Where no pixel gets a label, none will.
 */
kernel void watershed_step(global const uint *labels, global const float *heights, global uint *to_labels, global float *to_heights, int width,
                           int height, int depth, float threshold, global uint *changed, int left)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth || !changed[left + 1])
        return;
    const ulong at = ((ulong)z * height + y) * width + x;
    uint label = labels[at];
    float top = heights[at];
    if (label == 0 && top > threshold) {
        ulong best = at;
        for (int i = max(x - 1, 0); i <= min(x + 1, width - 1); i++)
            for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++)
                for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++) {
                    const ulong there = ((ulong)k * height + j) * width + i;
                    if (heights[there] > top) {
                        top = heights[there];
                        best = there;
                    }
                }
        label = labels[best];
        if (label)
            changed[left] = 1;
    }
    to_labels[at] = label;
    to_heights[at] = top;
}

kernel void watershed_end(global const uint *labels, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE_LABEL(to, x, y, z, labels[((ulong)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1)]);
}

/* ---- regional maxima */

#define EACH_NEIGHBOUR(l, i, j, k)                                                                                               \
    for (int i = max(x - 1, 0); i <= min(x + 1, l.width - 1); i++)                                                               \
        for (int j = max(y - 1, 0); j <= min(y + 1, l.height - 1); j++)                                                          \
            for (int k = max(z - 1, 0); k <= min(z + 1, l.depth - 1); k++)

/* Which pixels no neighbour exceeds. */
kernel void maxima_begin(INPUT(from), global uchar *marks)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(from, x, y, z))
        return;
    const float here = LOAD(from, x, y, z);
    int is_top = !isnan(here);
    EACH_NEIGHBOUR(from, i, j, k)
        is_top &= !(LOAD(from, i, j, k) > here);
    marks[((ulong)z * from.height + y) * from.width + x] = (uchar)is_top;
}

/* One step: a mark goes where an equal neighbour has none. */
kernel void maxima_step(INPUT(from), global const uchar *marks, global uchar *to, global uint *changed, int left)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(from, x, y, z) || !changed[left + 1])
        return;
    const ulong at = ((ulong)z * from.height + y) * from.width + x;
    uchar mark = marks[at];
    if (mark) {
        const float here = LOAD(from, x, y, z);
        EACH_NEIGHBOUR(from, i, j, k)
            if (!marks[((ulong)k * from.height + j) * from.width + i] && LOAD(from, i, j, k) == here)
                mark = 0;
        if (!mark)
            changed[left] = 1;
    }
    to[at] = mark;
}

kernel void maxima_end(global const uchar *marks, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (INSIDE(to, x, y, z))
        STORE(to, x, y, z, (float)marks[((ulong)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1)]);
}

/*
 * Along an axis (0 is x): the first pixel of each run of equal values decides for all of it. A run stays marked if neither the pixel
 * before it nor the one behind it is higher. `first`: no axis was looked at before.
 */
kernel void maxima_of_lines(INPUT(from), global uchar *marks, int axis, int first)
{
    int at[3] = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2)};
    if (!INSIDE(from, at[0], at[1], at[2]))
        return;
    const int extent = axis == 0 ? from.width : axis == 1 ? from.height : from.depth, begin = at[axis];
    const INDEX stride = (INDEX)(axis == 0 ? from.column : axis == 1 ? from.row : from.plane);
    const ulong step = axis == 0 ? 1 : axis == 1 ? (ulong)from.width : (ulong)from.width * from.height;
    const INDEX pixel = AT(from, at[0], at[1], at[2]);
    const float here = load_float(from_pixels, from.type, pixel), before = begin > 0 ? load_float(from_pixels, from.type, pixel - stride) : -INFINITY;
    if (begin > 0 && before == here)
        return;
    int end = begin + 1;
    float behind = -INFINITY;
    for (; end < extent; end++) {
        behind = load_float(from_pixels, from.type, pixel + (INDEX)(end - begin) * stride);
        if (behind != here)
            break;
    }
    const uchar is_top = !(before > here) && !(end < extent && behind > here) && !isnan(here);
    global uchar *mark = marks + (((ulong)at[2] * from.height + at[1]) * from.width + at[0]);
    for (int i = begin; i < end; i++, mark += step)
        *mark = first ? is_top : (uchar)(*mark & is_top);
}
