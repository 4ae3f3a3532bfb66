/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prominence of maxima: how far down every way to something higher leads. Pixels are in order of their values, equal
 * ones the first in raster order before the others, so each has one highest neighbour by side and belongs to the top
 * that it climbs to. Tops leave by their highest pass; one that rises too little above it joins the top on the other
 * side, until none does. Numbers are dense here.
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
inline void note_pass(uint a, uint b, uint pass, global const uint *ranks, volatile global uint *passes,
                      volatile global uint *peaks, volatile global uint *others, int turn)
{
    if (turn == 0 && passes[a] < pass)
        atomic_max(&passes[a], pass);
    if (turn == 1 && passes[a] == pass && peaks[a] < ranks[b])
        atomic_max(&peaks[a], ranks[b]);
    if (turn == 2 && passes[a] == pass && peaks[a] == ranks[b] && others[a] > b)
        atomic_min(&others[a], b);
}

/* A pixel of one top beside a pixel of another. */
inline void note_border(uint at, uint next, uint a, uint b, global const uint *ranks, volatile global uint *passes,
                        volatile global uint *peaks, volatile global uint *others, int turn)
{
    const uint pass = min(ranks[at], ranks[next]);
    if (a == b)
        return;
    note_pass(a, b, pass, ranks, passes, peaks, others, turn);
    note_pass(b, a, pass, ranks, passes, peaks, others, turn);
}

/* Three turns: passes, the tops behind them, and which of equal tops. */
kernel void prominence_passes(global const uint *ranks, global const uint *up, int width, int height, int depth,
                              volatile global uint *passes, volatile global uint *peaks, volatile global uint *others,
                              int turn)
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

inline void join_top(uint at, global const uint *ranks, global uint *up, global const uint *passes,
                     global const uint *others, float tolerance, global uint *joined)
{
    if (others[at] == NOBODY || rises(ranks[at], passes[at], tolerance) || !is_higher(ranks, others[at], at))
        return;
    up[at] = others[at];
    set_flag(joined);
}

kernel void prominence_join(global const uint *ranks, global uint *up, global const uint *passes,
                            global const uint *others, uint count, float tolerance, global uint *joined)
{
    const uint at = get_global_id(0);
    if (at < count && up[at] == at)
        join_top(at, ranks, up, passes, others, tolerance, joined);
}

/* What is left; a top without a pass has all of the image, above whose lowest pixel it must rise. */
kernel void prominence_mark(global const uint *ranks, global const uint *up, global const uint *passes,
                            global const uint *others, global const uint *least, float tolerance, int width, int height,
                            int depth, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const uint at = ((uint)min(z, depth - 1) * height + min(y, height - 1)) * width + min(x, width - 1);
    const bool is_inside = x < width && y < height && z < depth, is_top = is_inside && up[at] == at;
    STORE(to, x, y, z, is_top && rises(ranks[at], others[at] == NOBODY ? *least : passes[at], tolerance) ? 1.0f : 0.0f);
}
