/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_steps.cl"

/* Transforms half spectra to real rows in place, and scales them. */
LINE_GROUP kernel void line_inverse(OUTPUT(image), global const float2 *restrict waves, float scale)
{
    LINE_TILE
    LINE_HERE
    LINE_ROW(image)
    global float2 *row = LINE_ROW_OF(image);
    float2 v[VALUES] = {0.0f};
    if (is)
        LOAD_SPECTRUM(row, waves)
    BACK
    if (is)
        LINE_EACH(FIRST)
            row[LINE_I(FIRST)] = scale * HELD(FIRST).yx;
}
