/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over all blocks. The engine runs it in tiles, with the pass as its state. */
#include "blocks.h"
#include "plan_devices.h"

#include <pthread.h>
#include <string.h>

static void without_margin(drua_plan *p, drua_shape *shape)
{
    const rl_pass *pass = plan_state(p);
    shape->extent[pass->task.axis] -= 2 * pass->task.margin;
}

static drua_tile tile_of(drua_plan *p)
{
    const drua_shape read = plan_shape(p, "source"), made = plan_shape(p, "destination");
    drua_tile tile;
    plan_whole_shape(p, "source", tile.read.first);
    plan_whole_shape(p, "destination", tile.made.first);
    for (int axis = 0; axis < 3; axis++) {
        tile.read.end[axis] = tile.read.first[axis] + read.extent[axis];
        tile.made.end[axis] = tile.made.first[axis] + made.extent[axis];
    }
    tile.wanted = tile.made;
    return tile;
}

/*
 * Inserts a result in the order of layers. A block that did not fit is repeated as thinner blocks, whose results
 * replace it.
 */
static void insert_result(rl_pass *pass, rl_result result)
{
    int64_t first = 0, end = pass->count;
    while (first < pass->count && pass->results[first].end <= result.first)
        first++;
    while (end > first && pass->results[end - 1].first >= result.end)
        end--;
    memmove(&pass->results[first + 1], &pass->results[end], (size_t)(pass->count - end) * sizeof result);
    pass->results[first] = result;
    pass->count += first + 1 - end;
}

/* Stores the result of a block. Blocks on several devices end in any order, each in its own thread. */
static void store_result(rl_pass *pass, rl_result result)
{
    const size_t count = (size_t)rl_sums(&pass->task.options);
    pthread_mutex_lock(&pass->lock);
    double *sums = plan_host_memory(pass->owner, (count + 1) * sizeof *sums);
    if (sums) {
        memcpy(sums, result.sums, count * sizeof *sums);
        result.sums = sums;
        insert_result(pass, result);
    }
    pthread_mutex_unlock(&pass->lock);
}

static void run_block(drua_plan *p)
{
    rl_pass *pass = plan_state(p);
    const drua_tile tile = tile_of(p);
    const rl_result result = rl_run_block(p, &pass->task, &tile);
    if (!plan_failed(p) && !plan_is_trial(p))
        store_result(pass, result);
}

static void parts_of_pass(drua_plan *p, drua_parts *parts)
{
    const rl_pass *pass = plan_state(p);
    *parts = rl_parts(&pass->task);
}

#define BLOCK_PARAMS                                                                             \
    DRUA_IMAGE_IN("source", "blurred image, with its margin"), DRUA_IMAGE_WHOLE("psf", "point spread function"), \
        DRUA_IMAGE_OUT("destination", "restored image", .type = DRUA_FLOAT32, .shape = without_margin)

static const drua_op block = {
    DRUA_PARAMS(BLOCK_PARAMS), .numeric = DRUA_APPROXIMATE, .traits = DRUA_WHOLE,
    .launch = run_block,       .parts = parts_of_pass,
};

static const drua_op masked_block = {
    DRUA_PARAMS(BLOCK_PARAMS, DRUA_IMAGE_IN("mask", "bad pixels: not 0")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = run_block,
    .parts = parts_of_pass,
};

drua_operand rl_run_pass(rl_pass *pass, drua_operand source, drua_operand psf, drua_operand mask)
{
    const drua_operand operands[] = {source, psf, mask};
    const drua_op *op = pass->task.masked ? &masked_block : &block;
    const char *devices = pass->task.options.devices;
    const size_t count = pass->task.masked ? 3 : 2;
    const int64_t layers = plan_shape(pass->owner, "source").extent[pass->task.axis];
    pass->count = 0;
    pass->results = plan_host_memory(pass->owner, (size_t)layers * sizeof *pass->results);
    pthread_mutex_init(&pass->lock, NULL);
    const drua_operand restored =
        plan_call_on_devices(pass->owner, op, *devices ? devices : NULL, pass, 0, operands, count);
    pthread_mutex_destroy(&pass->lock);
    return restored;
}
