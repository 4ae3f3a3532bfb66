/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_steps.cl"

/* Transforms a spectrum's lines along y or z. */
LINE_GROUP kernel void line_columns(OUTPUT(spectrum), int axis, int inverse, global const float2 *restrict waves)
{
    LINE_TILE
    LINE_HERE
    LINE_COLUMN(spectrum, axis)
    global float2 *column = LINE_COLUMN_OF(spectrum);
    float2 v[VALUES] = {0.0f};
    if (is)
        LINE_EACH(FIRST)
            HELD(FIRST) = column[LINE_I(FIRST) * stride];
    if (inverse)
        SWAP
    STEPS
    if (inverse)
        SWAP
    if (is)
        LINE_EACH(LAST)
            column[LINE_I(LAST) * stride] = HELD(LAST);
}
