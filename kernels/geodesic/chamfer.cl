/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chamfer distances: the length of the shortest path in steps of given weights. A key has the distance as the bits of a
 * float32 above and a label below, so the smaller key is nearer, or has the smaller label. Keys only fall, so tiles may
 * read the keys of their neighbours while these fall. The result does not depend on the order.
 */
#include "level_flood.cl"

enum { CHAMFER_SEEN = 2880, CHAMFER_REACH = 2 }; /* 20 x 12 x 12 pixels: a tile and its rim */

/* A step along x, y, z and its weight. */
typedef struct {
    int x, y, z;
    float weight;
} chamfer_step;

#define FARTHEST ((ulong)0x7F800000u << 32 | 0xFFFFFFFFu)
#define DENSE_PIXEL(x, y, z) (((ulong)(z) * height + (y)) * width + (x))

inline float chamfer_distance(ulong key)
{
    return as_float((uint)(key >> 32));
}

inline ulong chamfer_key(float distance, uint label)
{
    return (ulong)as_uint(distance) << 32 | label;
}

/*
 * The key that a neighbour's key gives a pixel. `grows`: labels grow up to a distance below `limit`; otherwise the path
 * stays inside the pixel's label.
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
    const int wide = deep ? 16 : 32, high = deep ? 8 : 32, thick = deep ? 8 : 1;
    const uint number = get_global_id(0) / FLOOD_ITEMS;
    const flood_tile t = flood_tile_at(width, height, depth, wide, high, thick, number);
    if (lane == 0) {
        due = changed[left + 1] && is_tile_due(last_change, t, launch);
        falls = moves[0] = moves[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!due)
        return;
    const int row = wide + 2 * CHAMFER_REACH, plane = row * (high + 2 * CHAMFER_REACH);
    for (int i = lane; i < plane * (thick + 2 * deep); i += FLOOD_ITEMS) {
        const int x = t.column * wide + i % row - CHAMFER_REACH, y = t.row * high + i % plane / row - CHAMFER_REACH,
                  z = t.layer * thick + i / plane - deep;
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
        seen[i] = inside ? keys[DENSE_PIXEL(x, y, z)] : FARTHEST;
    }
    int at[FLOOD_EACH];
    ulong first[FLOOD_EACH], best[FLOOD_EACH];
    bool inside[FLOOD_EACH];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED(i, FLOOD_EACH) {
        const int n = lane + i * FLOOD_ITEMS, dx = n % wide, dy = n / wide % high, dz = n / wide / high;
        at[i] = (dz + deep) * plane + (dy + CHAMFER_REACH) * row + dx + CHAMFER_REACH;
        inside[i] = t.column * wide + dx < width && t.row * high + dy < height && t.layer * thick + dz < depth;
        first[i] = best[i] = seen[at[i]];
    }
    for (int turn = 0;; turn = 1 - turn) {
        bool moved = false;
        ROLLED for (int k = 0; k < count; k++) {
            const int apart = step[k].z * plane + step[k].y * row + step[k].x;
            UNROLLED(i, FLOOD_EACH)
                best[i] = chamfer_offer(best[i], seen[at[i] + apart], step[k].weight, grows, limit);
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
    UNROLLED(i, FLOOD_EACH) {
        const int n = lane + i * FLOOD_ITEMS, dx = n % wide, dy = n / wide % high, dz = n / wide / high;
        if (inside[i] && seen[at[i]] < first[i]) {
            keys[DENSE_PIXEL(t.column * wide + dx, t.row * high + dy, t.layer * thick + dz)] = seen[at[i]];
            falls = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && falls) {
        last_change[number] = launch;
        set_flag(changed + left);
    }
}

/* CPUs: a work-item lowers the keys of a tile, forwards and backwards in turn, until they are stable. */
kernel void chamfer_relax_in_order(CHAMFER_PARAMETERS, uint tiles)
{
    constant chamfer_step *step = TABLE_OF(chamfer_step, steps);
    const uint number = get_global_id(0);
    const int wide = 64, high = depth > 1 ? 16 : 64, thick = depth > 1 ? 16 : 1;
    const flood_tile t = flood_tile_at(width, height, depth, wide, high, thick, number);
    if (number >= tiles || !changed[left + 1] || !is_tile_due(last_change, t, launch))
        return;
    const int first_x = t.column * wide, first_y = t.row * high, first_z = t.layer * thick;
    const int w = min(wide, width - first_x), h = min(high, height - first_y), d = min(thick, depth - first_z);
    bool fell = false;
    for (int turn = 0, still = 0; still < 2; turn = 1 - turn) {
        bool moved = false;
        for (int n = 0; n < w * h * d; n++) {
            const int i = turn ? w * h * d - 1 - n : n;
            const int x = first_x + i % w, y = first_y + i / w % h, z = first_z + i / w / h;
            const ulong at = DENSE_PIXEL(x, y, z), own = keys[at];
            ulong best = own;
            for (int k = 0; k < count; k++) {
                const int a = x + step[k].x, b = y + step[k].y, c = z + step[k].z;
                if (a >= 0 && b >= 0 && c >= 0 && a < width && b < height && c < depth)
                    best = chamfer_offer(best, keys[DENSE_PIXEL(a, b, c)], step[k].weight, grows, limit);
            }
            if (best < own) {
                keys[at] = best;
                moved = true;
            }
        }
        still = moved ? 0 : still + 1;
        fell |= moved;
    }
    if (fell) {
        last_change[number] = launch;
        set_flag(changed + left);
    }
}
