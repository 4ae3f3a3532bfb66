/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prominence of maxima: the smallest descent on any path to a higher pixel. Pixels are ordered by value; of equal
 * pixels, the earlier one in raster order counts as higher. Each pixel therefore has one highest neighbour across a
 * face, and belongs to the peak that a climb from neighbour to neighbour reaches. The highest pixel on the border
 * between two peaks is their pass.
 */

#define NOBODY 0xffffffffu

/* Integers that sort like the values; NaN comes first. */
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

/* A group begins with the lowest rank that others have found, so that few pixels change its copy. */
kernel void prominence_ranks(INPUT(from), global uint *ranks, volatile global uint *min_rank)
{
    local uint lowest;
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    const bool is_first = get_local_id(0) + get_local_id(1) == 0, is_inside = INSIDE(from, x, y, z);
    const uint before = is_first ? *min_rank : NOBODY, rank = is_inside ? rank_of(LOAD(from, x, y, z)) : NOBODY;
    if (is_first)
        lowest = before;
    if (is_inside)
        ranks[((uint)z * from.height + y) * from.width + x] = rank;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (rank < *(volatile local uint *)&lowest)
        atomic_min((volatile local uint *)&lowest, rank);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_first && lowest < before)
        atomic_min(min_rank, lowest);
}

/* Finds the highest neighbour of each pixel, or the pixel itself if no neighbour is higher. */
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

/*
 * Loads four consecutive pixels of `values` from `first` on. Launches over whole images use four pixels per work-item,
 * because with one pixel the rate at which groups start limits the speed. Pixels past the end get the values of
 * `otherwise`.
 */
inline uint4 load_four(global const uint *values, ulong first, uint count, uint4 otherwise)
{
    if (first + 4 <= count)
        return vload4(0, values + first);
    return (uint4)(first < count ? values[first] : otherwise.x, first + 1 < count ? values[first + 1] : otherwise.y,
                   first + 2 < count ? values[first + 2] : otherwise.z, otherwise.w);
}

inline uint climb(global const uint *up, uint top, uint steps)
{
    for (uint i = 0; i < steps && top != NOBODY && up[top] != top; i++)
        top = up[top];
    return top;
}

/*
 * Climbs at most `steps` steps further from four pixels. Other work-items may shorten the same paths at the same time;
 * every path still leads to the same top. Sets `unfinished[turn + 1]` if a pixel has not reached its top; a launch
 * after one that left no such pixel has nothing to do.
 */
kernel void prominence_follow(global uint *up, uint count, uint steps, global uint *unfinished, int turn)
{
    const ulong first = (ulong)get_global_id(0) * 4;
    if (first >= count || (turn > 0 && !unfinished[turn]))
        return;
    const uint4 before = load_four(up, first, count, (uint4)NOBODY);
    const uint4 top = (uint4)(climb(up, before.x, steps), climb(up, before.y, steps), climb(up, before.z, steps),
                              climb(up, before.w, steps));
    if (all(top == before))
        return;
    const uint tops[4] = {top.x, top.y, top.z, top.w};
    bool is_done = true;
    for (uint i = 0; i < 4 && first + i < count; i++) {
        up[first + i] = tops[i];
        is_done &= up[tops[i]] == tops[i];
    }
    if (!is_done)
        set_flag(&unfinished[turn + 1]);
}

/* Whether a peak rises more than the tolerance above a height. */
inline bool rises(uint top, uint foot, float tolerance)
{
    return top > foot && !(value_of(top) - value_of(foot) < tolerance);
}
