/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether what is left of the image, without what the estimate predicts of it, is noise. Noise of a camera says nothing
 * about the next pixel; what an estimate lacks does, as the psf is wider than a pixel. So the sum of the products of
 * neighbours falls from above to 0 when the image is explained up to its noise, however strong that is, and below when
 * noise is explained as well.
 */
#include "rl_state.h"

bool rl_is_noise_left(drua_plan *p, rl_state *s)
{
    const int64_t *at = s->box.at, *own = s->block.own.first;
    const drua_view image = rl_own(s, s->image), bad = rl_own(s, s->bad);
    int64_t end[3];
    for (int axis = 0; axis < 3; axis++) /* a pair is its first pixel's block's */
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
