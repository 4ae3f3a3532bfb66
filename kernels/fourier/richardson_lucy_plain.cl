/* SPDX-License-Identifier: BSD-3-Clause */
/* Richardson-Lucy steps without acceleration that take the image's edges into account. */
#include "richardson_lucy.cl"
#define TOGETHER

/* Writes 1 where the image was observed. */
kernel void rl_view(OUTPUT(box), INPUT(image), INPUT(bad), int masked, float limit, int ax, int ay, int az, int edges)
{
    OBSERVED
    STORE(box, x, y, z, seen ? 1.0f : 0.0f);
}

/* As rl_view, but in the image's own coordinates and without continuation past the edges. */
kernel void rl_known(OUTPUT(known), INPUT(image), INPUT(bad), int masked, float limit)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(known, x, y, z))
        return;
    const bool marked = masked && LOAD(bad, x, y, z) != 0.0f,
               saturated = limit < INFINITY && LOAD(image, x, y, z) >= limit;
    STORE(known, x, y, z, marked || saturated ? 0.0f : 1.0f);
}

/*
 * If hardly any light of a voxel was observed, the data say nothing about it, and the voxel keeps its first estimate.
 */
kernel void rl_weight(INPUT(seen), OUTPUT(weight), float min_share)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(weight, x, y, z))
        return;
    const float share = LOAD(seen, x, y, z);
    STORE(weight, x, y, z, share < min_share ? 0.0f : 1.0f / share);
}

kernel void rl_ratio(OUTPUT(box), INPUT(image), INPUT(bad), int masked, float limit, int ax, int ay, int az, int edges,
                     float background)
{
    const int x = 2 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(box, x, y, z))
        return;
    const observed_row row = observed_row_at(image, bad, masked, limit, y - ay, z - az, edges);
    const float2 predicted = PAIR(box, x, y, z) + background;
    PAIR(box, x, y, z) = (float2)(excess_of(image_pixels, image, bad_pixels, bad, row, x - ax, predicted.x),
                                  excess_of(image_pixels, image, bad_pixels, bad, row, x + 1 - ax, predicted.y));
}

kernel void rl_update(OUTPUT(estimate), OUTPUT(correction), OUTPUT(weight), int weighted, float min_estimate)
{
    const int x = 2 * (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    if (!INSIDE(estimate, x, y, z))
        return;
    const float2 share = weighted ? PAIR(weight, x, y, z) : (float2)(1.0f);
    PAIR(estimate, x, y, z) = corrected_pair(PAIR(estimate, x, y, z), PAIR(correction, x, y, z), share, min_estimate);
}
