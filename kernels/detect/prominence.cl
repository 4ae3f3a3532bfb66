/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prominence of maxima: how far down every way to something higher leads. Pixels are in order of their values, equal ones the first in raster
 * order before the others, so each has one highest neighbour by side and belongs to the top that it climbs to. Tops leave by their highest
 * pass; one that rises too little above it joins the top on the other side, until none does. Numbers are dense here.
 */

#define NOBODY 0xffffffffu

/* Numbers in the order of values; NaN comes first. */
inline uint rank_of(float value)
{
    const uint bits = as_uint(value + 0.0f);
    return isnan(value) ? 0 : bits >> 31 ? ~bits : bits | 0x80000000u;
}

inline float value_of(uint rank)
{
    return rank == 0 ? -INFINITY : as_float(rank >> 31 ? rank & 0x7fffffffu : ~rank);
}

inline bool is_higher(global const uint *ranks, uint a, uint b)
{
    return ranks[a] > ranks[b] || (ranks[a] == ranks[b] && a < b);
}

kernel void prominence_ranks(INPUT(from), global uint *ranks, volatile global uint *least)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(from, x, y, z))
        return;
    const uint rank = rank_of(LOAD(from, x, y, z));
    ranks[((uint)z * from.height + y) * from.width + x] = rank;
    if (rank < *least)
        atomic_min(least, rank);
}

/* Each pixel's highest neighbour, or itself. */
kernel void prominence_climb(global const uint *ranks, global uint *up, int width, int height, int depth)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth)
        return;
    const uint row = width, plane = (uint)width * height, at = z * plane + y * row + x;
    const uint beside[6] = {x > 0 ? at - 1 : at,         x < width - 1 ? at + 1 : at,    y > 0 ? at - row : at,
                            y < height - 1 ? at + row : at, z > 0 ? at - plane : at, z < depth - 1 ? at + plane : at};
    uint best = at;
    for (int i = 0; i < 6; i++)
        best = is_higher(ranks, beside[i], best) ? beside[i] : best;
    up[at] = best;
}

/* So many steps further up at most; others go on at the same time, which only shortens the way. */
kernel void prominence_follow(global uint *up, uint count, uint steps)
{
    const uint at = get_global_id(0);
    if (at >= count)
        return;
    uint top = up[at];
    for (uint i = 0; i < steps && up[top] != top; i++)
        top = up[top];
    up[at] = top;
}

kernel void prominence_forget(global uint *passes, global uint *peaks, global uint *others, uint count)
{
    const uint at = get_global_id(0);
    if (at < count) {
        passes[at] = peaks[at] = 0;
        others[at] = NOBODY;
    }
}

/* From top a over a pass to top b: the highest pass first, of several the one to the highest top. */
inline void note_pass(uint a, uint b, uint pass, global const uint *ranks, volatile global uint *passes, volatile global uint *peaks,
                      volatile global uint *others, int turn)
{
    if (turn == 0 && passes[a] < pass)
        atomic_max(&passes[a], pass);
    if (turn == 1 && passes[a] == pass && peaks[a] < ranks[b])
        atomic_max(&peaks[a], ranks[b]);
    if (turn == 2 && passes[a] == pass && peaks[a] == ranks[b] && others[a] > b)
        atomic_min(&others[a], b);
}

/* A pixel of one top beside a pixel of another. */
inline void note_border(uint at, uint next, uint a, uint b, global const uint *ranks, volatile global uint *passes, volatile global uint *peaks,
                        volatile global uint *others, int turn)
{
    const uint pass = min(ranks[at], ranks[next]);
    if (a == b)
        return;
    note_pass(a, b, pass, ranks, passes, peaks, others, turn);
    note_pass(b, a, pass, ranks, passes, peaks, others, turn);
}

/* Three turns: passes, the tops behind them, and which of equal tops. */
kernel void prominence_passes(global const uint *ranks, global const uint *up, int width, int height, int depth, volatile global uint *passes,
                              volatile global uint *peaks, volatile global uint *others, int turn)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (x >= width || y >= height || z >= depth)
        return;
    const uint row = width, plane = (uint)width * height, at = z * plane + y * row + x, a = up[at];
    const uint next[3] = {x < width - 1 ? at + 1 : at, y < height - 1 ? at + row : at, z < depth - 1 ? at + plane : at};
    for (int axis = 0; axis < 3; axis++)
        note_border(at, next[axis], a, up[next[axis]], ranks, passes, peaks, others, turn);
}

/* Whether a top rises enough above a height. */
inline bool rises(uint top, uint foot, float tolerance)
{
    return top > foot && !(value_of(top) - value_of(foot) < tolerance);
}

inline void join_top(uint at, global const uint *ranks, global uint *up, global const uint *passes, global const uint *others, float tolerance,
                     global uint *joined)
{
    if (others[at] == NOBODY || rises(ranks[at], passes[at], tolerance) || !is_higher(ranks, others[at], at))
        return;
    up[at] = others[at];
    set_flag(joined);
}

kernel void prominence_join(global const uint *ranks, global uint *up, global const uint *passes, global const uint *others, uint count,
                            float tolerance, global uint *joined)
{
    const uint at = get_global_id(0);
    if (at < count && up[at] == at)
        join_top(at, ranks, up, passes, others, tolerance, joined);
}

/*
 * The same for processors, with an item for each row: it lists the row's tops and the pixels that lie beside those of another top, which
 * become fewer with each round. What is not listed keeps a longer way up.
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

/* What is left; a top without a pass has all of the image, above whose lowest pixel it must rise. */
kernel void prominence_mark(global const uint *ranks, global const uint *up, global const uint *passes, global const uint *others,
                            global const uint *least, float tolerance, int width, int height, int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint at = ((uint)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1);
    const bool is_inside = x < width && y < height && z < depth, is_top = is_inside && up[at] == at;
    STORE(to, x, y, z, is_top && rises(ranks[at], others[at] == NOBODY ? *least : passes[at], tolerance) ? 1.0f : 0.0f);
}
