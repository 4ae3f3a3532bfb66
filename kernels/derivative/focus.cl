/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Takes each pixel from the first slice with the largest focus measure. `sharing` rows of work-items, ROWS or 1, divide
 * the slices of a row of pixels among themselves.
 */
kernel void take_from_largest(INPUT(from), INPUT(focus), OUTPUT(to), int sharing)
{
    enum { COLUMNS = 32, ROWS = 8, BATCH = 4 };
    local float part[ROWS][COLUMNS];
    local int place[ROWS][COLUMNS];
    const int lx = get_local_id(0), ly = get_local_id(1), lz = sharing == 1 ? 0 : ly, x = (int)get_global_id(0);
    const int y = sharing == 1 ? (int)get_global_id(1) : (int)get_group_id(1);
    const INDEX line = AT(focus, min(x, focus.width - 1), min(y, focus.height - 1), 0);
    float largest = -INFINITY;
    int slice = focus.depth;
    for (int z = lz; z < focus.depth; z += BATCH * sharing) {
        float value[BATCH];
        for (int k = 0; k < BATCH; k++)
            value[k] =
                load_float(focus_pixels, focus.type, line + min(z + k * sharing, focus.depth - 1) * (INDEX)focus.plane);
        for (int k = 0; k < BATCH; k++)
            if (value[k] > largest && z + k * sharing < focus.depth) {
                largest = value[k];
                slice = z + k * sharing;
            }
    }
    part[ly][lx] = largest;
    place[ly][lx] = slice;
    for (int half_size = sharing / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = lz + half_size;
        if (lz < half_size &&
            (part[other][lx] > part[lz][lx] || (part[other][lx] == part[lz][lx] && place[other][lx] < place[lz][lx]))) {
            part[lz][lx] = part[other][lx];
            place[lz][lx] = place[other][lx];
        }
    }
    if (lz > 0 || x >= to.width || y >= to.height)
        return;
    slice = place[ly][lx] < focus.depth ? place[ly][lx] : 0;
    const INDEX at = AT(from, min(x, from.width - 1), min(y, from.height - 1), min(slice, from.depth - 1));
    for (int z = 0; z < to.depth; z++) {
        const INDEX target = AT(to, x, y, z);
        MOVE(from, at, to, target)
    }
}
