/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floods until nothing rises: a level becomes the highest level around it, up to its limit. Levels only rise, so tiles
 * may read the levels of their neighbours while these rise. The result does not depend on the order.
 */
enum { FLOOD_ITEMS = 256, FLOOD_EACH = 4, FLOOD_SEEN = 1800 };     /* a tile has 1024 pixels; 18 x 10 x 10 with rim */

/* Starts a batch of launches. changed[left] says whether a launch changed something. */
kernel void geodesic_batch(global uint *changed, int launches)
{
    const int i = get_global_id(0);
    if (i <= launches)
        changed[i] = i == launches;
}

/* Tiles and pixels of an image; a plane has tiles of one slice. */
typedef struct {
    int columns, rows, layers, column, row, layer;
} flood_tile;

inline flood_tile flood_tile_at(int width, int height, int depth, int wide, int high, int deep, uint number)
{
    flood_tile t;
    t.columns = (width + wide - 1) / wide;
    t.rows = (height + high - 1) / high;
    t.layers = (depth + deep - 1) / deep;
    t.column = number % t.columns;
    t.row = number / t.columns % t.rows;
    t.layer = number / t.columns / t.rows;
    return t;
}

/* Whether the launch before `launch` changed a tile around this one. */
inline bool is_tile_due(global const uint *last_change, const flood_tile t, uint launch)
{
    bool is_due = false;
    for (int k = max(t.layer - 1, 0); k <= min(t.layer + 1, t.layers - 1); k++)
        for (int j = max(t.row - 1, 0); j <= min(t.row + 1, t.rows - 1); j++)
            for (int i = max(t.column - 1, 0); i <= min(t.column + 1, t.columns - 1); i++)
                is_due |= last_change[((uint)k * t.rows + j) * t.columns + i] + 1 >= launch;
    return is_due;
}

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
    const int wide = deep ? 16 : 32, high = deep ? 8 : 32, thick = deep ? 8 : 1;
    const uint number = get_global_id(0) / FLOOD_ITEMS;
    const flood_tile t = flood_tile_at(width, height, depth, wide, high, thick, number);
    if (lane == 0) {
        due = changed[left + 1] && is_tile_due(last_change, t, launch);
        rises = moves[0] = moves[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!due)
        return;
    const int row = wide + 2, plane = row * (high + 2), total = plane * (thick + 2 * deep);
    for (int i = lane; i < total; i += FLOOD_ITEMS) {
        const int x = t.column * wide + i % row - 1, y = t.row * high + i % plane / row - 1,
                  z = t.layer * thick + i / plane - deep;
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
        seen[i] = inside ? levels[((ulong)z * height + y) * width + x] : 0;
    }
    int at[FLOOD_EACH];
    uint limit[FLOOD_EACH], first[FLOOD_EACH];
    ulong pixel[FLOOD_EACH];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLLED(i, FLOOD_EACH) {
        const int n = lane + i * FLOOD_ITEMS, dx = n % wide, dy = n / wide % high, dz = n / wide / high;
        const int x = t.column * wide + dx, y = t.row * high + dy, z = t.layer * thick + dz;
        const bool inside = x < width && y < height && z < depth;
        pixel[i] = ((ulong)z * height + y) * width + x;
        at[i] = (dz + deep) * plane + (dy + 1) * row + dx + 1;
        first[i] = seen[at[i]];
        limit[i] = inside ? limits[pixel[i]] : 0;
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
    if (lane == 0 && rises) {
        last_change[number] = launch;
        set_flag(changed + left);
    }
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

/* CPUs: a work-item floods a tile, forwards and backwards in turn, until it is stable. */
kernel void geodesic_flood_in_order(FLOOD_PARAMETERS, uint tiles)
{
    const uint number = get_global_id(0);
    const int wide = 64, high = depth > 1 ? 16 : 64, thick = depth > 1 ? 16 : 1;
    const flood_tile t = flood_tile_at(width, height, depth, wide, high, thick, number);
    if (number >= tiles || !changed[left + 1] || !is_tile_due(last_change, t, launch))
        return;
    const int first_x = t.column * wide, first_y = t.row * high, first_z = t.layer * thick;
    const int w = min(wide, width - first_x), h = min(high, height - first_y), d = min(thick, depth - first_z);
    const int pixels = w * h * d;
    bool rose = false, moved = true;
    for (int turn = 0, still = 0; still < 2; turn = 1 - turn) {
        moved = false;
        for (int n = 0; n < pixels; n++) {
            const int i = turn ? pixels - 1 - n : n;
            moved |= raise_pixel(levels, limits, width, height, depth, box, first_x + i % w, first_y + i / w % h,
                                 first_z + i / w / h);
        }
        still = moved ? 0 : still + 1;
        rose |= moved;
    }
    if (rose) {
        last_change[number] = launch;
        set_flag(changed + left);
    }
}
