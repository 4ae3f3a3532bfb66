/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the surroundings of an image with edges=mirror or edges=circulant, for its blocks. */
#include "blocks.h"

typedef struct surroundings {
    int axis;
    int64_t margin;
    rl_repetition repetition;
} surroundings;

static void with_margin(drua_plan *p, drua_shape *shape)
{
    const surroundings *s = plan_state(p);
    shape->extent[s->axis] += 2 * s->margin;
}

/* `count` layers of a view along an axis from `first` on, in reverse order if `turned`. */
static drua_view layers_of(drua_view view, int axis, int64_t first, int64_t count, bool turned)
{
    drua_layout *l = &view.layout;
    l->offset += (turned ? first + count - 1 : first) * l->stride[axis];
    l->extent[axis] = (int32_t)count;
    l->stride[axis] *= turned ? -1 : 1;
    return view;
}

static int64_t wrap_index(int64_t i, int64_t n)
{
    return (i % n + n) % n;
}

/*
 * Copies the image into its surroundings in runs of successive layers. The box of the whole image repeats with its
 * period, and in it the image alternates with its mirror image.
 */
static void copy_surroundings(drua_plan *p)
{
    const surroundings *s = plan_state(p);
    const rl_repetition r = s->repetition;
    const int64_t n = plan_shape(p, "source").extent[s->axis], margin = s->margin;
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    for (int64_t i = -margin, count; i < n + margin && !plan_failed(p); i += count) {
        const int64_t in_box = wrap_index(i + r.room, r.period), in_pair = wrap_index(in_box - r.room, 2 * n),
                      left[] = {n + margin - i, r.period - in_box};
        const bool turned = in_pair >= n;
        int64_t at[3] = {0};
        count = (turned ? 2 * n : n) - in_pair;
        for (int k = 0; k < 2; k++)
            count = left[k] < count ? left[k] : count;
        at[s->axis] = i + margin;
        plan_copy(p, layers_of(from, s->axis, turned ? 2 * n - in_pair - count : in_pair, count, turned), to, at[0],
                  at[1], at[2]);
    }
}

static const drua_op surrounded = {
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                DRUA_IMAGE_OUT("destination", "image and its surroundings", .shape = with_margin)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_COPIES,
    .launch = copy_surroundings,
};

drua_operand rl_surround(drua_plan *p, const rl_task *task, drua_operand image)
{
    surroundings s = {task->axis, task->margin, rl_repetition_along(rl_box(p, &task->options), task->axis)};
    return plan_call_private(p, &surrounded, &s, 0, &image, 1);
}
