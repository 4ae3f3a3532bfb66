/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_steps.cl"

/* Transforms real rows to half spectra, as complex numbers of half the length. */
LINE_GROUP kernel void line_forward(OUTPUT(image), OUTPUT(spectrum), global const float2 *restrict waves)
{
    LINE_TILE
    LINE_HERE
    LINE_ROW(image)
    global const float2 *pairs = LINE_ROW_OF(image);
    global float2 *row = LINE_ROW_OF(spectrum);
    float2 v[VALUES] = {0.0f};
    if (is)
        LINE_EACH(FIRST)
            HELD(FIRST) = pairs[LINE_I(FIRST)];
    STEPS
    STORE_SPECTRUM(row)
}
