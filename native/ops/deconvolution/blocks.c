/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides an image that does not fit the device into blocks. Each block is deconvolved as a separate image, including
 * estimated surroundings. The layers that it read from its neighbours are then discarded.
 */
#include "blocks.h"
#include "plan_fft.h"

enum { CLOSE = 8 };

/*
 * Returns the number of layers of neighbouring blocks that a block reads. The error at a block's border spreads further
 * with every iteration. The returned fraction of the psf's extent, plus CLOSE pixels for a closely cropped psf, keeps
 * the largest error below a thousandth of the range. An accelerated iteration counts as four or, in long runs, as more,
 * because its momentum grows. A back projector that nearly inverts the blur spreads the error further.
 */
static int64_t overlap_of(const rl_options *o, int64_t psf)
{
    static const int64_t more_from[] = {10, 50, 150, 300};
    const int64_t n = o->iterations, long_run = n * n / 5 > 4 * n ? n * n / 5 : 4 * n,
                  iterations = o->acceleration == RL_PLAIN ? n : long_run;
    int64_t quarters = 3;
    for (size_t i = 0; i < sizeof more_from / sizeof *more_from; i++)
        quarters += iterations > more_from[i];
    if (o->method == RL_WIENER_BUTTERWORTH || o->precondition > 0)
        quarters = 9;
    return (quarters * psf + 3) / 4 + CLOSE;
}

/*
 * Whether the image continues past its edges (mirror or circulant). Blocks then read this continuation from the margin,
 * and estimate only the light beyond the margin.
 */
static bool continues_past_edges(const rl_options *o)
{
    return o->edges != EDGES_ZERO;
}

rl_task rl_task_along(drua_plan *p, const rl_options *o, int axis)
{
    const int64_t psf = rl_psf_shape(p, o).extent[axis];
    const bool smoothed = o->total_variation > 0 && isfinite(o->spacing[axis]);
    rl_task task = {.options = *o,
                    .axis = axis,
                    /* one layer: the noise test compares pairs of pixels */
                    .overlap = psf > 1 || smoothed ? overlap_of(o, psf) : rl_noise_checks(o) > 0};
    task.margin = continues_past_edges(o) ? task.overlap : 0;
    return task;
}

drua_parts rl_parts(const rl_task *t)
{
    drua_parts parts = drua_parts_none();
    parts.axis[3 - t->axis] = -1;
    parts.halo[t->axis] = t->overlap;
    parts.range[t->axis] =
        (drua_affine_range){true, 1, (double)(t->margin - t->overlap), (double)(t->margin + t->overlap)};
    return parts;
}

rl_repetition rl_repetition_along(fourier_box box, int axis)
{
    return (rl_repetition){box.shape.extent[axis], box.at[axis]};
}

rl_block rl_block_of(const rl_task *t, const drua_tile *tile, drua_shape image, drua_shape psf)
{
    const int axis = t->axis;
    const rl_repetition r = rl_repetition_along(rl_box_of_block(image, psf, &t->options, 0), axis);
    rl_block block = {
        .axis = axis, .cut = t->margin ? axis : 0, .own = tile->wanted, .period = t->margin ? r.period : 0};
    for (int k = 0; k < 3; k++) {
        const int64_t shift = (k == axis ? t->margin : 0) - tile->read.first[k];
        block.own.first[k] += shift;
        block.own.end[k] += shift;
    }
    block.seam = t->margin - r.room - tile->read.first[axis];
    block.goes_on = tile->wanted.end[axis] < image.extent[axis];
    block.rim[0] = tile->wanted.first[axis] == 0 ? r.room : 0;
    block.rim[1] = tile->wanted.end[axis] == image.extent[axis] ? r.period - r.room - image.extent[axis] : 0;
    return block;
}

/* ---- the best way to cut */

/*
 * Returns the box of a block in the middle of the image. The block is `thick` layers thick along the task's axis; the
 * box includes the layers of neighbouring blocks that it reads.
 */
static drua_shape box_of(drua_plan *p, const rl_task *t, int64_t thick)
{
    const int axis = t->axis;
    drua_shape block = plan_shape(p, "source");
    drua_box wanted = drua_box_of(block.extent);
    drua_tiling tiling = {.parts = rl_parts(t)};
    for (int k = 0; k < 3; k++) {
        tiling.outputs[k] = block.extent[k];
        tiling.inputs[k] = block.extent[k] + (k == axis ? 2 * t->margin : 0);
    }
    tiling.cuts[axis] = true;
    wanted.first[axis] = (block.extent[axis] - thick) / 2;
    wanted.end[axis] = wanted.first[axis] + thick;
    const drua_tile tile = drua_tile_for(&tiling, &wanted);
    block.extent[axis] = tile.read.end[axis] - tile.read.first[axis];
    return rl_box_of_block(block, rl_psf_shape(p, &t->options), &t->options,
                           continues_past_edges(&t->options) ? axis : 0)
        .shape;
}

static bool box_fits(drua_plan *p, const rl_options *o, drua_shape box)
{
    const uint64_t each = plan_fft_bytes(box);
    return each <= plan_device(p)->largest_allocation && each <= plan_memory_left(p) / (uint64_t)rl_boxes(o, true);
}

/*
 * Returns the work, in pixels, if the image is cut along an axis into the thickest blocks that fit; INFINITY if no
 * block fits.
 */
static double work_along(drua_plan *p, const rl_options *o, int axis, int64_t *count)
{
    const rl_task task = rl_task_along(p, o, axis);
    const int64_t extent = plan_shape(p, "source").extent[axis];
    int64_t min = 0, max = extent;
    while (min < max) {
        const int64_t thick = (min + max + 1) / 2;
        if (box_fits(p, o, box_of(p, &task, thick)))
            min = thick;
        else
            max = thick - 1;
    }
    *count = min ? (extent + min - 1) / min : 0;
    if (!min)
        return INFINITY;
    const drua_shape box = box_of(p, &task, min);
    return (double)*count * (double)box.width * (double)box.height * (double)box.depth;
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
