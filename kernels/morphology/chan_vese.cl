/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of a segmentation by the mean grey values inside and outside of its outline. */

/* Absolute central difference of a binary image along an axis; one-sided at the border, 0 for an extent of 1 pixel. */
inline float steepness(global const uchar *mask_pixels, const layout mask, int3 at, int3 step, int place, int extent)
{
    if (extent == 1)
        return 0.0f;
    const int3 before = place > 0 ? at - step : at, after = place < extent - 1 ? at + step : at;
    const float difference = fabs(LOAD(mask, after.x, after.y, after.z) - LOAD(mask, before.x, before.y, before.z));
    return place > 0 && place < extent - 1 ? 0.5f * difference : difference;
}

/* Pixels at the outline join the side whose mean is nearer; `inside` and `outside` are means. */
kernel void chan_vese_step(INPUT(image), INPUT(mask), OUTPUT(to), float inside, float outside, float weight_inside,
                           float weight_outside)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(to, x, y, z))
        return;
    const int3 at = (int3)(x, y, z);
    const float slope = steepness(mask_pixels, mask, at, (int3)(1, 0, 0), x, mask.width) +
                        steepness(mask_pixels, mask, at, (int3)(0, 1, 0), y, mask.height) +
                        steepness(mask_pixels, mask, at, (int3)(0, 0, 1), z, mask.depth);
    const float own = LOAD(mask, x, y, z), value = LOAD(image, x, y, z);
    const float from_inside = value - inside, from_outside = value - outside;
    const float cost = weight_inside * from_inside * from_inside - weight_outside * from_outside * from_outside;
    float result = own;
    if (slope > 0.0f && cost < 0.0f)
        result = 1.0f;
    else if (slope > 0.0f && cost > 0.0f)
        result = 0.0f;
    STORE(to, x, y, z, result);
}
