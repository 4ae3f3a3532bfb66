/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deconvolution of what does not fit the device at once, block by block: each block is an image of its own, whose surroundings
 * are estimated too, and of which the rim is thrown away.
 */
#include "blocks.h"

#include <stdlib.h>

enum { CLOSE = 8 };

/*
 * What a block lacks of its neighbours reaches further with every iteration. So much of the psf's extent, and some pixels for
 * one that is cut close, keep the largest error below a thousandth of the range. An accelerated iteration counts for four, more
 * where they are many: its momentum grows. A back projector that is nearly the blur's inverse reaches further.
 */
static int64_t overlap_of(const rl_options *o, int64_t psf)
{
    const int64_t n = o->iterations, long_run = n * n / 5 > 4 * n ? n * n / 5 : 4 * n, iterations = o->acceleration == RL_PLAIN ? n : long_run;
    int64_t quarters = iterations <= 10 ? 3 : iterations <= 50 ? 4 : iterations <= 150 ? 5 : iterations <= 300 ? 6 : 7;
    if (o->method == RL_WIENER_BUTTERWORTH)
        quarters = 9;
    return (quarters * psf + 3) / 4 + CLOSE;
}

int64_t *rl_along(drua_shape *shape, int axis)
{
    return axis == 2 ? &shape->depth : &shape->height;
}

int64_t rl_overlap(drua_plan *p, const rl_options *o, int axis)
{
    drua_shape psf = rl_psf_shape(p, o);
    const bool smoothed = o->total_variation > 0 && isfinite(o->spacing[axis]);
    return *rl_along(&psf, axis) > 1 || smoothed ? overlap_of(o, *rl_along(&psf, axis)) : 0;
}

int rl_cut(const rl_options *o, int axis)
{
    return o->edges == EDGES_ZERO ? 0 : axis;
}

/* The box of a block that is `thick` along an axis, with what it needs of its neighbours. */
static drua_shape box_of(drua_plan *p, const rl_options *o, int axis, int64_t thick)
{
    drua_shape block = plan_shape(p, "source");
    int64_t *extent = rl_along(&block, axis), wide = thick + 2 * rl_overlap(p, o, axis);
    *extent = wide < *extent || rl_cut(o, axis) ? wide : *extent;
    return rl_box_of_block(block, rl_psf_shape(p, o), o, rl_cut(o, axis)).shape;
}

static bool fits(drua_plan *p, const rl_options *o, drua_shape box)
{
    const uint64_t each = plan_fft_bytes(box);
    return each <= plan_device(p)->largest_allocation && each <= plan_memory_left(p) / (uint64_t)rl_boxes(o, true);
}

/* The work of the thickest blocks that fit along an axis, in pixels; INFINITY where none fits. */
static double work_along(drua_plan *p, const rl_options *o, int axis, int64_t *count)
{
    drua_shape image = plan_shape(p, "source");
    int64_t extent = *rl_along(&image, axis), least = 0, most = extent;
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

int rl_best_axis(drua_plan *p, const rl_options *o, int64_t *count)
{
    int64_t of_y = 0, of_z = 0;
    const double y = work_along(p, o, 1, &of_y), z = work_along(p, o, 2, &of_z);
    *count = y < z ? of_y : of_z;
    return y < z ? 1 : 2;
}

int64_t rl_blocks(drua_plan *p, const rl_options *o)
{
    int64_t count = 0;
    rl_best_axis(p, o, &count);
    return count;
}

/* ---- the operation, which the engine runs in parts */

int rl_axis(drua_plan *p)
{
    return 1 + plan_choice(p, "axis");
}

int64_t rl_margin(drua_plan *p)
{
    return plan_integer(p, "margin");
}

static void within_margin(drua_plan *p, drua_shape *shape)
{
    int64_t *extent = rl_along(shape, rl_axis(p));
    if (*extent <= 2 * rl_margin(p))
        plan_fail(p, "margin must be less than half of source's extent of %lld along the axis, got %lld", (long long)*extent, (long long)rl_margin(p));
    *extent -= 2 * rl_margin(p);
}

static void a_row_a_layer(drua_plan *p, drua_shape *shape)
{
    const rl_options options = rl_read_options(p);
    const drua_shape restored = plan_shape(p, "destination");
    *shape = (drua_shape){rl_records(&options) + rl_products(&options) + 1, rl_axis(p) == 1 ? restored.height : 1, rl_axis(p) == 2 ? restored.depth : 1, 3};
}

/* The block's sums stand at its first layer, as many as an image that exists has columns for. */
static void give_sums(drua_plan *p, const double *sums, int64_t count)
{
    drua_view to = plan_image(p, "sums");
    float *row = plan_host(p, (size_t)to.layout.width * sizeof *row);
    plan_clear(p, to);
    for (int32_t i = 0; row && !plan_failed(p) && i < to.layout.width && i < count; i++)
        row[i] = (float)sums[i];
    to.layout.height = to.layout.depth = 1;
    if (row)
        plan_write(p, to, row);
}

/* Numbers between commas, as far as there are some. */
static void read_steps(drua_plan *p, rl_options *o)
{
    const char *text = plan_text(p, "steps");
    double *steps = plan_host(p, (size_t)o->iterations * sizeof *steps);
    for (char *end; steps && *text && o->step_count < o->iterations; text = end + (*end == ',')) {
        steps[o->step_count++] = strtod(text, &end);
        if (end == text)
            plan_fail(p, "steps must be numbers between commas, got '%.40s'", text);
        if (end == text)
            return;
    }
    o->steps = steps;
}

rl_repetition rl_repetition_along(fourier_box box, int axis)
{
    return (rl_repetition){*rl_along(&box.shape, axis), axis == 2 ? box.z : box.y};
}

/* A destination that exists may be larger than what is restored. */
static void limit(int64_t *extent, int64_t most)
{
    *extent = *extent < most ? *extent : most;
}

static void run_block(drua_plan *p, const char *mask)
{
    const int axis = rl_axis(p);
    rl_options options = rl_read_options(p);
    const int64_t margin = rl_margin(p);
    rl_block block = {.axis = axis, .cut = margin ? axis : 0, .own.shape = plan_shape(p, "destination")};
    int64_t in[3], out[3];
    drua_shape image = plan_whole_shape(p, "source", in);
    plan_whole_shape(p, "destination", out);
    within_margin(p, &image);
    const rl_repetition r = rl_repetition_along(rl_box_of_block(image, rl_psf_shape(p, &options), &options, 0), axis);
    const int64_t extent = *rl_along(&image, axis);
    limit(&block.own.shape.width, image.width);
    limit(&block.own.shape.height, image.height - (axis == 1 ? out[axis] : 0));
    limit(&block.own.shape.depth, image.depth - (axis == 2 ? out[axis] : 0));
    *(axis == 2 ? &block.own.z : &block.own.y) = out[axis] + margin - in[axis];
    block.period = margin ? r.period : 0;
    block.seam = margin - r.room - in[axis];
    block.rim[0] = out[axis] == 0 ? r.room : 0;
    block.rim[1] = out[axis] + *rl_along(&block.own.shape, axis) == extent ? r.period - r.room - extent : 0;
    read_steps(p, &options);
    const int64_t last = rl_records(&options) + rl_products(&options);
    double *sums = plan_host(p, ((size_t)last + 1) * sizeof *sums);
    if (!plan_failed(p))
        sums[last] = 1 + (double)rl_run_block(p, &options, block, mask, sums);
    if (!plan_failed(p))
        give_sums(p, sums, last + 1);
}

static void plan(drua_plan *p)
{
    run_block(p, NULL);
}

static void masked(drua_plan *p)
{
    run_block(p, "mask");
}

static void parts(drua_plan *p, drua_parts *parts)
{
    const int axis = rl_axis(p);
    const rl_options options = rl_read_options(p);
    const int64_t margin = rl_margin(p), overlap = rl_overlap(p, &options, axis);
    parts->axis[3 - axis] = -1;
    parts->halo[axis] = overlap;
    parts->reach[axis] = (drua_reach){true, 1, (double)(margin - overlap), (double)(margin + overlap)};
}

#define DESTINATION DRUA_IMAGE_OUT("destination", "restored image, without the margin", .type = DRUA_FLOAT32, .shape = within_margin)
#define REST                                                                                                                     \
    DRUA_IMAGE_OUT("sums", "over whose layers those of the whole image are: divergences, then the products of steps that biggs_andrews needs; "           \
                   "then, at the first layer of a block, 1 + the iterations that are done", \
                   .type = DRUA_FLOAT32, .shape = a_row_a_layer),                                                                \
        RL_OPTIONS, RL_AXIS, RL_MARGIN("layers that surround the image at both ends of the axis; 0 with edges=noncirculant", 0),  \
        DRUA_TEXT("steps", "how far each step of biggs_andrews from the third on goes on, between commas, as far as that is known", .preset_text = "")

const drua_op drua_op_deconvolve_blocks = {
    .name = "deconvolve_blocks",
    .category = "deconvolution",
    .summary = "Undoes the blur of a microscope as deconvolve does, in blocks where the image does not fit the device at once.",
    .source = "blocks overlap by somewhat more than the psf's extent; deconvolve takes it where it must",
    DRUA_PARAMS(RL_SOURCE, RL_PSF, DESTINATION, REST),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .plan = plan,
    .parts = parts,
};

const drua_op drua_op_deconvolve_masked_blocks = {
    .name = "deconvolve_masked_blocks",
    .category = "deconvolution",
    .summary = "Undoes the blur of a microscope as deconvolve_masked does, in blocks where the image does not fit the device at once.",
    .source = "as deconvolve_blocks; deconvolve_masked takes it where it must",
    DRUA_PARAMS(RL_SOURCE, RL_PSF, DRUA_IMAGE_IN("mask", "bad pixels: not 0"), DESTINATION, REST),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .plan = masked,
    .parts = parts,
};
