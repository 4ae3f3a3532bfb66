/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels that grow into zeros: a zero becomes the largest label around it, by side and corner (box) or by side. */

enum { OUTSIDE = 0xffffffff, TILE_PLANES = 4 };

kernel void grow_step(INPUT(from), OUTPUT(to), int box)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    uint label = LOAD_LABEL_CLAMPED(from, x, y, z);
    if (label == 0 && box) {
        for (int dz = from.depth > 1 ? -1 : 0; dz <= (from.depth > 1); dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    label = max(label, LOAD_LABEL_CLAMPED(from, x + dx, y + dy, z + dz));
    } else if (label == 0) {
        label = max(max(LOAD_LABEL_CLAMPED(from, x - 1, y, z), LOAD_LABEL_CLAMPED(from, x + 1, y, z)),
                    max(LOAD_LABEL_CLAMPED(from, x, y - 1, z), LOAD_LABEL_CLAMPED(from, x, y + 1, z)));
        if (from.depth > 1)
            label = max(label, max(LOAD_LABEL_CLAMPED(from, x, y, z - 1), LOAD_LABEL_CLAMPED(from, x, y, z + 1)));
    }
    STORE_LABEL(to, x, y, z, label);
}

/* Labels as dense uint32; what the mask excludes is OUTSIDE, which neither grows nor is grown into. */
kernel void grow_begin(INPUT(labels), INPUT(mask), int masked, OUTPUT(to))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const bool closed = masked && LOAD_CLAMPED(mask, x, y, z) == 0.0f;
    ((global uint *)to_pixels)[AT(to, x, y, z)] = closed ? OUTSIDE : LOAD_LABEL_CLAMPED(labels, x, y, z);
}

kernel void grow_end(INPUT(grown), OUTPUT(labels))
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(labels, x, y, z))
        return;
    const uint label = LOAD_LABEL_CLAMPED(grown, x, y, z);
    STORE_LABEL(labels, x, y, z, label == OUTSIDE ? 0 : label);
}

/* A batch starts as if its two steps before had changed something. */
kernel void grow_batch(global uint *changed, int steps)
{
    const int i = get_global_id(0);
    if (i < steps + 2)
        changed[i] = i >= steps;
}

inline uint grown(global const uint *from, const layout image, int x, int y, int z)
{
    const uint label = x < 0 || y < 0 || z < 0 || !INSIDE(image, x, y, z) ? 0 : from[AT(image, x, y, z)];
    return label == OUTSIDE ? 0 : label;
}

/*
 * One step of growth until nothing changes. changed[step]: steps count down; when the two before changed nothing, nothing
 * will. finished[tile]: 1 when a tile has no zero left, 2 when both images hold it so.
 */
kernel void grow_until_full(INPUT(from), OUTPUT(to), global uint *changed, int step, global uchar *finished, int box)
{
    local int zeros, changes;
    const uint tile = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    if (finished[tile] == 2 || (changed[step + 1] == 0 && changed[step + 2] == 0))
        return;
    const bool first = get_local_id(0) == 0 && get_local_id(1) == 0;
    if (first)
        zeros = changes = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    global const uint *labels = (global const uint *)from_pixels;
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), top = (int)get_global_id(2) * TILE_PLANES;
    for (int z = top; z < min(top + TILE_PLANES, to.depth) && x < to.width && y < to.height; z++) {
        uint label = labels[AT(from, x, y, z)];
        if (label == 0) {
            for (int dz = -1; dz <= 1; dz++)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (box || abs(dx) + abs(dy) + abs(dz) == 1)
                            label = max(label, grown(labels, from, x + dx, y + dy, z + dz));
            if (label != 0)
                changes = 1;
            else
                zeros = 1;
        }
        ((global uint *)to_pixels)[AT(to, x, y, z)] = label;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first && changes)
        changed[step] = 1;
    if (first && !zeros)
        finished[tile]++;
}
