/* SPDX-License-Identifier: BSD-3-Clause */
#include "choose_block.h"

#include "workers.h"
#include "error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

drua_box middle_block(const int64_t extent[3], const int64_t step[3])
{
    const drua_box all = drua_box_of(extent);
    int64_t number = 0, along = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t count = (extent[axis] + step[axis] - 1) / step[axis];
        number += (count - 1) / 2 * along;
        along *= count;
    }
    return drua_box_part(&all, step, number);
}

/* Computes the memory of a block of this extent. `work` is the number of pixels that all blocks together read. */
static drua_status measure_block(const graph *g, const int *outputs, int output_count, const int64_t step[3],
                                 block_bytes *bytes, double *work)
{
    block_boxes b;
    const int64_t *extent = g->values[outputs[0]].image->shape.extent;
    const drua_box all = drua_box_of(extent), box = middle_block(extent, step);
    const drua_status status = boxes_find(g, outputs, output_count, &box, &b);
    if (status == DRUA_OK) {
        *bytes = boxes_bytes(g, outputs, output_count, &b);
        *work = boxes_read(g, &b) * (double)drua_box_parts(&all, step);
    }
    boxes_free(&b);
    return status;
}

uint64_t job_host_bytes(const block_bytes *b)
{
    return (BLOCKS_READ + 1) * b->read + (BLOCKS_MADE + 2) * b->made;
}

static bool block_fits(const block_bytes *b, const block_limits *l)
{
    return b->max <= l->device && b->largest <= l->buffer && job_host_bytes(b) <= l->host;
}

/* Returns the axis along which halving the blocks adds the fewest reads; -1 if a block is already one file. */
static drua_status axis_to_halve(const graph *g, const int *outputs, int output_count, const block_limits *l,
                                 const int64_t step[3], int *best)
{
    double min = INFINITY, work;
    block_bytes bytes;
    *best = -1;
    for (int axis = 2; axis >= 0; axis--) {
        int64_t half[] = {step[0], step[1], step[2]};
        if (step[axis] <= l->file[axis])
            continue;
        half[axis] = (step[axis] / l->file[axis] + 1) / 2 * l->file[axis];
        DRUA_TRY(measure_block(g, outputs, output_count, half, &bytes, &work));
        if (work < min) {
            min = work;
            *best = axis;
        }
    }
    return DRUA_OK;
}

static bool is_enough(const int64_t extent[3], const int64_t step[3])
{
    enum { ENOUGH = 16, SMALL = 1 << 22 };
    const drua_box all = drua_box_of(extent);
    return drua_box_parts(&all, step) >= ENOUGH || step[0] * step[1] * step[2] <= SMALL;
}

static drua_status too_large(const block_bytes *b, const block_limits *l)
{
    const double mb = 1e6;
    if (b->max > l->device || b->largest > l->buffer)
        return drua_fail(DRUA_E_MEMORY,
                         "a block needs %.1f MB of the device's memory, but only %.1f MB may be used (at most %.1f MB "
                         "in one allocation); allow more with --memory, or choose smaller chunks or shards",
                         (double)b->max / mb, (double)l->device / mb, (double)l->buffer / mb);
    return drua_fail(DRUA_E_MEMORY,
                     "blocks need %.1f MB of host memory, but only %.1f MB may be used; allow more with --host-memory, "
                     "or choose smaller chunks or shards",
                     (double)job_host_bytes(b) / mb, (double)l->host / mb);
}

drua_status choose_block(const graph *g, const int *outputs, int output_count, const block_limits *l, int64_t step[3],
                         block_bytes *what)
{
    const int64_t *extent = g->values[outputs[0]].image->shape.extent;
    const bool chosen = step[0] > 0;
    double work, halves;
    for (int axis = 0; axis < 3 && !chosen; axis++)
        step[axis] = (extent[axis] + l->file[axis] - 1) / l->file[axis] * l->file[axis];
    DRUA_TRY(measure_block(g, outputs, output_count, step, what, &work));
    while (!chosen) {
        const bool needed = !block_fits(what, l);
        int axis;
        if (!needed && is_enough(extent, step))
            break;
        DRUA_TRY(axis_to_halve(g, outputs, output_count, l, step, &axis));
        if (axis < 0)
            break;
        int64_t half[] = {step[0], step[1], step[2]};
        block_bytes bytes;
        half[axis] = (step[axis] / l->file[axis] + 1) / 2 * l->file[axis];
        DRUA_TRY(measure_block(g, outputs, output_count, half, &bytes, &halves));
        /* halving blocks only to have more of them may add at most a quarter to the reads */
        if (!needed && halves > 1.25 * work)
            break;
        for (int k = 0; k < 3; k++)
            step[k] = half[k];
        *what = bytes;
        work = halves;
    }
    return block_fits(what, l) ? DRUA_OK : too_large(what, l);
}

/* ---- blocks of passes */

/*
 * Returns the axis along which halving leaves the fewest pixels to decode and compute. For a TIFF, blocks become slabs,
 * because each block reads whole planes. If a filter needs neighbouring planes, the slabs are thicker.
 */
static drua_status axis_of_least_work(const int64_t chunk[3], const graph *g, const int *values, int count,
                                      const int64_t step[3], int *best)
{
    static const double computing = 4; /* cost of computing a pixel, relative to decoding it */
    const int64_t *extent = g->values[values[0]].image->shape.extent;
    const drua_box all = drua_box_of(extent);
    double min = INFINITY;
    for (int axis = 2; axis >= 0; axis--) {
        int64_t half[] = {step[0], step[1], step[2]};
        block_boxes b;
        half[axis] = (step[axis] + 1) / 2;
        if (step[axis] == 1)
            continue;
        const drua_box box = middle_block(extent, half);
        const drua_status status = boxes_find(g, values, count, &box, &b);
        const double work = status == DRUA_OK ? (boxes_read_in_chunks(g, &b, chunk) + computing * boxes_read(g, &b)) *
                                                    (double)drua_box_parts(&all, half)
                                              : 0;
        boxes_free(&b);
        DRUA_TRY(status);
        if (work < min) {
            min = work;
            *best = axis;
        }
    }
    return DRUA_OK;
}

drua_status choose_pass_slab(const graph *g, const int *values, int count, const block_limits *limits,
                             const int64_t chunk[3], int64_t max_pixels, int64_t step[3])
{
    block_bytes bytes;
    memset(step, 0, 3 * sizeof *step);
    DRUA_TRY(choose_block(g, values, count, limits, step, &bytes));
    while (step[0] * step[1] * step[2] > max_pixels) {
        int axis = 0;
        DRUA_TRY(axis_of_least_work(chunk, g, values, count, step, &axis));
        step[axis] = (step[axis] + 1) / 2;
    }
    return DRUA_OK;
}
