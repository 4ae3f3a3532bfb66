/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

enum { FLUSH_AFTER = 16 };

static int64_t reach(const drua_layout *l)
{
    int64_t last = l->offset + (int64_t)(l->width - 1) * l->column + (int64_t)(l->height - 1) * l->row +
                   (int64_t)(l->depth - 1) * l->plane;
    return last > l->offset ? last : l->offset;
}

/* 64-bit indices only where an image reaches beyond what 32 bits can count. */
int drua_device_index_width(const drua_arg *arguments)
{
    static int forced = -1;
    if (forced < 0)
        forced = getenv("DRUA_INDEX64") != NULL;
    for (const drua_arg *a = arguments; a->kind; a++)
        if (a->kind == DRUA_LAUNCH_VIEW && reach(&a->as.view.layout) > INT32_MAX - 65536)
            return 1;
    return forced;
}

static cl_int set(drua_device *device, drua_kernel *kernel, int width, cl_uint *index, size_t size, const void *bytes)
{
    cl_uint i = (*index)++;
    if (i >= sizeof kernel->last[width] / sizeof kernel->last[width][0] || size > sizeof kernel->last[width][0].bytes)
        return CL_INVALID_ARG_INDEX;
    if (kernel->last[width][i].size == size && !memcmp(kernel->last[width][i].bytes, bytes, size))
        return CL_SUCCESS;
    cl_int code = device->cl->clSetKernelArg(kernel->handle[width], i, size, bytes);
    kernel->last[width][i].size = code == CL_SUCCESS ? size : 0;
    if (code == CL_SUCCESS)
        memcpy(kernel->last[width][i].bytes, bytes, size);
    return code;
}

/* Sets the arguments that changed; buffers are on the device. */
static drua_status set_arguments(drua_device *device, drua_kernel *kernel, int width, const drua_arg *arguments)
{
    cl_uint index = 0;
    cl_int code = CL_SUCCESS;
    if (kernel->generation[width] != device->generation)
        for (size_t i = 0; i < sizeof kernel->last[width] / sizeof kernel->last[width][0]; i++)
            kernel->last[width][i].size = 0;
    kernel->generation[width] = device->generation;
    for (const drua_arg *a = arguments; a->kind && code == CL_SUCCESS; a++)
        switch (a->kind) {
        case DRUA_LAUNCH_VIEW:
            code = set(device, kernel, width, &index, sizeof(cl_mem), &a->as.view.buffer->memory);
            if (code == CL_SUCCESS)
                code = set(device, kernel, width, &index, sizeof(drua_layout), &a->as.view.layout);
            break;
        case DRUA_LAUNCH_POINTER:
            code = set(device, kernel, width, &index, sizeof(cl_mem), &a->as.view.buffer->memory);
            break;
        case DRUA_LAUNCH_INT:
            code = set(device, kernel, width, &index, sizeof a->as.integer, &a->as.integer);
            break;
        case DRUA_LAUNCH_LONG:
            code = set(device, kernel, width, &index, sizeof a->as.wide, &a->as.wide);
            break;
        case DRUA_LAUNCH_FLOAT:
            code = set(device, kernel, width, &index, sizeof a->as.real, &a->as.real);
            break;
        case DRUA_LAUNCH_TABLE: {
            size_t at;
            DRUA_TRY(drua_ring_write(device, a->as.table.bytes, a->as.table.length, &at));
            cl_int position = (cl_int)at;
            code = set(device, kernel, width, &index, sizeof(cl_mem), &device->ring.memory);
            if (code == CL_SUCCESS)
                code = set(device, kernel, width, &index, sizeof position, &position);
            break;
        }
        case DRUA_LAUNCH_NUMBERS:
            code = set(device, kernel, width, &index, DRUA_NUMBERS * sizeof(float), a->as.numbers);
            break;
        case DRUA_LAUNCH_LOCAL:
            code = device->cl->clSetKernelArg(kernel->handle[width], index++, a->as.local, NULL);
            break;
        case DRUA_LAUNCH_END:
            break;
        }
    if (code != CL_SUCCESS)
        return drua_opencl_fail(code, "take a kernel's arguments");
    return DRUA_OK;
}

static bool has_buffer(const drua_arg *a)
{
    return (a->kind == DRUA_LAUNCH_VIEW || a->kind == DRUA_LAUNCH_POINTER) && a->as.view.buffer;
}

static void unpin(const drua_arg *arguments, const drua_arg *end)
{
    for (const drua_arg *a = arguments; a < end; a++)
        if (has_buffer(a))
            drua_buffer_unpin(a->as.view.buffer);
}

static drua_status send(drua_device *device, drua_kernel *kernel, int width, drua_grid grid)
{
    size_t global[3], local[3];
    for (int i = 0; i < 3; i++) {
        local[i] = (size_t)grid.group[i];
        global[i] = ((size_t)grid.items[i] + local[i] - 1) / local[i] * local[i];
    }
    if (!device->info.is_gpu)
        drua_signals_save();        /* PoCL compiles at a kernel's first launch */
    cl_int code = device->cl->clEnqueueNDRangeKernel(device->queue, kernel->handle[width], 3, NULL, global, local, 0, NULL, NULL);
    if (!device->info.is_gpu)
        drua_signals_restore();
    if (code != CL_SUCCESS)
        return drua_opencl_fail(code, "start a kernel");
    device->statistics.launches++;
    if (++device->unflushed >= FLUSH_AFTER) {
        device->cl->clFlush(device->queue);
        device->unflushed = 0;
    }
    return DRUA_OK;
}

drua_status drua_kernel_launch(drua_device *device, drua_kernel *kernel, int width, drua_grid grid, const drua_arg *arguments)
{
    const drua_arg *a = arguments;
    drua_status status = DRUA_OK;
    for (; a->kind && status == DRUA_OK; a++)
        if (has_buffer(a))
            status = drua_buffer_pin(a->as.view.buffer);
    if (status == DRUA_OK)
        status = set_arguments(device, kernel, width, arguments);
    else
        a--;
    if (status == DRUA_OK)
        status = send(device, kernel, width, grid);
    unpin(arguments, a);
    return status;
}

drua_status drua_device_launch(drua_device *device, const char *name, drua_grid grid, const drua_arg *arguments)
{
    const int width = drua_device_index_width(arguments);
    drua_kernel *kernel;
    DRUA_TRY(drua_device_kernel(device, name, width, &kernel));
    return drua_kernel_launch(device, kernel, width, grid, arguments);
}
