/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies around an image that goes on as a mirror, or as itself: for its blocks. */
#include "blocks.h"

static void with_margin(drua_plan *p, drua_shape *shape)
{
    *rl_along(shape, rl_axis(p)) += 2 * rl_margin(p);
}

/* Of a view some layers along an axis, the last one first if they are to be turned around. */
static drua_view layers(drua_view view, int axis, int64_t first, int64_t count, bool turned)
{
    drua_layout *l = &view.layout;
    int64_t *stride = axis == 2 ? &l->plane : &l->row;
    l->offset += (turned ? first + count - 1 : first) * *stride;
    *(axis == 2 ? &l->depth : &l->height) = (int32_t)count;
    *stride *= turned ? -1 : 1;
    return view;
}

static int64_t wrapped(int64_t i, int64_t n)
{
    return (i % n + n) % n;
}

/* The box of the whole image repeats itself, and so does its mirror in it: run by run of layers that follow each other. */
static void surround(drua_plan *p)
{
    const rl_options options = rl_read_options(p);
    const int axis = rl_axis(p);
    const rl_repetition r = rl_repetition_along(rl_box(p, &options), axis);
    drua_shape image = plan_shape(p, "source");
    const int64_t n = *rl_along(&image, axis), margin = rl_margin(p);
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    for (int64_t i = -margin, count; i < n + margin && !plan_failed(p); i += count) {
        const int64_t in_box = wrapped(i + r.room, r.period), in_pair = wrapped(in_box - r.room, 2 * n), left[] = {n + margin - i, r.period - in_box};
        const bool turned = in_pair >= n;
        count = (turned ? 2 * n : n) - in_pair;
        for (int k = 0; k < 2; k++)
            count = left[k] < count ? left[k] : count;
        const drua_view run = layers(from, axis, turned ? 2 * n - in_pair - count : in_pair, count, turned);
        plan_copy(p, run, to, 0, axis == 1 ? i + margin : 0, axis == 2 ? i + margin : 0);
    }
}

const drua_op drua_op_surround_for_deconvolution = {
    .name = "surround_for_deconvolution",
    .category = "deconvolution",
    .summary = "Adds what deconvolve with the same options finds around an image to both of its ends.",
    .source = "edges=mirror and edges=circulant, in the box with room for the psf, which repeats itself",
    DRUA_PARAMS(RL_SOURCE, RL_PSF, DRUA_IMAGE_OUT("destination", "image and its surroundings", .shape = with_margin), RL_OPTIONS, RL_AXIS,
                RL_MARGIN("layers at each end", 10)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_COPIES,
    .plan = surround,
};
