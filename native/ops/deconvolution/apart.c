/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolution of blocks without communication between them. Each block is deconvolved as a separate image, and the
 * layers that it read from its neighbours are discarded.
 */
#include "blocks.h"
#include "plan_fft.h"

#include <stdio.h>

void rl_parts_apart(drua_plan *p, drua_parts *parts)
{
    const rl_options o = rl_read_options(p);
    if (plan_failed(p))
        return;
    if (o.edges == EDGES_PERIODIC)
        plan_fail(p, "edges=circulant needs pixels from opposite sides of the image, but no block contains both sides; "
                     "choose noncirculant or mirror");
    else if (o.acceleration == RL_BIGGS_ANDREWS)
        plan_fail(
            p, "accelerate=biggs_andrews computes its steps from the whole image, so it cannot run block by block; use "
               "accelerate=heavy_ball, which is as fast");
    else if (o.stop > 0 || o.every || o.keep_partial)
        plan_fail(p, "stop, curve and keep_partial need the whole image, so they do not work block by block; set "
                     "iterations instead");
    else if (o.at_noise == RL_NOISE_STOP)
        plan_fail(
            p,
            "at_noise=stop needs the whole image, so it does not work block by block; deconvolve a part of the image "
            "alone, and set iterations to the number after which it stopped");
    else if (*o.devices)
        plan_fail(p,
                  "devices=%s belongs to the settings of the pipeline, which shares its blocks among devices; remove "
                  "it from options",
                  o.devices);
    for (int axis = 0; axis < 3; axis++)
        parts->halo[axis] = rl_task_along(p, &o, axis).overlap;
    parts->columns = true;
}

/*
 * All blocks start from the mean of the whole image and run the same number of iterations. No block can tell how much
 * signal remains in the others, so the automatic stop at noise is switched off.
 */
void rl_settle(drua_plan *p, char *options)
{
    const rl_options o = rl_read_options(p);
    const drua_operand source = plan_operand(p, "source");
    int used = 0;
    if (plan_failed(p))
        return;
    if (o.at_noise == RL_NOISE_AUTOMATIC && rl_noise_checks(&o))
        used = snprintf(options, DRUA_SETTINGS_BYTES, "at_noise=go_on ");
    if (o.start > 0 || o.mean > 0)
        return;
    const double mean = rl_mean(p, &o, source, (drua_operand){0});
    if (!plan_failed(p))
        snprintf(options + used, (size_t)(DRUA_SETTINGS_BYTES - used), "mean=%.9g", mean);
}

/* An iteration convolves twice. Each convolution needs two Fourier transforms, which pass along three axes. */
double rl_effort(drua_plan *p)
{
    const rl_options o = rl_read_options(p);
    return plan_failed(p) ? 1 : 16.0 * o.iterations;
}

uint64_t rl_scratch(drua_plan *p)
{
    const rl_options o = rl_read_options(p);
    return plan_failed(p) ? 0 : (uint64_t)rl_boxes(&o, false) * plan_fft_bytes(rl_box(p, &o).shape);
}
