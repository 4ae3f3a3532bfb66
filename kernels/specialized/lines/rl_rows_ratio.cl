/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_steps.cl"
#include "rl_rows.cl"

/*
 * Finishes the transform of the predicted image, compares it with the observed image like rl_ratio, and begins the next
 * transform. The image, of elements FROM, lies at ax, ay, az in the box; nothing was observed around it.
 */
LINE_GROUP kernel void rl_rows_ratio(OUTPUT(box), global const float2 *restrict waves,
                                     global const float2 *restrict again, float scale, INPUT(image), float limit,
                                     int ax, int ay, int az, float background)
{
    LINE_TILE
    LINE_HERE
    LINE_ROW(box)
    global float2 *row = LINE_ROW_OF(box);
    const int z = number / box.height - az, y = number - number / box.height * box.height - ay;
    const bool seen = is && (uint)y < (uint)image.height && (uint)z < (uint)image.depth;
    global const FROM *pixels = (global const FROM *)image_pixels + (seen ? AT(image, 0, y, z) : 0);
    float2 v[VALUES] = {0.0f}, observed[VALUES];     /* loaded before it is needed */
    if (is)
        LOAD_SPECTRUM(row, again)
    LINE_EACH(FIRST)
        observed[round * FIRST + m] = rl_observed_pair(pixels, image, 2 * LINE_I(FIRST) - ax, seen);
    LINE_BACK(again)
    LINE_EACH(FIRST)
        HELD(FIRST) = rl_excess_of_pair(observed[round * FIRST + m], limit, scale * HELD(FIRST).yx + background);
    STEPS
    STORE_SPECTRUM(row)
}
