/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests whether the residual of the image (image minus prediction) is only noise. Camera noise is uncorrelated between
 * neighbouring pixels. Signal that the estimate still lacks is correlated, because the psf is wider than a pixel. So
 * the sum of products of neighbouring residuals falls from positive values to 0 when the estimate explains the image up
 * to its noise, at any noise level. It becomes negative when the estimate explains noise as well.
 */
#include "rl_state.h"

bool rl_is_noise_left(drua_plan *p, rl_state *s)
{
    const int64_t *at = s->box.at, *own = s->block.own.first;
    const drua_view image = rl_own(s, s->image), bad = rl_own(s, s->bad);
    int64_t end[3];
    for (int axis = 0; axis < 3; axis++) /* a pair belongs to the block of its first pixel */
        end[axis] =
            s->smooth_axes >> axis & 1 ? image.layout.extent[axis] + (s->block.goes_on && axis == s->block.axis) : 0;
    LAUNCH(p, "rl_likeness", GRID(GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(s->work), ARG(image), ARG(bad),
           INT(s->masked), REAL(s->options->saturated), INT(at[0] + own[0]), INT(at[1] + own[1]), INT(at[2] + own[2]),
           REAL(s->options->background), REAL(s->dark), INT(end[0]), INT(end[1]), INT(end[2]),
           LONG(drua_layout_count(&image.layout)), POINTER(s->remains), INT(s->looked * GROUPS));
    s->looked++;
    if (s->block.axis || !s->smooth_axes || plan_failed(p))
        return false;
    rl_read_sums(p, s->remains, s->looked - 1, s->looked, s->remainder);
    return !plan_failed(p) && s->remainder[s->looked - 1] <= 0;
}
