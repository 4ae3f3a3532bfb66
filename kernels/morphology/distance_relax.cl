/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lowers distances that are too large, and writes them. A pixel is removed one erosion after its first neighbour across
 * a face, or at the next even erosion after its first neighbour across a corner.
 */
#include "distance_lines.cl"

/*
 * Eight pixels of a row; `beside` receives the lower of the left and the right neighbour of each. Pixels beyond the
 * image count as far from the background.
 */
inline ushort8 load_eight(global const ushort *distances, ulong row, int x, int width, ushort8 *beside)
{
    const ushort8 here = *(global const ushort8 *)(distances + row + x);
    const ushort before = x > 0 ? distances[row + x - 1] : FAR, after = x + 8 < width ? distances[row + x + 8] : FAR;
    *beside = min((ushort8)(before, here.s0123, here.s45, here.s6), (ushort8)(here.s123, here.s4567, after));
    return here;
}

/* Starts a batch of passes as if the pass before it had changed something. */
kernel void distance_relax_begin(global uint *changed, int passes)
{
    const int i = get_global_id(0);
    if (i <= passes)
        changed[i] = i == passes;
}

/* Whether this tile or one that touches it changed in the pass before, or has already changed in this one. */
inline bool is_tile_active(global const uint *last_change, uint pass, local int *active)
{
    const int lane = get_local_id(1) * get_local_size(0) + get_local_id(0);
    if (lane == 0)
        *active = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = (int)get_group_id(0) + lane % 3 - 1, y = (int)get_group_id(1) + lane / 3 % 3 - 1,
              z = (int)get_group_id(2) + lane / 9 - 1;
    const int columns = get_num_groups(0), rows = get_num_groups(1), planes = get_num_groups(2);
    if (lane < 27 && x >= 0 && y >= 0 && z >= 0 && x < columns && y < rows && z < planes &&
        last_change[((uint)z * rows + y) * columns + x] + 1 >= pass)
        *active = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *active;
}

/*
 * Runs one pass, counted from 1, in place: a work-item may already read new values of its neighbours. changed[left]
 * says whether the pass changed something. `width` is the width of the rows in memory, a multiple of 32; pixels beyond
 * the image count as the inside of an object.
 */
kernel void distance_relax(global ushort *distances, int width, int height, int depth, int slices, global uint *changed,
                           int left, global uint *last_change, uint pass)
{
    local int active;
    const int x = 8 * (int)get_global_id(0), y = get_global_id(1), front = (int)get_global_id(2) * slices;
    const bool is_new = is_tile_active(last_change, pass, &active);
    const int last =
        is_new && changed[left + 1] != 0 && x < width && y < height ? min(front + slices, depth) : front - 2;
    ushort8 centre[3], by_side[3], by_corner[3];
    bool any_change = false;
    for (int z = front - 1; z <= last; z++) {
        ushort8 here = FAR, side = FAR, corner = FAR, beside;
        if (z >= 0 && z < depth) {
            const ulong row = ((ulong)z * height + y) * width;
            here = load_eight(distances, row, x, width, &beside);
            side = beside;
            corner = min(here, beside);
            for (int dy = -1; dy <= 1; dy += 2)
                if (y + dy >= 0 && y + dy < height) {
                    const ushort8 next = load_eight(distances, row + (long)dy * width, x, width, &beside);
                    side = min(side, next);
                    corner = min(corner, min(next, beside));
                }
        }
        centre[0] = centre[1]; by_corner[0] = by_corner[1];
        centre[1] = centre[2]; by_corner[1] = by_corner[2]; by_side[1] = by_side[2];
        centre[2] = here; by_corner[2] = corner; by_side[2] = side;
        if (z <= front)
            continue;
        const ushort8 from_side = min(by_side[1], min(centre[0], centre[2])),
                      from_corner = min(by_corner[1], min(by_corner[0], by_corner[2]));
        const ushort8 made = min(
            centre[1], min(add_sat(from_side, (ushort8)(1)), add_sat(from_corner, (ushort8)(2)) & (ushort8)(0xfffe)));
        if (any(made != centre[1])) {
            *(global ushort8 *)(distances + ((ulong)(z - 1) * height + y) * width + x) = made;
            any_change = true;
        }
    }
    if (any_change) {
        set_flag(changed + left);
        last_change[(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)] =
            pass;
    }
}

kernel void distance_write(global const ushort *distances, int width, OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ushort distance = distances[((ulong)z * to.height + y) * width + x];
    STORE(to, x, y, z, distance == FAR ? INFINITY : (float)distance);
}

kernel void distance_write_vec4(global const ushort *distances, int width, OUTPUT(to))
{
    const int x = 4 * (int)get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const ushort4 distance = *(global const ushort4 *)(distances + ((ulong)z * to.height + y) * width + x);
    STORE_FOUR(to, x, y, z,
               select(convert_float4(distance), (float4)(INFINITY), convert_int4(distance) == (int4)(FAR)));
}
