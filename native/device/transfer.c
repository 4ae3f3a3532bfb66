/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

#include "error.h"
#include "hash.h"

#include <string.h>

static size_t plane_bytes(const drua_layout *l)
{
    return (size_t)l->width * (size_t)l->height * drua_type_size((drua_type)l->type);
}

static size_t plane_start(const drua_layout *l, int32_t z)
{
    return (size_t)(l->offset + z * l->plane) * drua_type_size((drua_type)l->type);
}

drua_status drua_device_upload(drua_device *device, drua_view view, const void *const *planes)
{
    const drua_layout *l = &view.layout;
    size_t bytes = plane_bytes(l);
    DRUA_TRY(drua_buffer_use(view.buffer));
    for (int32_t z = 0; z < l->depth; z++) {
        bool last = z == l->depth - 1;      /* the queue is in order: when the last plane may change, all may */
        cl_int code = device->cl->clEnqueueWriteBuffer(device->queue, view.buffer->memory, last, plane_start(l, z), bytes,
                                                       planes[z], 0, NULL, NULL);
        if (code != CL_SUCCESS) {
            device->cl->clFinish(device->queue);
            return drua_opencl_fail(code, "copy an image to the device");
        }
    }
    return DRUA_OK;
}

drua_status drua_device_download(drua_device *device, drua_view view, void *const *planes)
{
    const drua_layout *l = &view.layout;
    size_t bytes = plane_bytes(l);
    cl_int code = CL_SUCCESS;
    if (drua_buffer_host(view.buffer)) {
        drua_buffer_read_host(view, planes);
        return DRUA_OK;
    }
    DRUA_TRY(drua_buffer_use(view.buffer));
    for (int32_t z = 0; z < l->depth && code == CL_SUCCESS; z++)
        code = device->cl->clEnqueueReadBuffer(device->queue, view.buffer->memory, CL_FALSE, plane_start(l, z), bytes, planes[z], 0,
                                               NULL, NULL);
    cl_int finished = device->cl->clFinish(device->queue);
    device->statistics.waits++;
    device->unflushed = 0;
    if (code == CL_SUCCESS)
        code = finished;
    return code == CL_SUCCESS ? DRUA_OK : drua_opencl_fail(code, "copy an image from the device");
}

drua_status drua_device_read(drua_device *device, drua_view view, void *host, size_t bytes)
{
    DRUA_TRY(drua_buffer_use(view.buffer));
    cl_int code = device->cl->clEnqueueReadBuffer(device->queue, view.buffer->memory, CL_TRUE, plane_start(&view.layout, 0), bytes,
                                                  host, 0, NULL, NULL);
    device->statistics.waits++;
    device->unflushed = 0;
    return code == CL_SUCCESS ? DRUA_OK : drua_opencl_fail(code, "read a result from the device");
}

drua_status drua_device_clear(drua_device *device, drua_view view, uint64_t bytes)
{
    cl_uint zero = 0;
    DRUA_TRY(drua_buffer_use(view.buffer));
    cl_int code = device->cl->clEnqueueFillBuffer(device->queue, view.buffer->memory, &zero, 1, plane_start(&view.layout, 0), bytes, 0,
                                                  NULL, NULL);
    return code == CL_SUCCESS ? DRUA_OK : drua_opencl_fail(code, "clear memory");
}

drua_status drua_device_finish(drua_device *device)
{
    cl_int code = device->cl->clFinish(device->queue);
    device->statistics.waits++;
    device->unflushed = 0;
    return code == CL_SUCCESS ? DRUA_OK : drua_opencl_fail(code, "finish the work that was sent");
}

drua_status drua_ring_write(drua_device *device, const void *bytes, size_t length, size_t *at)
{
    enum { ALIGN = 256 };
    drua_ring *ring = &device->ring;
    uint64_t hash = drua_hash(DRUA_HASH_START, bytes, length);
    for (size_t i = 0; i < ring->entries; i++)
        if (ring->entry[i].hash == hash && ring->entry[i].length == length &&
            !memcmp(ring->shadow + ring->entry[i].at, bytes, length)) {
            *at = ring->entry[i].at;
            return DRUA_OK;
        }
    if (length > DRUA_TABLE_BYTES)
        return drua_fail(DRUA_E_INTERNAL, "a table of %zu bytes is larger than %d", length, DRUA_TABLE_BYTES);
    if (ring->used + length > DRUA_RING_BYTES || ring->entries == DRUA_RING_ENTRIES) {
        DRUA_TRY(drua_device_finish(device));       /* kernels in flight still read the old tables */
        ring->used = ring->entries = 0;
    }
    *at = ring->used;
    memcpy(ring->shadow + *at, bytes, length);
    cl_int code = device->cl->clEnqueueWriteBuffer(device->queue, ring->memory, CL_FALSE, *at, length, ring->shadow + *at, 0, NULL,
                                                   NULL);
    if (code != CL_SUCCESS)
        return drua_opencl_fail(code, "send a table");
    ring->entry[ring->entries].hash = hash;
    ring->entry[ring->entries].at = *at;
    ring->entry[ring->entries++].length = length;
    ring->used = (ring->used + length + ALIGN - 1) / ALIGN * ALIGN;
    return DRUA_OK;
}
