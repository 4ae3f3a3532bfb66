/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chamfer distances: the length of the shortest path in steps of given weights. The upper half of a key has the bits of
 * the distance as float32, and the lower half has a label. The smaller of two keys therefore has the smaller distance
 * or, at equal distances, the smaller label. Keys only become smaller, so a tile may read keys of a neighbouring tile
 * while that tile changes them. The result does not depend on the order in which tiles are processed.
 */
#include "flood_tiles.cl"

enum { CHAMFER_SEEN = 2880, CHAMFER_REACH = 2 }; /* 20 x 12 x 12 pixels: a tile and its margin */

/* A step along x, y, z and its weight. */
typedef struct {
    int x, y, z;
    float weight;
} chamfer_step;

#define FARTHEST ((ulong)0x7F800000u << 32 | 0xFFFFFFFFu)

inline float chamfer_distance(ulong key)
{
    return as_float((uint)(key >> 32));
}

inline ulong chamfer_key(float distance, uint label)
{
    return (ulong)as_uint(distance) << 32 | label;
}

/*
 * The smaller of a pixel's own key and the key of the path through a neighbour. `grows`: labels spread to pixels whose
 * distance is below `limit`; otherwise a path stays inside its label.
 */
inline ulong chamfer_offer(ulong own, ulong other, float weight, int grows, float limit)
{
    const float distance = chamfer_distance(other) + weight;
    const bool counts = grows ? distance < limit : (uint)own != 0 && (uint)own == (uint)other;
    return counts ? min(own, chamfer_key(distance, (uint)other)) : own;
}

#define CHAMFER_PARAMETERS                                                                                             \
    global ulong *keys, TABLE(steps), int count, int grows, float limit, int width, int height, int depth,             \
        global uint *changed, int left, global uint *last_change, uint launch

/* GPUs: a work-group lowers the keys of a tile in local memory until they are stable. */
kernel void chamfer_relax(CHAMFER_PARAMETERS)
{
    local ulong seen[CHAMFER_SEEN];
    local int due, falls, moves[2];
    constant chamfer_step *step = TABLE_OF(chamfer_step, steps);
    const int lane = get_local_id(0), deep = depth > 1 ? CHAMFER_REACH : 0;
    const uint number = get_global_id(0) / FLOOD_ITEMS;
    const flood_tile t = tile_of_group(width, height, depth, number);
    if (lane == 0) {
        due = changed[left + 1] && is_tile_due(last_change, t, launch);
        falls = moves[0] = moves[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!due)
        return;
    const int row = t.wide + 2 * CHAMFER_REACH, plane = row * (t.high + 2 * CHAMFER_REACH);
    for (int i = lane; i < plane * (t.thick + 2 * deep); i += FLOOD_ITEMS) {
        const int3 from = (int3)(t.x + i % row - CHAMFER_REACH, t.y + i % plane / row - CHAMFER_REACH,
                                 t.z + i / plane - deep);
        seen[i] = is_inside(from, width, height, depth) ? keys[dense_pixel(from, width, height)] : FARTHEST;
    }
    int at[FLOOD_EACH];
    ulong first[FLOOD_EACH], best[FLOOD_EACH];
    bool inside[FLOOD_EACH];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED(i, FLOOD_EACH) {
        const int3 own = pixel_of_tile(t, lane + i * FLOOD_ITEMS);
        at[i] = (own.z - t.z + deep) * plane + (own.y - t.y + CHAMFER_REACH) * row + own.x - t.x + CHAMFER_REACH;
        inside[i] = is_inside(own, width, height, depth);
        first[i] = best[i] = seen[at[i]];
    }
    for (int turn = 0;; turn = 1 - turn) {
        bool moved = false;
        ROLLED for (int k = 0; k < count; k++) {
            const int offset = step[k].z * plane + step[k].y * row + step[k].x;
            UNROLLED(i, FLOOD_EACH)
                best[i] = chamfer_offer(best[i], seen[at[i] + offset], step[k].weight, grows, limit);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLLED(i, FLOOD_EACH)
            if (inside[i] && best[i] < seen[at[i]]) {
                seen[at[i]] = best[i];
                moved = true;
            }
        if (moved)
            moves[turn] = 1;
        if (lane == 0)
            moves[1 - turn] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!moves[turn])
            break;
    }
    UNROLLED(i, FLOOD_EACH)
        if (inside[i] && seen[at[i]] < first[i]) {
            keys[dense_pixel(pixel_of_tile(t, lane + i * FLOOD_ITEMS), width, height)] = seen[at[i]];
            falls = 1;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && falls)
        note_change(last_change, number, launch, changed + left);
}

/* CPUs: a work-item lowers the keys of a tile, alternately forwards and backwards, until they are stable. */
kernel void chamfer_relax_in_order(CHAMFER_PARAMETERS, uint tiles)
{
    constant chamfer_step *step = TABLE_OF(chamfer_step, steps);
    const uint number = get_global_id(0);
    const flood_tile t = tile_of_item(width, height, depth, number);
    if (number >= tiles || !changed[left + 1] || !is_tile_due(last_change, t, launch))
        return;
    const int pixels = t.wide * t.high * t.thick;
    bool fell = false;
    for (int turn = 0, still = 0; still < 2; turn = 1 - turn) {
        bool moved = false;
        for (int n = 0; n < pixels; n++) {
            const int3 here = pixel_of_tile(t, turn ? pixels - 1 - n : n);
            const ulong at = dense_pixel(here, width, height), own = keys[at];
            ulong best = own;
            for (int k = 0; k < count; k++) {
                const int3 next = here + (int3)(step[k].x, step[k].y, step[k].z);
                if (is_inside(next, width, height, depth))
                    best = chamfer_offer(best, keys[dense_pixel(next, width, height)], step[k].weight, grows, limit);
            }
            if (best < own) {
                keys[at] = best;
                moved = true;
            }
        }
        still = moved ? 0 : still + 1;
        fell |= moved;
    }
    if (fell)
        note_change(last_change, number, launch, changed + left);
}
