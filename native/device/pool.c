/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory: size classes of at most 12.5 % waste, kept for reuse. The queue is in order, so a block is free at once. */
#include "internal.h"

#include "alloc.h"
#include "error.h"


enum { CLASSES_PER_DOUBLING = 8, SMALLEST = 4096, ALIGNMENT = 64 };

#define MB(bytes) ((double)(bytes) / (1 << 20))

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

static void count(drua_device *device)
{
    device->statistics.device_bytes = device->reserved + device->used + device->pooled;
    if (device->statistics.device_bytes > device->statistics.peak_bytes)
        device->statistics.peak_bytes = device->statistics.device_bytes;
}

static void destroy(drua_buffer *buffer)
{
    if (buffer->upload)
        buffer->device->cl->clReleaseEvent(buffer->upload);
    buffer->device->cl->clReleaseMemObject(buffer->memory);
    drua_free(buffer);
}

void drua_pool_trim(drua_device *device)
{
    for (size_t i = 0; i < sizeof device->pool / sizeof *device->pool; i++)
        for (drua_buffer *b = device->pool[i], *next; b; b = next) {
            next = b->next;
            destroy(b);
            device->pool[i] = next;
        }
    device->pooled = 0;
    count(device);
}

drua_status drua_buffer_make(drua_device *device, uint64_t bytes, drua_buffer **out)
{
    uint64_t rounded;
    int which = size_class(bytes, &rounded);
    if (bytes > device->info.largest_allocation)
        return drua_fail(DRUA_E_MEMORY, "an image of %.1f MB is larger than the largest block of %s, %.1f MB; cut it into parts",
                         MB(bytes), device->info.name, MB(device->info.largest_allocation));
    if (bytes > device->budget - device->reserved)
        return drua_fail(DRUA_E_MEMORY, "needs %.1f MB at once, and may use %.1f MB of %s; cut the image into parts, or allow more with DRUA_MEMORY",
                         MB(bytes), MB(device->budget - device->reserved), device->info.name);
    if (rounded > device->info.largest_allocation || device->reserved + device->used + rounded > device->budget)
        rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    drua_buffer *buffer = device->pool[which];
    if (buffer && buffer->bytes >= bytes) {
        device->pool[which] = buffer->next;
        device->pooled -= buffer->bytes;
    } else {
        if (device->reserved + device->used + device->pooled + rounded > device->budget)
            drua_pool_trim(device);
        if (device->reserved + device->used + rounded > device->budget)
            return drua_fail(DRUA_E_MEMORY,
                             "needs %.1f MB more on %s, where images hold %.1f of %.1f MB; release images that are no longer needed",
                             MB(rounded), device->info.name, MB(device->used), MB(device->budget));
        buffer = drua_alloc(sizeof *buffer);
        if (!buffer)
            return drua_fail_memory(sizeof *buffer);
        cl_int code;
        buffer->memory = device->cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE, rounded, NULL, &code);
        if (code != CL_SUCCESS) {
            drua_pool_trim(device);
            buffer->memory = device->cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE, rounded, NULL, &code);
        }
        if (code != CL_SUCCESS) {
            drua_free(buffer);
            return drua_device_fail(device, code, "give memory for an image");
        }
        buffer->device = device;
        buffer->bytes = rounded;
    }
    buffer->references = 1;
    buffer->next = NULL;
    device->used += buffer->bytes;
    count(device);
    *out = buffer;
    return DRUA_OK;
}

void drua_buffer_retain(drua_buffer *buffer)
{
    buffer->references++;
}

void drua_buffer_release(drua_buffer *buffer)
{
    if (!buffer || --buffer->references)
        return;
    drua_device *device = buffer->device;
    uint64_t rounded;
    int which = size_class(buffer->bytes, &rounded);
    device->used -= buffer->bytes;
    device->pooled += buffer->bytes;
    buffer->next = device->pool[which];
    device->pool[which] = buffer;
}

bool drua_buffer_is_shared(const drua_buffer *buffer)
{
    return buffer->references > 1;
}

uint64_t drua_buffer_bytes(const drua_buffer *buffer)
{
    return buffer->bytes;
}

void drua_device_memory(const drua_device *device, uint64_t *used, uint64_t *pooled)
{
    *used = device->used;
    *pooled = device->pooled;
}
