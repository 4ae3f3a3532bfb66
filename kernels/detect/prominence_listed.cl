/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes and joins of prominence.cl for processors, with an item for each row: it lists the row's tops and the pixels that lie beside those of
 * another top, which become fewer with each round. What is not listed keeps a longer way up.
 */

kernel void prominence_list(global const uint *up, global uint *tops, global uint *borders, global uint2 *counts, uint width, uint rows)
{
    const uint row = get_global_id(0), first = row * width;
    if (row >= rows)
        return;
    uint count = 0;
    for (uint at = first; at < first + width; at++) {
        borders[at] = at;
        if (up[at] == at)
            tops[first + count++] = at;
    }
    counts[row] = (uint2)(count, width);
}

kernel void prominence_forget_listed(global const uint *up, global uint *tops, global uint2 *counts, uint width, uint rows, global uint *passes,
                                     global uint *peaks, global uint *others)
{
    const uint row = get_global_id(0), first = row * width;
    if (row >= rows)
        return;
    uint count = 0;
    for (uint i = 0; i < counts[row].x; i++) {
        const uint at = tops[first + i];
        if (up[at] != at)
            continue;
        tops[first + count++] = at;
        passes[at] = peaks[at] = 0;
        others[at] = NOBODY;
    }
    counts[row].x = count;
}

inline uint follow(global uint *up, uint at)
{
    uint top = up[at];
    while (up[top] != top)
        top = up[top];
    return up[at] = top;
}

/* The first turn shortens ways and lists. */
kernel void prominence_passes_listed(global const uint *ranks, global uint *up, global uint *borders, global uint2 *counts, int width, int height, int depth,
                                     volatile global uint *passes, volatile global uint *peaks, volatile global uint *others, int turn)
{
    const uint line = get_global_id(0), lines = (uint)height * depth, row = width, plane = (uint)width * height, first = line * row;
    if (line >= lines)
        return;
    const bool is_last_row = line % height == height - 1, is_last_slice = line / height == depth - 1;
    uint count = 0;
    for (uint i = 0; i < counts[line].y; i++) {
        const uint at = borders[first + i], a = turn == 0 ? follow(up, at) : up[at];
        const uint next[3] = {at < first + row - 1 ? at + 1 : at, is_last_row ? at : at + row, is_last_slice ? at : at + plane};
        bool differs = false;
        for (int axis = 0; axis < 3; axis++) {
            const uint b = turn == 0 ? follow(up, next[axis]) : up[next[axis]];
            note_border(at, next[axis], a, b, ranks, passes, peaks, others, turn);
            differs = differs || a != b;
        }
        if (differs)
            borders[first + count++] = at;
    }
    counts[line].y = count;
}

kernel void prominence_join_listed(global const uint *ranks, global uint *up, global const uint *tops, global const uint2 *counts, uint width, uint rows,
                                   global const uint *passes, global const uint *others, float tolerance, global uint *joined)
{
    const uint row = get_global_id(0);
    if (row >= rows)
        return;
    for (uint i = 0; i < counts[row].x; i++)
        join_top(tops[row * width + i], ranks, up, passes, others, tolerance, joined);
}
