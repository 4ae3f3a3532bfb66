/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does eight steps of watershed_step in a plane in one launch. A work-group computes a tile; it reads eight more pixels
 * around the tile, because each step shrinks the valid area by one pixel. A work-item has CLIMB_EACH pixels.
 */
enum {
    CLIMB_STEPS = 8,
    CLIMB_TILE = 32,
    CLIMB_SEEN = CLIMB_TILE + 2 * CLIMB_STEPS,
    CLIMB_ITEMS = 256,
    CLIMB_EACH = CLIMB_SEEN * CLIMB_SEEN / CLIMB_ITEMS
};

/* Loads the pixels of a work-item into registers and local memory; returns the bits of those without a label. */
inline int read_climbers(global const uint *labels, global const float *heights, int width, int height, int first_x,
                         int first_y, int lane, local uint *names, local float *tops, uint *label, float *top)
{
    int without = 0;
    _Pragma("unroll")
    for (int i = 0; i < CLIMB_EACH; i++) {
        const int at = lane + i * CLIMB_ITEMS, x = first_x + at % CLIMB_SEEN, y = first_y + at / CLIMB_SEEN;
        const bool inside = x >= 0 && y >= 0 && x < width && y < height;
        const ulong pixel = (ulong)y * width + x;
        names[at] = label[i] = inside ? labels[pixel] : 0;
        tops[at] = top[i] = inside ? heights[pixel] : -INFINITY;
        without |= (label[i] == 0) << i;
    }
    return without;
}

/* One step for the pixels of a work-item, from the state in local memory; returns the bits of those that move. */
inline int climb(local const uint *names, local const float *tops, int lane, int step, float threshold, uint *label,
                 float *top)
{
    int moving = 0;
    _Pragma("unroll")
    for (int i = 0; i < CLIMB_EACH; i++) {
        const int at = lane + i * CLIMB_ITEMS, x = at % CLIMB_SEEN, y = at / CLIMB_SEEN;
        if (label[i] || !(top[i] > threshold) || min(min(x, y), CLIMB_SEEN - 1 - max(x, y)) <= step)
            continue;
        int best = at;
        for (int dx = -1; dx <= 1; dx++)
            for (int dy = -CLIMB_SEEN; dy <= CLIMB_SEEN; dy += CLIMB_SEEN)
                if (tops[at + dx + dy] > top[i]) {
                    top[i] = tops[at + dx + dy];
                    best = at + dx + dy;
                }
        label[i] = names[best];
        moving |= (best != at) << i;
    }
    return moving;
}

/* Runs the steps from 8 (launch - 1) on. A tile is skipped if the launch before changed none of its neighbours. */
kernel void watershed_plane(global const uint *labels, global const float *heights, global uint *to_labels,
                            global float *to_heights, int width, int height, float threshold, global uint *changed,
                            int left, global uint *last_change, uint launch)
{
    local float tops[CLIMB_SEEN * CLIMB_SEEN];
    local uint names[CLIMB_SEEN * CLIMB_SEEN];
    local int active, moves[CLIMB_STEPS], gains, changes;
    const int lane = get_local_id(0), tile = (int)(get_global_id(0) / CLIMB_ITEMS),
              columns = (width + CLIMB_TILE - 1) / CLIMB_TILE;
    const int rows = (height + CLIMB_TILE - 1) / CLIMB_TILE, column = tile % columns, row = tile / columns;
    if (lane == 0) {
        active = gains = changes = 0;
        for (int step = 0; step < CLIMB_STEPS; step++)
            moves[step] = 0;
        if (changed[left + 1])
            active = is_changed_around(last_change, column, row, columns, rows, launch);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!active)
        return;
    uint label[CLIMB_EACH];
    float top[CLIMB_EACH];
    int moved = 0;      /* bits of a work-item's pixels */
    const int without = read_climbers(labels, heights, width, height, column * CLIMB_TILE - CLIMB_STEPS,
                                      row * CLIMB_TILE - CLIMB_STEPS, lane, names, tops, label, top);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < CLIMB_STEPS; step++) {
        const int moving = climb(names, tops, lane, step, threshold, label, top);
        barrier(CLK_LOCAL_MEM_FENCE);
        _Pragma("unroll")
        for (int i = 0; i < CLIMB_EACH; i++)
            if (moving >> i & 1) {
                names[lane + i * CLIMB_ITEMS] = label[i];
                tops[lane + i * CLIMB_ITEMS] = top[i];
            }
        if (moving)
            moves[step] = 1;
        moved |= moving;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!moves[step])
            break;
    }
    _Pragma("unroll")
    for (int i = 0; i < CLIMB_EACH; i++) {
        const int at = lane + i * CLIMB_ITEMS, dx = at % CLIMB_SEEN - CLIMB_STEPS, dy = at / CLIMB_SEEN - CLIMB_STEPS;
        const int x = column * CLIMB_TILE + dx, y = row * CLIMB_TILE + dy;
        if (dx < 0 || dy < 0 || dx >= CLIMB_TILE || dy >= CLIMB_TILE || x >= width || y >= height)
            continue;
        to_labels[(ulong)y * width + x] = label[i];
        to_heights[(ulong)y * width + x] = top[i];
        if (moved >> i & 1) {
            changes = 1;
            if (label[i] && without >> i & 1)
                gains = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0 && changes)
        last_change[tile] = launch;
    if (lane == 0 && gains)
        changed[left] = 1;
}
