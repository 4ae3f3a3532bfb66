/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_steps.cl"
#include "rl_rows.cl"

/*
 * Finishes the transform of the correction, updates the estimate like rl_update, and begins the next transform.
 * WEIGHTED: the share of light that was observed counts. MOMENTUM: the next step starts where rl_predict says, with the
 * estimate in `previous`.
 */
LINE_GROUP kernel void rl_rows_update(OUTPUT(box), global const float2 *restrict waves,
                                      global const float2 *restrict again, float scale, OUTPUT(estimate),
                                      OUTPUT(weight), OUTPUT(previous), float min_estimate, float alpha)
{
    LINE_TILE
    LINE_HERE
    LINE_ROW(box)
    global float2 *row = LINE_ROW_OF(box), *guesses = LINE_ROW_OF(estimate);
    float2 v[VALUES] = {0.0f}, guess[VALUES], share[VALUES],
           before[VALUES]; /* everything is loaded before it is needed, and before any store */
    if (is) {
        LOAD_SPECTRUM(row, again)
        LINE_EACH(FIRST) {
            const int i = LINE_I(FIRST), n = round * FIRST + m;
            guess[n] = guesses[i];
            share[n] = WEIGHTED ? LINE_ROW_OF(weight)[i] : (float2)(1.0f);
            before[n] = MOMENTUM ? LINE_ROW_OF(previous)[i] : (float2)(0.0f);
        }
    }
    LINE_BACK(again)
    if (is)
        LINE_EACH(FIRST) {
            const int i = LINE_I(FIRST), n = round * FIRST + m;
            const float2 now = rl_corrected_pair(guess[n], scale * HELD(FIRST).yx, share[n], min_estimate);
            HELD(FIRST) = now;
            if (MOMENTUM) {
                LINE_ROW_OF(previous)[i] = now;
                HELD(FIRST) = fmax(now + alpha * (now - before[n]), 0.1f * now);
            }
            guesses[i] = HELD(FIRST);
        }
    STEPS
    STORE_SPECTRUM(row)
}
