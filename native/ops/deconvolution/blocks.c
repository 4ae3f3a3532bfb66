/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolution of what does not fit the device at once, block by block: each block is an image of its own, whose surroundings
 * are estimated too, and of which the rim is thrown away.
 */
#include "richardson_lucy.h"

#include <stdio.h>
#include <string.h>

enum { CLOSE = 8 };

/*
 * What a block lacks of its neighbours reaches further with every iteration. So much of the psf's extent, and some pixels for
 * one that is cut close, keep the largest error below a thousandth of the range; an accelerated iteration counts for four.
 */
static int64_t overlap_of(const rl_options *o, int64_t psf)
{
    const int64_t iterations = o->acceleration == RL_PLAIN ? o->iterations : 4 * o->iterations;
    const int64_t quarters = iterations <= 10 ? 3 : iterations <= 50 ? 4 : iterations <= 150 ? 5 : 6;
    return (quarters * psf + 3) / 4 + CLOSE;
}

static int64_t *along(drua_shape *shape, int axis)
{
    return axis == 2 ? &shape->depth : &shape->height;
}

static int64_t overlap_along(drua_plan *p, const rl_options *o, int axis)
{
    drua_shape psf = rl_psf_shape(p, o);
    return *along(&psf, axis) > 1 ? overlap_of(o, *along(&psf, axis)) : 0;
}

/* The box of a block that is `thick` along an axis, with what it needs of its neighbours. */
static drua_shape box_of(drua_plan *p, const rl_options *o, int axis, int64_t thick)
{
    drua_shape image = plan_shape(p, "source");
    int64_t *extent = along(&image, axis), wide = thick + 2 * overlap_along(p, o, axis);
    *extent = wide < *extent ? wide : *extent;
    return fourier_box_around(image, rl_psf_shape(p, o), o->edges).shape;
}

static bool fits(drua_plan *p, const rl_options *o, drua_shape box)
{
    const uint64_t each = plan_fft_bytes(box);
    return each <= plan_device(p)->largest_allocation && each <= plan_memory_left(p) / (uint64_t)rl_boxes(o, false);
}

/* The work of the thickest blocks that fit along an axis, in pixels; INFINITY where none fits. */
static double work_along(drua_plan *p, const rl_options *o, int axis, int64_t *count)
{
    drua_shape image = plan_shape(p, "source");
    int64_t extent = *along(&image, axis), least = 0, most = extent;
    while (least < most) {
        const int64_t thick = (least + most + 1) / 2;
        if (fits(p, o, box_of(p, o, axis, thick)))
            least = thick;
        else
            most = thick - 1;
    }
    const drua_shape box = box_of(p, o, axis, least);
    *count = least ? (extent + least - 1) / least : 0;
    return least ? (double)*count * (double)box.width * (double)box.height * (double)box.depth : INFINITY;
}

static int best_axis(drua_plan *p, const rl_options *o, int64_t *count)
{
    int64_t of_y = 0, of_z = 0;
    const double y = work_along(p, o, 1, &of_y), z = work_along(p, o, 2, &of_z);
    *count = y < z ? of_y : of_z;
    return y < z ? 1 : 2;
}

int64_t rl_blocks(drua_plan *p, const rl_options *o)
{
    int64_t count = 0;
    best_axis(p, o, &count);
    return o->edges == EDGES_ZERO ? count : 0;
}

/* ---- the operation, which the engine runs in parts */

static void blocks(drua_plan *p)
{
    const rl_options options = rl_read_options(p);
    if (!plan_failed(p))
        rl_run(p, &options, NULL);
}

static void parts(drua_plan *p, drua_parts *parts)
{
    int64_t count;
    const rl_options options = rl_read_options(p);
    for (int axis = 1; axis < 3; axis++)
        parts->halo[axis] = overlap_along(p, &options, axis);
    parts->axis[best_axis(p, &options, &count) == 2 ? 1 : 2] = -1;
}

const drua_op drua_op_deconvolve_blocks = {
    .name = "deconvolve_blocks",
    .category = "deconvolution",
    .summary = "Undoes the blur of a microscope as deconvolve does, in blocks where the image does not fit the device at once.",
    .source = "blocks overlap by the psf's extent and a half at most; deconvolve takes it where it must",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "blurred image: counts of light, with their background"),
                DRUA_IMAGE_WHOLE("psf", "point spread function, its centre at half of its extent, rounded down"),
                DRUA_IMAGE_OUT("destination", "restored image", .type = DRUA_FLOAT32),
                RL_OPTIONS),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .plan = blocks,
    .parts = parts,
};

void rl_run_large(drua_plan *p, const rl_options *o, const char *text)
{
    const drua_operand source = plan_operand(p, "source");
    if (o->edges != EDGES_ZERO)
        plan_fail(p, "the image does not fit the device's memory with these edges; with edges=noncirculant it can be done in blocks");
    else if (o->acceleration == RL_BIGGS_ANDREWS || o->every || o->method == RL_WIENER_BUTTERWORTH)
        plan_fail(p, "the image does not fit the device's memory, and accelerate=biggs_andrews, method=wiener_butterworth, stop and curve "
                     "need all of it at once; give iterations, or accelerate=heavy_ball");
    const double mean = plan_call_number(p, "mean_of_all_pixels", &source, 1) - o->background;
    if (!plan_failed(p) && !(mean > 0))
        plan_fail(p, "source has a mean of %g, which is not above the background of %g", mean + o->background, o->background);
    const size_t size = strlen(text) + 64;
    char *options = plan_host(p, size);
    if (plan_failed(p))
        return;
    snprintf(options, size, o->start == 0 ? "%s keep_partial=false start=%.9g" : "%s keep_partial=false", text, mean);
    plan_return(p, "destination", CALL(p, "deconvolve_blocks", DRUA_FLOAT32, source, plan_operand(p, "psf"), TEXT(options)));
}
