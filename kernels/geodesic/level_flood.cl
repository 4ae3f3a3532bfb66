/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floods until nothing rises: a level becomes the highest level around it, up to its limit. Levels only rise, so tiles
 * may read the levels of their neighbours while these rise. The result does not depend on the order.
 */
#include "flood_tiles.cl"

enum { FLOOD_SEEN = 1800 }; /* 18 x 10 x 10 pixels: a tile and its margin */

#define FLOOD_PARAMETERS                                                                                               \
    global uint *levels, global const uint *limits, int width, int height, int depth, int box, global uint *changed,   \
        int left, global uint *last_change, uint launch

/* The highest level around a pixel of local memory; `deep` 0: in its slice only. */
inline uint highest_around(local const uint *seen, int at, int row, int plane, int deep, int box)
{
    uint best = max(max(seen[at], max(seen[at - 1], seen[at + 1])), max(seen[at - row], seen[at + row]));
    if (deep)
        best = max(best, max(seen[at - plane], seen[at + plane]));
    if (box)
        for (int dz = -deep; dz <= deep; dz++)
            for (int dy = -1; dy <= 1; dy++) {
                const int inside = at + dz * plane + dy * row;
                best = max(best, max(seen[inside], max(seen[inside - 1], seen[inside + 1])));
            }
    return best;
}

/* GPUs: a work-group floods a tile in local memory until it is stable. */
kernel void geodesic_flood(FLOOD_PARAMETERS)
{
    local uint seen[FLOOD_SEEN];
    local int due, rises, moves[2];
    const int lane = get_local_id(0), deep = depth > 1;
    const uint number = get_global_id(0) / FLOOD_ITEMS;
    const flood_tile t = tile_of_group(width, height, depth, number);
    if (lane == 0) {
        due = changed[left + 1] && is_tile_due(last_change, t, launch);
        rises = moves[0] = moves[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!due)
        return;
    const int row = t.wide + 2, plane = row * (t.high + 2), total = plane * (t.thick + 2 * deep);
    for (int i = lane; i < total; i += FLOOD_ITEMS) {
        const int3 from = (int3)(t.x + i % row - 1, t.y + i % plane / row - 1, t.z + i / plane - deep);
        seen[i] = is_inside(from, width, height, depth) ? levels[dense_pixel(from, width, height)] : 0;
    }
    int at[FLOOD_EACH];
    uint limit[FLOOD_EACH], first[FLOOD_EACH];
    ulong pixel[FLOOD_EACH];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED(i, FLOOD_EACH) {
        const int3 own = pixel_of_tile(t, lane + i * FLOOD_ITEMS);
        pixel[i] = dense_pixel(own, width, height);
        at[i] = (own.z - t.z + deep) * plane + (own.y - t.y + 1) * row + own.x - t.x + 1;
        first[i] = seen[at[i]];
        limit[i] = is_inside(own, width, height, depth) ? limits[pixel[i]] : 0;
    }
    for (int turn = 0;; turn = 1 - turn) {
        bool moved = false;
        UNROLLED(i, FLOOD_EACH) {
            const uint own = seen[at[i]];
            if (own >= limit[i])
                continue;
            const uint level = min(highest_around(seen, at[i], row, plane, deep, box), limit[i]);
            if (level > own) {
                seen[at[i]] = level;
                moved = true;
            }
        }
        if (moved)
            moves[turn] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int goes_on = moves[turn];
        if (lane == 0)
            moves[1 - turn] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!goes_on)
            break;
    }
    UNROLLED(i, FLOOD_EACH)
        if (seen[at[i]] > first[i]) {
            levels[pixel[i]] = seen[at[i]];
            rises = 1;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && rises)
        note_change(last_change, number, launch, changed + left);
}

/* Raises the pixel if a pixel around it is higher. */
inline bool raise_pixel(global uint *levels, global const uint *limits, int width, int height, int depth, int box,
                        int x, int y, int z)
{
    const ulong at = ((ulong)z * height + y) * width + x;
    const uint own = levels[at], limit = limits[at];
    uint best = own;
    if (own >= limit)
        return false;
    for (int k = max(z - 1, 0); k <= min(z + 1, depth - 1); k++)
        for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); j++)
            for (int i = max(x - 1, 0); i <= min(x + 1, width - 1); i++)
                if (box || abs(i - x) + abs(j - y) + abs(k - z) < 2)
                    best = max(best, levels[((ulong)k * height + j) * width + i]);
    best = min(best, limit);
    if (best > own)
        levels[at] = best;
    return best > own;
}

/* CPUs: a work-item floods a tile, alternately forwards and backwards, until it is stable. */
kernel void geodesic_flood_in_order(FLOOD_PARAMETERS, uint tiles)
{
    const uint number = get_global_id(0);
    const flood_tile t = tile_of_item(width, height, depth, number);
    if (number >= tiles || !changed[left + 1] || !is_tile_due(last_change, t, launch))
        return;
    const int pixels = t.wide * t.high * t.thick;
    bool rose = false, moved = true;
    for (int turn = 0, still = 0; still < 2; turn = 1 - turn) {
        moved = false;
        for (int n = 0; n < pixels; n++) {
            const int3 at = pixel_of_tile(t, turn ? pixels - 1 - n : n);
            moved |= raise_pixel(levels, limits, width, height, depth, box, at.x, at.y, at.z);
        }
        still = moved ? 0 : still + 1;
        rose |= moved;
    }
    if (rose)
        note_change(last_change, number, launch, changed + left);
}
