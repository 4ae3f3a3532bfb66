/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches kernels in the compute queue. Only arguments that changed are set, and long work is sent in chunks. */
#include "internal.h"

#include "error.h"
#include "hash.h"

#include <string.h>

static cl_int set_argument(drua_device *device, drua_kernel *kernel, int variant, cl_uint *index, size_t size,
                           const void *bytes)
{
    cl_uint i = (*index)++;
    if (i >= sizeof kernel->last / sizeof *kernel->last)
        return CL_INVALID_ARG_INDEX;
    if (size > sizeof kernel->last->bytes)
        return device->cl->clSetKernelArg(kernel->handle[variant], i, size, bytes);
    if (kernel->last[i].size == size && !memcmp(kernel->last[i].bytes, bytes, size))
        return CL_SUCCESS;
    cl_int code = device->cl->clSetKernelArg(kernel->handle[variant], i, size, bytes);
    kernel->last[i].size = code == CL_SUCCESS ? size : 0;
    if (code == CL_SUCCESS)
        memcpy(kernel->last[i].bytes, bytes, size);
    return code;
}

static cl_int set_buffer(drua_device *device, drua_kernel *kernel, int variant, cl_uint *index, drua_buffer *buffer,
                         drua_use *use)
{
    drua_use_add(use, buffer->block);
    return set_argument(device, kernel, variant, index, sizeof(cl_mem), &buffer->memory);
}

static drua_status set_arguments(drua_device *device, drua_kernel *kernel, int variant, const drua_arg *arguments,
                                 drua_use *use)
{
    cl_uint index = 0;
    cl_int code = CL_SUCCESS;
    if (kernel->generation != device->generation || kernel->last_variant != variant)
        for (size_t i = 0; i < sizeof kernel->last / sizeof *kernel->last; i++)
            kernel->last[i].size = 0;
    kernel->generation = device->generation;
    kernel->last_variant = variant;
    for (const drua_arg *a = arguments; a->kind && code == CL_SUCCESS; a++)
        switch (a->kind) {
        case DRUA_LAUNCH_VIEW:
            code = set_buffer(device, kernel, variant, &index, a->as.view.buffer, use);
            if (code == CL_SUCCESS)
                code = set_argument(device, kernel, variant, &index, sizeof(drua_layout), &a->as.view.layout);
            break;
        case DRUA_LAUNCH_POINTER:
            code = set_buffer(device, kernel, variant, &index, a->as.view.buffer, use);
            break;
        case DRUA_LAUNCH_INT:
            code = set_argument(device, kernel, variant, &index, sizeof a->as.integer, &a->as.integer);
            break;
        case DRUA_LAUNCH_LONG:
            code = set_argument(device, kernel, variant, &index, sizeof a->as.wide, &a->as.wide);
            break;
        case DRUA_LAUNCH_FLOAT:
            code = set_argument(device, kernel, variant, &index, sizeof a->as.real, &a->as.real);
            break;
        case DRUA_LAUNCH_TABLE: {
            size_t at;
            DRUA_TRY(drua_ring_write(device, a->as.table.bytes, a->as.table.length, &at));
            cl_int position = (cl_int)at;
            code = set_argument(device, kernel, variant, &index, sizeof(cl_mem), &device->ring.memory);
            if (code == CL_SUCCESS)
                code = set_argument(device, kernel, variant, &index, sizeof position, &position);
            break;
        }
        case DRUA_LAUNCH_NUMBERS:
            code = set_argument(device, kernel, variant, &index, DRUA_NUMBERS * sizeof(float), a->as.numbers);
            break;
        case DRUA_LAUNCH_WEIGHTS:
            code = set_argument(device, kernel, variant, &index, DRUA_WEIGHTS * sizeof(float), a->as.numbers);
            break;
        case DRUA_LAUNCH_LOCAL:
            code = device->cl->clSetKernelArg(kernel->handle[variant], index++, a->as.local, NULL);
            break;
        case DRUA_LAUNCH_END:
            break;
        }
    return code == CL_SUCCESS ? DRUA_OK : drua_device_fail(device, code, "accept a kernel's arguments");
}

static bool has_buffer(const drua_arg *a)
{
    return (a->kind == DRUA_LAUNCH_VIEW || a->kind == DRUA_LAUNCH_POINTER) && a->as.view.buffer;
}

static void unpin_arguments(const drua_arg *arguments, const drua_arg *end)
{
    for (const drua_arg *a = arguments; a < end; a++)
        if (has_buffer(a))
            drua_buffer_unpin(a->as.view.buffer);
}

/* A part of a grid, in work-items. */
typedef struct part {
    size_t from[3], items[3], group[3];
    uint64_t count;
} part;

/* Whether PoCL must compile first, as it does for each group size and for certain kinds of grids. */
static bool is_new(drua_kernel *kernel, cl_kernel handle, const part *p)
{
    uint64_t key = drua_hash(DRUA_HASH_START, &handle, sizeof handle);
    key = drua_hash(key, p->group, sizeof p->group);
    for (int i = 0; i < 3; i++) {
        const unsigned char kind =
            (unsigned char)((p->from[i] > 0) << 2 | (p->items[i] == p->group[i]) << 1 | (p->items[i] >= 1 << 15));
        key = drua_hash(key, &kind, 1);
    }
    for (int i = 0; i < DRUA_SEEN_LAUNCHES; i++)
        if (kernel->seen[i] == key)
            return false;
    kernel->seen[kernel->next_seen++ % DRUA_SEEN_LAUNCHES] = key;
    return true;
}

static drua_status send_part(drua_device *device, drua_kernel *kernel, cl_kernel handle, const part *p, drua_rate *rate,
                             drua_use *use)
{
    /* only the event of this launch shows whether the pixels have arrived */
    const bool waits = use->wait_count > 0;
    const bool compiles = !device->info.is_gpu && is_new(kernel, handle, p);
    const bool last = rate || waits || compiles || device->unflushed + 1 >= drua_launches_a_fence(device);
    cl_event event = NULL;
    if (last)
        DRUA_TRY(drua_make_room(device, rate));
    DRUA_TRY(drua_device_check(device));
    const bool offset = p->from[0] || p->from[1] || p->from[2];
    if (compiles) {
        DRUA_TRY(drua_compiler_enter()); /* an exit waits until drua_launch_compiles has the launch's event */
        drua_signals_save();
        drua_program_wanted(device);
    }
    const cl_int code =
        device->cl->clEnqueueNDRangeKernel(device->queue, handle, 3, offset ? p->from : NULL, p->items, p->group,
                                           use->wait_count, use->wait_count ? use->waits : NULL, last ? &event : NULL);
    if (compiles) {
        drua_program_done(device);
        drua_signals_restore();
        if (code == CL_SUCCESS)
            drua_launch_compiles(device, event);
        drua_compiler_exit();
    }
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "start a kernel");
    device->sent++;
    drua_use_waited(device, use);
    device->unflushed++;
    if (!last)
        return DRUA_OK;
    drua_fence_add(device, event, rate, p->count, rate || !waits);
    device->unflushed = 0;
    const cl_int flushed = drua_flush(device, device->queue);
    return flushed == CL_SUCCESS ? DRUA_OK : drua_device_fail(device, flushed, "start a kernel");
}

/* The queue is kept short, so sent work is nearly complete. */
static void report_progress(drua_device *device, uint64_t left, uint64_t all)
{
    atomic_store_explicit(&device->launched, left ? (int)(1000 * (double)(all - left) / (double)all) : -1,
                          memory_order_relaxed);
}

/* A launch that is sent in chunks. */
typedef struct cut {
    drua_device *device;
    drua_kernel *kernel;
    cl_kernel handle;
    drua_rate *rate;
    drua_use *use;
    uint64_t effort, chunk, left, all;
} cut;

/*
 * Sends a part of the grid in chunks along an axis. If a chunk is smaller than one layer of groups, each layer is
 * divided along the next axis.
 */
static drua_status send_along(cut *c, int axis, part p)
{
    const uint64_t forced = drua_chunk_forced();
    drua_status status = DRUA_OK;
    while (p.items[axis] && status == DRUA_OK) {
        const uint64_t groups = p.items[axis] / p.group[axis], layer = p.count / groups;
        c->chunk = forced ? forced : drua_rate_chunk(c->device, c->rate, c->chunk, c->effort);
        const uint64_t chunks = (p.count + c->chunk - 1) / c->chunk;
        const bool divides = axis > 0 && layer > c->chunk;
        part now = p;
        now.items[axis] = p.group[axis] * (divides || chunks >= groups ? 1 : (size_t)(groups / chunks));
        now.count = now.items[axis] / p.group[axis] * layer;
        if (divides) {
            status = send_along(c, axis - 1, now);
        } else {
            status = send_part(c->device, c->kernel, c->handle, &now, c->rate, c->use);
            c->left -= now.count;
            report_progress(c->device, status == DRUA_OK ? c->left : 0, c->all);
        }
        p.from[axis] += now.items[axis];
        p.items[axis] -= now.items[axis];
        p.count -= now.count;
    }
    return status;
}

/* Kernels on many pixels are timed, and sent in chunks that end soon if the whole may take long. */
static drua_status send_in_chunks(drua_device *device, drua_kernel *kernel, cl_kernel handle, const part *all,
                                  uint64_t effort, const drua_arg *arguments, drua_use *use)
{
    drua_rate *rate = drua_rate_find(device, kernel, arguments);
    if (kernel->indivisible || (!drua_chunk_forced() && drua_rate_is_short(device, rate, all->count, effort)))
        return send_part(device, kernel, handle, all, rate, use);
    cut c = {device, kernel, handle, rate, use, effort, 0, all->count, all->count};
    return send_along(&c, 2, *all);
}

static drua_status send_all(drua_device *device, drua_kernel *kernel, int variant, drua_grid grid,
                            const drua_arg *arguments)
{
    const uint64_t effort = drua_grid_effort(device, &grid);
    const uint64_t watched = drua_chunk_forced() ? drua_chunk_forced() : DRUA_HEAVY_ITEMS / effort;
    drua_use use = {.count = 0};
    part all = {.count = 1};
    DRUA_TRY(drua_kernel_fit_group(device, kernel, variant, grid.group));
    for (int i = 0; i < 3; i++) {
        all.from[i] = (size_t)grid.from[i];
        all.group[i] = (size_t)grid.group[i];
        all.items[i] = ((size_t)grid.items[i] + all.group[i] - 1) / all.group[i] * all.group[i];
        all.count *= all.items[i];
    }
    DRUA_TRY(set_arguments(device, kernel, variant, arguments, &use));
    drua_status status = all.count >= watched
                             ? send_in_chunks(device, kernel, kernel->handle[variant], &all, effort, arguments, &use)
                             : send_part(device, kernel, kernel->handle[variant], &all, NULL, &use);
    device->statistics.launches += status == DRUA_OK;
    drua_use_end(device, &use);
    return status;
}

/* Sets a kernel's arguments and sends it. */
static drua_status launch_kernel(drua_device *device, drua_kernel *kernel, int variant, drua_grid grid,
                                 const drua_arg *arguments)
{
    const drua_arg *a = arguments;
    drua_status status = drua_device_check(device);
    for (; status == DRUA_OK && a->kind; a++)
        if (has_buffer(a) && (status = drua_buffer_pin(a->as.view.buffer)) != DRUA_OK)
            break;
    if (status == DRUA_OK)
        status = send_all(device, kernel, variant, grid, arguments);
    unpin_arguments(arguments, a);
    return status;
}

drua_status drua_device_launch(drua_device *device, const char *name, drua_grid grid, const drua_arg *arguments)
{
    drua_kernel *kernel = drua_kernel_find(device, name);
    if (!kernel)
        return drua_fail(DRUA_E_INTERNAL, "there is no kernel %s", name);
    const int variant =
        drua_kernel_choose_variant(device, kernel, drua_device_index_width(arguments), &grid, arguments);
    DRUA_TRY(drua_kernel_prepare(device, kernel, variant));
    return launch_kernel(device, kernel, variant, grid, arguments);
}

drua_status drua_jit_launch(drua_jit_kernel *jit, drua_grid grid, const drua_arg *arguments)
{
    const drua_jit_part own = drua_jit_part_of(jit);
    return launch_kernel(own.device, own.kernel, own.width, grid, arguments);
}
