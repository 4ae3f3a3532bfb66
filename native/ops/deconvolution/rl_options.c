/* SPDX-License-Identifier: BSD-3-Clause */
#include "richardson_lucy.h"
#include "plan_devices.h"

rl_options rl_defaults(void)
{
    return (rl_options){.iterations = 20,
                        .edges = EDGES_ZERO,
                        .spacing = {1, 1, 3},
                        .saturated = INFINITY,
                        .step = 1,
                        .alpha = 0.05,
                        .order = 10};
}

/* Fails for a weight so large that the denominator of the total variation could become 0. */
static void check_total_variation(drua_plan *p, const rl_options *o)
{
    const double limit = 0.5 / (1 / o->spacing[0] + 1 / o->spacing[1] + 1 / o->spacing[2]);
    if (o->total_variation >= limit)
        plan_fail(p, "tv must be below %.3g for voxels of %g x %g x %g, got %g; 0.0005 to 0.01 are useful", limit,
                  o->spacing[0], o->spacing[1], o->spacing[2], o->total_variation);
}

static void check_devices(drua_plan *p, const rl_options *o)
{
    plan_check_devices(p, o->devices);
    if (o->keep_partial)
        plan_fail(p,
                  "options cannot have both devices=%s and keep_partial, because each device works on another part of "
                  "the result; remove one of them",
                  o->devices);
}

static double read_setting(drua_plan *p, const char *name)
{
    return plan_setting(p, "options", name);
}

rl_options rl_read_options(drua_plan *p)
{
    static const int edges[] = {EDGES_ZERO, EDGES_MIRROR, EDGES_PERIODIC};
    rl_options o = {
        .method = (rl_method)read_setting(p, "method"),
        .step = read_setting(p, "step"),
        .precondition = read_setting(p, "precondition"),
        .alpha = read_setting(p, "alpha"),
        .order = read_setting(p, "order"),
        .iterations = (int64_t)read_setting(p, "iterations"),
        .edges = edges[(int)read_setting(p, "edges")],
        .acceleration = (rl_acceleration)read_setting(p, "accelerate"),
        .total_variation = read_setting(p, "tv"),
        .min_gradient = read_setting(p, "tv_floor"),
        .background = read_setting(p, "background"),
        .stop = read_setting(p, "stop"),
        .at_noise = (rl_at_noise)read_setting(p, "at_noise"),
        .every = (int64_t)read_setting(p, "curve"),
        .saturated = read_setting(p, "saturated"),
        .start = read_setting(p, "start"),
        .mean = read_setting(p, "mean"),
        .keep_partial = read_setting(p, "keep_partial") != 0,
        .slices = read_setting(p, "slices") != 0,
    };
    plan_setting_numbers(p, "options", "spacing", o.spacing);
    plan_setting_text(p, "options", "devices", o.devices);
    if (!(o.saturated > 0))
        o.saturated = INFINITY;
    if (o.stop > 0 && !o.every)
        o.every = 1;
    if (o.method != RL_LANDWEBER)
        o.precondition = 0;
    if (o.slices)
        o.spacing[2] = INFINITY;
    check_total_variation(p, &o);
    if (*o.devices)
        check_devices(p, &o);
    if (o.method == RL_LANDWEBER && (o.total_variation > 0 || o.acceleration == RL_BIGGS_ANDREWS))
        plan_fail(p,
                  "options: method=landweber works only without tv and without accelerate=biggs_andrews; remove them");
    return o;
}

void rl_fail_dark(drua_plan *p, const rl_options *o, double mean)
{
    plan_fail(p,
              "source has a mean of %g, which is not above the background of %g; use an image with light, or a smaller "
              "background",
              mean, o->background);
}

void rl_fail_unknown(drua_plan *p, const rl_options *o, double darkest, double min_mask)
{
    if (min_mask > 0)
        plan_fail(p, "mask has no pixel with the value 0, so no pixel of source is known; mark bad pixels with other "
                     "values than 0, and good ones with 0");
    else if (darkest >= o->saturated)
        plan_fail(p,
                  "saturated is %g and the darkest pixel of source is %g, so no pixel is known; use the grey value at "
                  "which the camera saturates",
                  o->saturated, darkest);
    else
        plan_fail(p,
                  "saturated is %g, and mask excludes all darker pixels, so no pixel of source is known; use the grey "
                  "value at which the camera saturates",
                  o->saturated);
}

/*
 * Returns a mask of known pixels, in which the bad-pixel mask is 0 and the image is not saturated. The result has no
 * image if all pixels are known.
 */
static drua_operand known_pixels(drua_plan *p, const rl_options *o, drua_operand source, drua_operand mask)
{
    const drua_operand unmarked = mask.image ? CALL(p, "equal_constant", DRUA_UINT8, mask, NUMBER(0)) : mask;
    if (!isfinite(o->saturated))
        return unmarked;
    const drua_operand below = CALL(p, "smaller_constant", DRUA_UINT8, source, NUMBER(o->saturated));
    return mask.image ? CALL(p, "binary_and", DRUA_UINT8, unmarked, below) : below;
}

/*
 * Returns the mean of the known pixels. While the passes of a plan are counted, the sum and the count are the same
 * large placeholder, so the count is limited to the number of pixels.
 */
static double mean_of_known(drua_plan *p, drua_operand source, drua_operand known)
{
    const drua_operand light = CALL(p, "mask", DRUA_NO_TYPE, source, known);
    const drua_shape s = plan_shape(p, "source");
    const double sum = plan_call_number(p, "sum_of_all_pixels", &light, 1),
                 count = plan_call_number(p, "sum_of_all_pixels", &known, 1);
    plan_release_image(p, light);
    plan_release_image(p, known);
    return sum / fmin(count, (double)s.width * (double)s.height * (double)s.depth);
}

double rl_mean(drua_plan *p, const rl_options *o, drua_operand source, drua_operand mask)
{
    const drua_operand known = known_pixels(p, o, source, mask);
    const double mean =
        known.image ? mean_of_known(p, source, known) : plan_call_number(p, "mean_of_all_pixels", &source, 1);
    if (plan_failed(p))
        return 0;
    if (known.image && isnan(mean))
        rl_fail_unknown(p, o, plan_call_number(p, "minimum_of_all_pixels", &source, 1),
                        mask.image ? plan_call_number(p, "minimum_of_all_pixels", &mask, 1) : 0);
    else if (!(mean > o->background))
        rl_fail_dark(p, o, mean);
    return mean - o->background;
}
