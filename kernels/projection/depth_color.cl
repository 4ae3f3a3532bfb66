/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes the largest value along z in the colour of its slice. The lookup table of three slices is stretched over the
 * stack.
 */
kernel void depth_color(INPUT(from), INPUT(lut), OUTPUT(to), float low, float high)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (!INSIDE(to, x, y, 0))
        return;
    int best = 0;
    float max_value = LOAD_CLAMPED(from, x, y, 0);
    for (int z = 1; z < from.depth; z++) {
        const float value = LOAD_CLAMPED(from, x, y, z);
        if (value > max_value) {
            max_value = value;
            best = z;
        }
    }
    const float brightness = clamp((max_value - low) / (high - low), 0.0f, 1.0f);
    const int index = from.depth > 1 ? (int)((long)best * 255 / (from.depth - 1)) : 0;
    for (int channel = 0; channel < to.depth; channel++)
        STORE_SNAPPED(to, x, y, channel, LOAD_CLAMPED(lut, index, 0, channel) * brightness, ROUNDINGS_OF_ROOT);
}
