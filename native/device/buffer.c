/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers hold the memory of images and of temporary data. A buffer gets device memory when it is first used. When
 * other buffers need that memory, the least recently used ones move to the host, and return when they are used again. A
 * launch or transfer pins its buffers only until it is sent: the queue runs commands in order, so its buffers may move
 * immediately afterwards.
 */
#include "internal.h"

#include "alloc.h"
#include "cores.h"
#include "error.h"

#include <string.h>

#define MB(bytes) ((double)(bytes) / (1 << 20))

/* ---- the order of use */

static void unlink_used(drua_buffer *b)
{
    drua_device *device = b->device;
    *(b->newer ? &b->newer->older : &device->newest) = b->older;
    *(b->older ? &b->older->newer : &device->oldest) = b->newer;
    b->older = b->newer = NULL;
}

static void link_newest(drua_buffer *b)
{
    drua_device *device = b->device;
    b->older = device->newest;
    *(b->older ? &b->older->newer : &device->oldest) = b;
    device->newest = b;
}

/* ---- moving: plain host memory */

static void leave_device(drua_buffer *b)
{
    unlink_used(b);
    drua_pool_give(b->device, b->block);
    b->block = NULL;
    b->memory = NULL;
}

static void set_host(drua_buffer *b, void *host)
{
    drua_statistics *s = &b->device->statistics;
    if (b->host)
        s->host_bytes -= b->bytes;
    if (host)
        s->host_bytes += b->bytes;
    if (host != b->host)
        drua_free(b->host);
    b->host = host;
}

drua_status drua_buffer_spill(drua_buffer *b)
{
    if (!b->block)
        return DRUA_OK;
    if (b->pins)
        return drua_fail(DRUA_E_MEMORY,
                         "another thread is copying an image that must be moved off %s for this step; try again when "
                         "it has finished",
                         b->device->info.name);
    void *host = drua_alloc(b->bytes);
    if (!host)
        return drua_fail(
            DRUA_E_MEMORY,
            "host memory does not have %.1f MB for an image that must be moved off %s; release images that "
            "are no longer needed",
            MB(b->bytes), b->device->info.name);
    drua_status status = drua_block_move(b->device, true, b->block, host, b->bytes);
    if (status != DRUA_OK) {
        drua_free(host);
        return status;
    }
    leave_device(b);
    set_host(b, host);
    b->device->statistics.spilled_bytes += b->bytes;
    return DRUA_OK;
}

drua_status drua_buffer_move_to_host(drua_buffer *b)
{
    DRUA_TRY(drua_buffer_spill(b));
    if (!b->host)
        set_host(b, drua_alloc(b->bytes));
    return b->host ? DRUA_OK : drua_fail_memory(b->bytes);
}

/* ---- device memory */

static drua_buffer *oldest_unpinned(const drua_device *device)
{
    drua_buffer *b = device->oldest;
    while (b && b->pins)
        b = b->newer;
    return b;
}

static drua_status no_room(const drua_device *device, uint64_t bytes)
{
    return drua_fail(DRUA_E_MEMORY,
                     "needs %.1f MB in addition to the %.1f MB that this step uses, but may use only %.1f MB of %s; "
                     "crop or split the images, or allow more memory with DRUA_MEMORY",
                     MB(bytes), MB(device->used), MB(device->budget - device->reserved), device->info.name);
}

static drua_status acquire_block(drua_device *device, uint64_t bytes, drua_block **block)
{
    while (!(*block = drua_pool_take(device, bytes))) {
        const uint64_t rounded = drua_pool_rounded(device, bytes);
        const bool room = drua_pool_has_room(device, rounded);
        drua_status status = room ? drua_pool_create(device, rounded, block) : DRUA_E_MEMORY;
        if (status != DRUA_E_MEMORY)
            return status;
        drua_buffer *oldest = oldest_unpinned(device);
        if (room)       /* the driver has less memory than the budget allows */
            drua_pool_trim(device);
        if (!oldest)
            return room ? drua_pool_create(device, rounded, block) : no_room(device, bytes);
        DRUA_TRY(drua_buffer_spill(oldest));
    }
    return DRUA_OK;
}

/* The owner uses a separate queue, so no earlier command may still use the block. */
drua_status drua_device_reserve(drua_device *device, uint64_t bytes, const void *content, drua_block **block)
{
    DRUA_TRY(acquire_block(device, bytes, block));
    device->used -= (*block)->bytes;
    device->reserved += (*block)->bytes;
    drua_status status = drua_device_finish_reporting(device, NULL);
    if (status == DRUA_OK && content)
        status = drua_block_move(device, false, *block, (void *)(uintptr_t)content, bytes);
    if (status == DRUA_OK && (*block)->upload)
        status = drua_wait(device, (*block)->upload);
    if (status != DRUA_OK)
        drua_device_give_back(device, *block);
    return status;
}

void drua_device_give_back(drua_device *device, drua_block *block)
{
    device->reserved -= block->bytes;
    device->used += block->bytes;
    block->last_use = device->sent;
    drua_pool_give(device, block);
}

cl_mem drua_block_handle(const drua_block *block)
{
    return block->memory;
}

drua_status drua_buffer_use(drua_buffer *b)
{
    if (b->block) {
        if (b->newer) {
            unlink_used(b);
            link_newest(b);
        }
        return DRUA_OK;
    }
    drua_block *block;
    DRUA_TRY(acquire_block(b->device, b->bytes, &block));
    drua_status status = b->host ? drua_block_move(b->device, false, block, b->host, b->bytes) : DRUA_OK;
    if (status != DRUA_OK) {
        drua_pool_give(b->device, block);
        return status;
    }
    set_host(b, NULL);
    b->block = block;
    b->memory = block->memory;
    link_newest(b);
    return DRUA_OK;
}

drua_status drua_buffer_pin(drua_buffer *b)
{
    drua_status status = drua_buffer_use(b);
    b->pins += status == DRUA_OK;
    return status;
}

void drua_buffer_unpin(drua_buffer *b)
{
    b->pins--;
}

/* The caller submits its commands for the buffer directly. They must follow its upload, and they count as one use. */
drua_status drua_buffer_handle(const drua_buffer *b, cl_mem *memory)
{
    drua_device *device = b->device;
    drua_use use = {.count = 0};
    drua_use_add(&use, b->block);
    const cl_int code = use.wait_count
                            ? device->cl->clEnqueueMarkerWithWaitList(device->queue, use.wait_count, use.waits, NULL)
                            : CL_SUCCESS;
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "wait for an image that is being transferred");
    device->sent++;
    drua_use_waited(device, &use);
    drua_use_end(device, &use);
    *memory = b->memory;
    return DRUA_OK;
}

uint64_t drua_device_generation(const drua_device *device)
{
    return device->generation;
}

drua_status drua_buffers_fit(drua_device *device)
{
    while (!drua_pool_has_room(device, 0)) {
        drua_buffer *oldest = oldest_unpinned(device);
        if (!oldest)
            return DRUA_OK;
        DRUA_TRY(drua_buffer_spill(oldest));
    }
    return DRUA_OK;
}

/* ---- buffers */

bool drua_device_holds(const drua_device *device, uint64_t bytes)
{
    return bytes <= device->info.largest_allocation && bytes <= device->budget - device->reserved;
}

static drua_status create_buffer(drua_device *device, uint64_t bytes, drua_buffer **out)
{
    if (!device->cl)
        return drua_fail(DRUA_E_NO_DEVICE, "this step computes pixels, but this computer has no OpenCL device; run it "
                                           "on a computer with a device");
    *out = drua_alloc(sizeof **out);
    if (!*out)
        return drua_fail_memory(sizeof **out);
    **out = (drua_buffer){.device = device, .bytes = bytes, .references = 1};
    return DRUA_OK;
}

drua_status drua_buffer_make(drua_device *device, uint64_t bytes, drua_buffer **out)
{
    if (bytes > device->info.largest_allocation)
        return drua_fail(DRUA_E_MEMORY,
                         "needs %.1f MB in one block, but %s allows at most %.1f MB; crop or split the image",
                         MB(bytes), device->info.name, MB(device->info.largest_allocation));
    if (!drua_device_holds(device, bytes))
        return drua_fail(DRUA_E_MEMORY,
                         "needs %.1f MB at once, but may use only %.1f MB of %s; crop or split the image, or allow "
                         "more memory with DRUA_MEMORY",
                         MB(bytes), MB(device->budget - device->reserved), device->info.name);
    return create_buffer(device, bytes, out);
}

drua_status drua_buffer_make_on_host(drua_device *device, uint64_t bytes, drua_buffer **out)
{
    /* operating systems promise more memory than they have, and kill a process that uses it */
    void *host = bytes < drua_physical_memory() ? drua_alloc(bytes) : NULL;
    if (!host)
        return drua_fail(DRUA_E_MEMORY,
                         "host memory does not have %.1f MB for an image that is too large for %s; release images that "
                         "are no longer needed",
                         MB(bytes), device->info.name);
    drua_status status = create_buffer(device, bytes, out);
    if (status == DRUA_OK)
        set_host(*out, host);
    else
        drua_free(host);
    return status;
}

void drua_buffer_retain(drua_buffer *buffer)
{
    buffer->references++;
}

void drua_buffer_release(drua_buffer *buffer)
{
    if (!buffer || --buffer->references)
        return;
    if (buffer->block)
        leave_device(buffer);
    set_host(buffer, NULL);
    drua_free(buffer);
}

bool drua_buffer_is_shared(const drua_buffer *buffer)
{
    return buffer->references > 1;
}

uint64_t drua_buffer_bytes(const drua_buffer *buffer)
{
    return buffer->bytes;
}

uint64_t drua_buffer_block_bytes(const drua_buffer *buffer)
{
    return buffer->block ? buffer->block->bytes : 0;
}

void *drua_buffer_host(const drua_buffer *buffer)
{
    return buffer->host;
}

void drua_buffer_read_host(drua_view view, void *const *planes)
{
    const drua_layout *l = &view.layout;
    const int64_t size = (int64_t)drua_type_size((drua_type)l->type);
    for (int64_t z = 0; z < l->depth; z++)
        for (int64_t y = 0; y < l->height; y++) {
            const char *from = (const char *)view.buffer->host + (l->offset + z * l->plane + y * l->row) * size;
            char *to = (char *)planes[z] + y * l->width * size;
            if (l->column == 1)
                memcpy(to, from, (size_t)(l->width * size));
            else
                for (int64_t x = 0; x < l->width; x++)
                    memcpy(to + x * size, from + x * l->column * size, (size_t)size);
        }
}

void drua_device_memory(const drua_device *device, uint64_t *used, uint64_t *pooled)
{
    *used = device->used;
    *pooled = device->pooled;
}

uint64_t drua_device_memory_left(const drua_device *device)
{
    return device->budget - device->reserved;
}

uint64_t drua_device_share(const drua_device *device, unsigned share)
{
    const uint64_t bytes = device->budget / share;
    return bytes < device->info.largest_allocation ? bytes : device->info.largest_allocation;
}
