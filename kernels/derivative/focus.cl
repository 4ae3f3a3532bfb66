/* SPDX-License-Identifier: BSD-3-Clause */

/* Takes each pixel from the first slice where the focus measure is largest. Rows of items share the slices of a row of pixels. */
kernel void take_from_largest(INPUT(from), INPUT(focus), OUTPUT(to))
{
    enum { COLUMNS = 32, ROWS = 8, BATCH = 4 };
    local float part[ROWS][COLUMNS];
    local int place[ROWS][COLUMNS];
    const int lx = get_local_id(0), lz = get_local_id(1), x = (int)get_global_id(0), y = (int)get_group_id(1);
    const INDEX line = AT(focus, min(x, focus.width - 1), min(y, focus.height - 1), 0);
    float largest = -INFINITY;
    int slice = focus.depth;
    for (int z = lz; z < focus.depth; z += BATCH * ROWS) {
        float value[BATCH];
        for (int k = 0; k < BATCH; k++)
            value[k] = load_float(focus_pixels, focus.type, line + min(z + k * ROWS, focus.depth - 1) * (INDEX)focus.plane);
        for (int k = 0; k < BATCH; k++)
            if (value[k] > largest && z + k * ROWS < focus.depth) {
                largest = value[k];
                slice = z + k * ROWS;
            }
    }
    part[lz][lx] = largest;
    place[lz][lx] = slice;
    for (int half_size = ROWS / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int other = lz + half_size;
        if (lz < half_size && (part[other][lx] > part[lz][lx] || (part[other][lx] == part[lz][lx] && place[other][lx] < place[lz][lx]))) {
            part[lz][lx] = part[other][lx];
            place[lz][lx] = place[other][lx];
        }
    }
    if (lz > 0 || x >= to.width)
        return;
    slice = place[0][lx] < focus.depth ? place[0][lx] : 0;
    const INDEX at = AT(from, min(x, from.width - 1), min(y, from.height - 1), min(slice, from.depth - 1));
    for (int z = 0; z < to.depth; z++) {
        const INDEX target = AT(to, x, y, z);
        MOVE(from, at, to, target)
    }
}
