/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers pixels to and from buffers, in order with the kernels that use them, on separate queues. */
#include "internal.h"

#include "alloc.h"
#include "error.h"

#include <string.h>

void drua_use_add(drua_use *use, drua_block *block)
{
    int i = 0;
    while (i < use->count && use->blocks[i] != block)
        i++;
    if (i < use->count || i == DRUA_MAX_USED)
        return;
    use->blocks[use->count++] = block;
    if (block->upload)
        use->waits[use->wait_count++] = block->upload;
}

void drua_use_waited(drua_device *device, drua_use *use)
{
    for (int i = 0; i < use->count && use->wait_count; i++) {
        if (use->blocks[i]->upload)
            device->cl->clReleaseEvent(use->blocks[i]->upload);
        use->blocks[i]->upload = NULL;
    }
    use->wait_count = 0;
}

void drua_use_end(drua_device *device, drua_use *use)
{
    for (int i = 0; i < use->count; i++)
        use->blocks[i]->last_use = device->sent;
}

static size_t plane_start(const drua_layout *l, int32_t z)
{
    return (size_t)(l->offset + z * l->plane) * drua_type_size((drua_type)l->type);
}

/*
 * Moves the pixels of a view as runs of bytes: the whole view, its planes, or its rows. If `layout` is NULL, the view
 * is one plane from the start of the block on.
 */
static drua_status move_pixels(drua_transfer_queue *transfers, drua_transfer t, const drua_layout *l,
                               drua_planes *planes, cl_event *landed)
{
    t.planes = planes;
    t.total = planes->bytes;
    if (!l)
        return drua_transfer_queue_move(transfers, &t, landed);
    planes->bytes = (size_t)l->width * (size_t)l->height * drua_type_size((drua_type)l->type);
    t.offset = plane_start(l, 0);
    t.total = planes->bytes * (size_t)l->depth;
    if (drua_layout_is_dense(l))
        return drua_transfer_queue_move(transfers, &t, landed);
    const int32_t runs = l->row == l->width || l->height == 1 ? 1 : l->height;
    const size_t size = drua_type_size((drua_type)l->type);
    t.total = planes->bytes / (size_t)runs;
    for (int32_t z = 0; z < l->depth; z++)
        for (int32_t y = 0; y < runs; y++) {
            t.offset = plane_start(l, z) + (size_t)(y * l->row) * size;
            t.first = (size_t)z * planes->bytes + (size_t)y * t.total;
            DRUA_TRY(drua_transfer_queue_move(transfers, &t, landed));
        }
    return drua_device_check(transfers->device);
}

/* The lock of the planes is released while bytes move. The block does not move meanwhile. */
static drua_status move_block(drua_device *device, bool pull, drua_block *block, const drua_layout *layout,
                              drua_planes *planes)
{
    pthread_mutex_t *lock = planes->lock;
    cl_event after[2], landed = NULL;
    cl_uint count = 0;
    drua_steps steps = {.count = 0};
    DRUA_TRY(drua_device_check(device));
    DRUA_TRY(drua_fence_for(device, block->last_use, &after[0]));
    if (pull && after[0] && lock) /* an operation that reads a number reports its own progress */
        drua_steps_take(device, block->last_use, &steps);
    count += after[0] != NULL;
    const bool follows = pull && block->upload;
    const cl_int code = follows ? device->cl->clRetainEvent(block->upload) : CL_SUCCESS;
    if (follows && code == CL_SUCCESS)
        after[count++] = block->upload;
    if (lock)
        pthread_mutex_unlock(lock);
    drua_status status = drua_steps_wait(device, &steps);
    if (status == DRUA_OK && code != CL_SUCCESS)
        status = drua_device_fail(device, code, "copy an image from the device");
    atomic_store(&device->transfer_queues[pull].follows_work, steps.count > 0);
    const drua_transfer whole = {.memory = block->memory, .after = after, .after_count = count};
    if (status == DRUA_OK)
        status = move_pixels(&device->transfer_queues[pull], whole, layout, planes, &landed);
    if (steps.count)
        drua_set_progress(device, 0, 0);
    if (lock)
        pthread_mutex_lock(lock);
    if (landed) {
        if (block->upload)
            device->cl->clReleaseEvent(block->upload);
        block->upload = landed;
    }
    for (cl_uint i = 0; i < count; i++)
        device->cl->clReleaseEvent(after[i]);
    device->statistics.waits += pull;
    return pull ? drua_check_earlier_commands(device, status) : status;
}

drua_status drua_block_move(drua_device *device, bool pull, drua_block *block, void *host, size_t bytes)
{
    drua_planes pointer = {.payload = &host, .bytes = bytes};
    return move_block(device, pull, block, NULL, &pointer);
}

static drua_status transfer_planes(drua_device *device, bool pull, drua_view view, drua_planes *planes)
{
    drua_buffer *buffer = view.buffer;
    DRUA_TRY(drua_buffer_pin(buffer));
    drua_buffer_retain(buffer);
    drua_status status = move_block(device, pull, buffer->block, &view.layout, planes);
    drua_buffer_unpin(buffer);
    drua_buffer_release(buffer);
    return status;
}

drua_status drua_device_upload_from(drua_device *device, drua_view view, drua_planes *planes)
{
    return transfer_planes(device, false, view, planes);
}

/* Copies the planes of an image that is on the host, one after another. */
static drua_status copy_host_planes(drua_view view, const drua_planes *planes)
{
    const drua_layout *l = &view.layout;
    const size_t bytes = (size_t)l->width * (size_t)l->height * drua_type_size((drua_type)l->type);
    if (!planes->copy) {
        drua_buffer_read_host(view, planes->payload);
        return DRUA_OK;
    }
    void *plane = drua_alloc(bytes);
    drua_status status = plane ? DRUA_OK : drua_fail_memory(bytes);
    for (int32_t z = 0; z < l->depth && status == DRUA_OK; z++) {
        drua_view slice = view;
        slice.layout.offset += z * l->plane;
        slice.layout.depth = 1;
        drua_buffer_read_host(slice, &plane);
        if (planes->prepare && !planes->prepare(planes->payload, (size_t)z, (size_t)z))
            status = drua_fail_source();
        else
            planes->copy(planes->payload, (size_t)z, 0, plane, bytes);
    }
    drua_free(plane);
    return status;
}

drua_status drua_planes_gather(const drua_planes *planes, size_t count, size_t bytes, void *memory)
{
    for (size_t z = 0; z < count; z++) {
        if (planes->prepare && !planes->prepare(planes->payload, z, z))
            return drua_fail_source();
        if (planes->copy)
            planes->copy(planes->payload, z, 0, (char *)memory + z * bytes, bytes);
        else
            memcpy((char *)memory + z * bytes, ((const void *const *)planes->payload)[z], bytes);
    }
    return DRUA_OK;
}

drua_status drua_device_download_to(drua_device *device, drua_view view, drua_planes *planes)
{
    if (drua_buffer_host(view.buffer))
        return copy_host_planes(view, planes);
    return transfer_planes(device, true, view, planes);
}

drua_status drua_device_upload(drua_device *device, drua_view view, const void *const *planes)
{
    drua_planes pointers = {.payload = (void *)(uintptr_t)planes};
    return drua_device_upload_from(device, view, &pointers);
}

drua_status drua_device_download(drua_device *device, drua_view view, void *const *planes)
{
    drua_planes pointers = {.payload = (void *)(uintptr_t)planes};
    return drua_device_download_to(device, view, &pointers);
}

drua_status drua_device_read(drua_device *device, drua_view view, void *host, size_t bytes)
{
    drua_planes pointer = {.payload = &host};
    const size_t start = plane_start(&view.layout, 0);
    const drua_block *block = view.buffer->block;
    if (device->info.is_gpu && bytes <= DRUA_FEW_BYTES && block && !block->upload && block->last_use == device->sent) {
        DRUA_TRY(drua_device_check(device));
        const drua_status status =
            drua_transfer_queue_read_next(&device->transfer_queues[true], block->memory, start, host, bytes);
        device->unflushed = 0;
        device->statistics.waits++;
        if (status == DRUA_OK)
            drua_all_done(device);
        return status == DRUA_OK && device->loss ? drua_fail_lost(device) : status;
    }
    view.layout = (drua_layout){.extent = {(int32_t)bytes, 1, 1},
                                .type = DRUA_UINT8,
                                .offset = (int64_t)start,
                                .stride = {1, (int64_t)bytes, (int64_t)bytes}};
    return transfer_planes(device, true, view, &pointer);
}

drua_status drua_device_clear(drua_device *device, drua_view view, uint64_t bytes)
{
    const cl_uint zero = 0;
    drua_use use = {.count = 0};
    DRUA_TRY(drua_device_check(device));
    DRUA_TRY(drua_buffer_use(view.buffer));
    drua_use_add(&use, view.buffer->block);
    const bool waits = use.wait_count > 0;
    cl_event event = NULL;
    if (waits)
        DRUA_TRY(drua_make_room(device, NULL));
    const cl_int code =
        device->cl->clEnqueueFillBuffer(device->queue, view.buffer->memory, &zero, 1, plane_start(&view.layout, 0),
                                        bytes, use.wait_count, waits ? use.waits : NULL, waits ? &event : NULL);
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "clear memory");
    device->sent++;
    if (waits)
        drua_fence_add(device, event, NULL, 0, false);
    drua_use_waited(device, &use);
    drua_use_end(device, &use);
    return DRUA_OK;
}

drua_status drua_ring_write(drua_device *device, const void *bytes, size_t length, size_t *at)
{
    enum { ALIGN = 256 };
    drua_ring *ring = &device->ring;
    for (size_t i = ring->entries; i-- > 0;)        /* the newest table is requested most often */
        if (ring->entry[i].length == length && !memcmp(ring->shadow + ring->entry[i].at, bytes, length)) {
            *at = ring->entry[i].at;
            return DRUA_OK;
        }
    if (length > DRUA_TABLE_BYTES)
        return drua_fail(DRUA_E_INTERNAL, "a table of %zu bytes is larger than %d", length, DRUA_TABLE_BYTES);
    if (ring->used + length > DRUA_RING_BYTES || ring->entries == DRUA_RING_ENTRIES) {
        DRUA_TRY(drua_wait_reporting(device, NULL)); /* queued kernels still read the old tables */
        ring->used = ring->entries = 0;
    }
    *at = ring->used;
    memcpy(ring->shadow + *at, bytes, length);
    cl_int code = device->cl->clEnqueueWriteBuffer(device->queue, ring->memory, CL_FALSE, *at, length,
                                                   ring->shadow + *at, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "send a table");
    ring->entry[ring->entries].at = *at;
    ring->entry[ring->entries++].length = length;
    ring->used = (ring->used + length + ALIGN - 1) / ALIGN * ALIGN;
    return DRUA_OK;
}
