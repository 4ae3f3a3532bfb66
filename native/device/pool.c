/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps blocks of device memory for reuse, in size classes with at most 12.5 % waste. The queue runs commands in order,
 * so a released block is free at once.
 */
#include "internal.h"

#include "alloc.h"
#include "error.h"

enum { CLASSES_PER_DOUBLING = 8, SMALLEST = 4096, ALIGNMENT = 64 };

static int size_class(uint64_t bytes, uint64_t *rounded)
{
    uint64_t base = SMALLEST;
    int doubling = 0;
    if (bytes < base)
        bytes = base;
    while (base * 2 <= bytes) {
        base *= 2;
        doubling++;
    }
    uint64_t step = base / CLASSES_PER_DOUBLING, part = (bytes - base + step - 1) / step;
    *rounded = base + part * step;
    return doubling * CLASSES_PER_DOUBLING + (int)part;
}

static void update_statistics(drua_device *device)
{
    drua_statistics *s = &device->statistics;
    s->device_bytes = device->reserved + device->used + device->pooled;
    if (s->device_bytes > s->peak_bytes)
        s->peak_bytes = s->device_bytes;
}

/* Returns one block of the pool, from the largest non-empty class, to the driver. */
static void destroy_largest(drua_device *device)
{
    int i = (int)(sizeof device->pool / sizeof *device->pool) - 1;
    while (!device->pool[i])
        i--;
    drua_block *block = device->pool[i];
    device->pool[i] = block->next;
    device->pooled -= block->bytes;
    device->generation++;
    if (block->upload)
        device->cl->clReleaseEvent(block->upload);
    device->cl->clReleaseMemObject(block->memory);
    drua_free(block);
    update_statistics(device);
}

void drua_pool_trim(drua_device *device)
{
    while (device->pooled > 0)
        destroy_largest(device);
}

drua_block *drua_pool_take(drua_device *device, uint64_t bytes)
{
    uint64_t rounded;
    int which = size_class(bytes, &rounded);
    drua_block *block = device->pool[which];
    if (!block || block->bytes < bytes)
        return NULL;
    device->pool[which] = block->next;
    device->pooled -= block->bytes;
    device->used += block->bytes;
    return block;
}

void drua_pool_give(drua_device *device, drua_block *block)
{
    uint64_t rounded;
    int which = size_class(block->bytes, &rounded);
    device->used -= block->bytes;
    device->pooled += block->bytes;
    block->next = device->pool[which];
    device->pool[which] = block;
}

bool drua_pool_has_room(drua_device *device, uint64_t bytes)
{
    while (device->pooled > 0 && device->reserved + device->used + device->pooled + bytes > device->budget)
        destroy_largest(device);
    return device->reserved + device->used + device->pooled + bytes <= device->budget;
}

uint64_t drua_pool_rounded(const drua_device *device, uint64_t bytes)
{
    uint64_t rounded, exact = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_class(bytes, &rounded);
    return rounded > device->info.largest_allocation || device->reserved + device->used + rounded > device->budget
               ? exact
               : rounded;
}

drua_status drua_pool_create(drua_device *device, uint64_t bytes, drua_block **out)
{
    drua_block *block = drua_alloc(sizeof *block);
    if (!block)
        return drua_fail_memory(sizeof *block);
    cl_int code;
    block->memory = device->cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        drua_free(block);
        return drua_device_fail(device, code, "allocate memory for an image");
    }
    block->bytes = bytes;
    device->used += bytes;
    update_statistics(device);
    *out = block;
    return DRUA_OK;
}
