/* SPDX-License-Identifier: BSD-3-Clause */

/* Marks pixels that reach a threshold in device memory, LANES per work-item if all rows lie in vectors (`wide`). */
kernel void binarise(INPUT(from), OUTPUT(to), global const float *threshold, int wide)
{
    const int x = (wide ? LANES : 1) * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const float t = *threshold;
    if (wide) {
        const FLOATV v = load_lanes(from_pixels, from.type, AT(from, x, y, z));
        store_row_lanes(to_pixels, &to, x, y, z, select((FLOATV)(0.0f), (FLOATV)(1.0f), v >= t), true);
    } else {
        STORE(to, x, y, z, LOAD_CLAMPED(from, x, y, z) >= t ? 1.0f : 0.0f);
    }
}
