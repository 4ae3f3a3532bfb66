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

/* Largest label around a zero, which itself counts 1; OUTSIDE plus 1 is nothing. */
inline uint largest_around(global const uint *labels, const layout image, int x, int y, int z, int box)
{
    const int left = max(x - 1, 0), right = min(x + 1, image.width - 1), top = max(y - 1, 0), bottom = min(y + 1, image.height - 1);
    const int front = max(z - 1, 0), back = min(z + 1, image.depth - 1);
    uint largest = 1;
    if (box) {
        for (int k = front; k <= back; k++)
            for (int j = top; j <= bottom; j++) {
                largest = max(largest, max(labels[AT(image, left, j, k)] + 1, labels[AT(image, right, j, k)] + 1));
                largest = max(largest, labels[AT(image, x, j, k)] + 1);
            }
    } else {
        largest = max(largest, max(labels[AT(image, left, y, z)] + 1, labels[AT(image, right, y, z)] + 1));
        largest = max(largest, max(labels[AT(image, x, top, z)] + 1, labels[AT(image, x, bottom, z)] + 1));
        largest = max(largest, max(labels[AT(image, x, y, front)] + 1, labels[AT(image, x, y, back)] + 1));
    }
    return largest - 1;
}

/* Whether this tile or one that touches it changed in the two steps before; if none did, both images hold the same there. */
inline bool is_active(global const uint *last_change, uint step, local int *active)
{
    const int lane = get_local_id(1) * get_local_size(0) + get_local_id(0);
    *active = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = (int)get_group_id(0) + lane % 3 - 1, y = (int)get_group_id(1) + lane / 3 % 3 - 1, z = (int)get_group_id(2) + lane / 9 - 1;
    const int columns = get_num_groups(0), rows = get_num_groups(1), planes = get_num_groups(2);
    if (lane < 27 && x >= 0 && y >= 0 && z >= 0 && x < columns && y < rows && z < planes &&
        last_change[((uint)z * rows + y) * columns + x] + 2 >= step)
        *active = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *active;
}

/* One step, from 1, of growth until nothing changes. changed[left]: when the two steps before changed nothing, nothing will. */
kernel void grow_until_full(INPUT(from), OUTPUT(to), global uint *changed, int left, global uint *last_change, uint step, int box)
{
    local int active, changes;
    if (changed[left + 1] == 0 && changed[left + 2] == 0)
        return;
    if (!is_active(last_change, step, &active))
        return;
    const bool first = get_local_id(0) == 0 && get_local_id(1) == 0;
    if (first)
        changes = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    global const uint *labels = (global const uint *)from_pixels;
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), top = (int)get_global_id(2) * TILE_PLANES;
    for (int z = top; z < min(top + TILE_PLANES, to.depth) && x < to.width && y < to.height; z++) {
        uint label = labels[AT(from, x, y, z)];
        if (label == 0) {
            label = largest_around(labels, from, x, y, z, box);
            if (label != 0)
                changes = 1;
        }
        ((global uint *)to_pixels)[AT(to, x, y, z)] = label;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first && changes) {
        changed[left] = 1;
        last_change[(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)] = step;
    }
}
