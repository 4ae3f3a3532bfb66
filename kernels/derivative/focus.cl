/* SPDX-License-Identifier: BSD-3-Clause */

/* Takes each pixel from the first slice where the focus measure is largest. */
kernel void take_from_largest(INPUT(from), INPUT(focus), OUTPUT(to))
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    float largest = -INFINITY;
    int slice = 0;
    for (int z = 0; z < focus.depth; z++) {
        const float value = LOAD_CLAMPED(focus, x, y, z);
        if (value > largest) {
            largest = value;
            slice = z;
        }
    }
    const INDEX at = AT(from, min(x, from.width - 1), min(y, from.height - 1), min(slice, from.depth - 1));
    for (int z = 0; z < to.depth; z++) {
        const INDEX target = AT(to, x, y, z);
        MOVE(from, at, to, target)
    }
}
