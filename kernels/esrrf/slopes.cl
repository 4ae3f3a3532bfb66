/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds subpixel shifts: the peak of a correlation, from the slopes of the waves in its spectrum. */
#include "shifts.cl"

enum { NEWTON_STEPS = 12, ROWS_AT_ONCE = 4 };
constant float CLOSE = 1e-4f;

/* Returns the cosine and sine of n * shift / size turns. Whole turns are removed before anything is rounded. */
inline float2 wave(int n, float shift, int size)
{
    const float share = shift / size, rest = fma(-share, (float)size, shift) / size, circles = n * share;
    const float part = circles - rint(circles) + (fma((float)n, share, -circles) + n * rest);
    float cosine;
    const float sine = sincos(2.0f * M_PI_F * part, &cosine);
    return (float2)(cosine, sine);
}

/*
 * Sums, over the rows of a work-group, the slopes of the correlation at a shift along x and y, and their derivatives
 * xx, xy and yy.
 */
inline float8 slopes_at(float2 at, INPUT(spectrum), int width, int height)
{
    const float turn_x = 2.0f * M_PI_F / width, turn_y = 2.0f * M_PI_F / height;
    float gx = 0.0f, gy = 0.0f, xx = 0.0f, xy = 0.0f, yy = 0.0f;
    for (int first = ROWS_AT_ONCE * (int)get_group_id(0); first < height;
         first += ROWS_AT_ONCE * (int)get_num_groups(0)) {
        float2 row[ROWS_AT_ONCE];
        _Pragma("unroll") for (int k = 0; k < ROWS_AT_ONCE; k++)
            row[k] = wave(first + k <= height / 2 ? first + k : first + k - height, at.y, height);
        for (int x = get_local_id(0); 2 * x < width; x += SHIFT_GROUP) {
            const float2 column = (x == 0 ? 1.0f : 2.0f) * wave(x, at.x, width);
            const float wave_x = turn_x * x;
            _Pragma("unroll") for (int k = 0; k < ROWS_AT_ONCE; k++) {
                const int y = first + k;
                if (y >= height)
                    continue;
                const float wave_y = turn_y * (y <= height / 2 ? y : y - height);
                const float2 c = complex_at((global const float *)spectrum_pixels, spectrum, x, y);
                const float cosine = fma(column.x, row[k].x, -(column.y * row[k].y)),
                            sine = fma(column.x, row[k].y, column.y * row[k].x);
                const float along = fma(c.x, cosine, -(c.y * sine)), across = fma(c.x, sine, c.y * cosine);
                gx = fma(-wave_x, across, gx);
                gy = fma(-wave_y, across, gy);
                xx = fma(-wave_x * wave_x, along, xx);
                xy = fma(-wave_x * wave_y, along, xy);
                yy = fma(-wave_y * wave_y, along, yy);
            }
        }
    }
    return (float8)(gx, gy, xx, xy, yy, 0.0f, 0.0f, 0.0f);
}

/* Takes a Newton step towards slopes of 0. Returns false if there is no peak or the peak is already found. */
inline bool step_on(float8 slopes, float2 *at)
{
    const float gx = slopes.s0, gy = slopes.s1, xx = slopes.s2, xy = slopes.s3, yy = slopes.s4,
                bend = fma(xx, yy, -(xy * xy));
    if (!(bend > 0.0f && xx < 0.0f))
        return false;
    const float2 step = clamp((float2)(gx * yy - gy * xy, gy * xx - gx * xy) / bend, -0.5f, 0.5f);
    *at -= step;
    return !(fabs(step.x) + fabs(step.y) < CLOSE);
}

/*
 * Refines a whole shift to the maximum of the correlation, which the waves of its spectrum interpolate, by Newton's
 * method. If this leads further than one pixel away, these images have no peak there and the whole shift is kept.
 *
 * The host launches this kernel for steps 0 to NEWTON_STEPS. Each of `groups` work-groups adds all sums of the previous
 * step, so that all groups take the same step, and then sums its own rows. `tried` has the position of each step, and
 * NaN once a step has found the end. The last launch has one work-group.
 */
kernel void esrrf_refine_shift(INPUT(spectrum), OUTPUT(shift), global float *tried, global float *sums, int width,
                               int height, int groups, int step)
{
    local float8 part[SHIFT_GROUP];
    const int l = get_local_id(0), group = get_group_id(0), is_first = l == 0 && group == 0;
    float2 at = step > 0 ? vload2(step - 1, tried) : (float2)(LOAD(shift, 0, 0, 0), LOAD(shift, 1, 0, 0));
    if (step > 0 && !isnan(at.x)) {
        const float8 slopes =
            fold_eights(part, l < groups ? vload8((step - 1) % 2 * groups + l, sums) : (float8)(0.0f));
        const bool goes_on = step_on(slopes, &at) && step < NEWTON_STEPS;
        if (is_first && !goes_on && fabs(at.x - LOAD(shift, 0, 0, 0)) <= 1.0f &&
            fabs(at.y - LOAD(shift, 1, 0, 0)) <= 1.0f) {
            STORE(shift, 0, 0, 0, at.x);
            STORE(shift, 1, 0, 0, at.y);
        }
        at = goes_on ? at : (float2)(NAN);
    }
    if (is_first)
        vstore2(at, step, tried);
    if (isnan(at.x))
        return;
    const float8 slopes = fold_eights(part, slopes_at(at, spectrum_pixels, spectrum, width, height));
    if (l == 0)
        vstore8(slopes, step % 2 * groups + group, sums);
}
