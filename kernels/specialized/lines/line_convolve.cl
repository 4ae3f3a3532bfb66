/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_butterflies.cl"
#include "line_steps.cl"

/* Transforms lines along the last axis, multiplies them by a factor or its conjugate, and transforms them back. */
LINE_GROUP kernel void line_convolve(OUTPUT(spectrum), INPUT(factor), int axis, int conjugate,
                                     global const float2 *restrict waves, global const float2 *restrict again)
{
    LINE_TILE
    LINE_HERE
    LINE_COLUMN(spectrum, axis)
    global float2 *column = LINE_COLUMN_OF(spectrum);
    global const float2 *factors = LINE_COLUMN_OF(factor);
    float2 v[VALUES] = {0.0f};
    if (is)
        LINE_EACH(FIRST)
            HELD(FIRST) = column[LINE_I(FIRST) * stride];
    STEPS
    if (is)
        LINE_EACH(LAST) {
            const float2 k = factors[LINE_I(LAST) * stride];
            HELD(LAST) = line_product(HELD(LAST), (float2)(k.x, conjugate ? -k.y : k.y)).yx;
        }
    LINE_BACK(again)
    if (is)
        LINE_EACH(FIRST)
            column[LINE_I(FIRST) * stride] = HELD(FIRST).yx;
}
