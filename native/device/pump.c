/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves pixels between ordinary memory and the device. On a GPU through pinned slots: the caller's thread makes every
 * OpenCL call, a crew of threads only copies, so that the bus never waits. On a processor the buffer is mapped, which is
 * free. Small images are one slot, copied by the caller.
 */
#include "internal.h"

#include "alloc.h"
#include "crew.h"
#include "error.h"
#include "fresh.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { SMALL_SLOT = 512 << 10, LARGE_SLOT = 8 << 20, MAPPED = 16 << 20, PIECES_AN_IMAGE = 16, STEP = 64 << 10, COPIERS = 7, CLEARERS = 15 };

cl_int drua_pump_open(drua_pump *pump, drua_device *device, bool pull)
{
    cl_int code;
    pump->device = device;
    pump->pull = pull;
    pump->queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS)
        pump->queue = NULL;
    else
        pthread_mutex_init(&pump->lock, NULL);
    return code;
}

static void forget(drua_device *device, cl_event *event)
{
    if (*event)
        device->cl->clReleaseEvent(*event);
    *event = NULL;
}

drua_status drua_pump_drain(drua_pump *pump)
{
    drua_device *device = pump->device;
    drua_status status = DRUA_OK;
    pthread_mutex_lock(&pump->lock);
    for (int i = 0; i < DRUA_SLOTS && status == DRUA_OK; i++) {
        if (pump->busy[i])
            status = drua_wait(device, pump->busy[i]);
        if (status != DRUA_E_CANCELLED)
            forget(device, &pump->busy[i]);
    }
    pthread_mutex_unlock(&pump->lock);
    return status;
}

static void unpin(drua_pump *pump)
{
    const drua_opencl *cl = pump->device->cl;
    if (pump->host)
        cl->clEnqueueUnmapMemObject(pump->queue, pump->pinned, pump->host, 0, NULL, NULL);
    cl->clFinish(pump->queue);
    cl->clFinish(pump->device->queue);      /* a read there that nobody waited for may be on its way */
    for (int i = 0; i < DRUA_SLOTS; i++)
        forget(pump->device, &pump->busy[i]);
    if (pump->pinned)
        cl->clReleaseMemObject(pump->pinned);
    pump->pinned = NULL;
    pump->host = NULL;
    pump->slot_bytes = 0;
}

void drua_pump_close(drua_pump *pump)
{
    if (!pump->queue)
        return;
    drua_crew_close(pump->crew);
    drua_crew_close(pump->clearers);
    unpin(pump);
    pump->device->cl->clReleaseCommandQueue(pump->queue);
    pthread_mutex_destroy(&pump->lock);
    pump->queue = NULL;
}

/* Pinned slots of at least that size, made once: a few milliseconds for small ones, fifteen for large ones. */
static cl_int pin(drua_pump *pump, size_t slot_bytes)
{
    drua_device *device = pump->device;
    cl_int code;
    if (pump->slot_bytes >= slot_bytes)
        return CL_SUCCESS;
    unpin(pump);
    pump->pinned = device->cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, DRUA_SLOTS * slot_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        pump->host = device->cl->clEnqueueMapBuffer(pump->queue, pump->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, DRUA_SLOTS * slot_bytes, 0,
                                                    NULL, NULL, &code);
    if (code == CL_SUCCESS)
        pump->slot_bytes = slot_bytes;
    else
        unpin(pump);
    return code;
}

/* ---- what the crew copies */

typedef struct move {
    const drua_planes *planes;
    size_t first;               /* byte of all planes where the transfer begins */
    bool pull;
    bool fresh;                 /* a pull to memory that nobody has touched */
} move;

static void copy_part(void *payload, size_t at, void *memory, size_t bytes)
{
    const move *m = payload;
    const drua_planes *p = m->planes;
    char *slot = memory;
    for (at += m->first; bytes;) {
        const size_t z = at / p->bytes, inside = at % p->bytes;
        const size_t n = p->bytes - inside < bytes ? p->bytes - inside : bytes;
        if (p->copy)
            p->copy(p->payload, z, inside, slot, n);
        else if (m->pull && !m->fresh)
            drua_copy_out(((char *const *)p->payload)[z] + inside, slot, n);
        else if (m->pull)       /* the system has just cleared the page, so it is in the caches */
            memcpy(((char *const *)p->payload)[z] + inside, slot, n);
        else
            memcpy(slot, ((const char *const *)p->payload)[z] + inside, n);
        at += n;
        slot += n;
        bytes -= n;
    }
}

/* Planes that lie one behind the other are one piece of memory. */
static void look_for_fresh_memory(move *m, size_t total)
{
    char *const *planes = m->planes->payload;
    const size_t bytes = m->planes->bytes, end = (m->first + total + bytes - 1) / bytes;
    if (!m->pull || m->planes->copy)
        return;
    for (size_t first = m->first / bytes, z = first; z < end; first = ++z) {
        while (z + 1 < end && planes[z + 1] == planes[z] + bytes)
            z++;
        m->fresh |= drua_fresh_memory(planes[first], (z + 1 - first) * bytes);
    }
}

/* Bytes between the page before fresh memory and its start: a page is cleared by one thread only. */
static size_t skew_of(const move *m)
{
    const size_t plane = m->first / m->planes->bytes, inside = m->first % m->planes->bytes;
    return m->fresh ? ((uintptr_t)((char *const *)m->planes->payload)[plane] + inside) % DRUA_LARGE_PAGE : 0;
}

/* Bytes before `done` are over, those before `end` come next. */
static bool prepare(const move *m, size_t done, size_t end)
{
    const drua_planes *p = m->planes;
    return !p->prepare || p->prepare(p->payload, (m->first + done) / p->bytes, (m->first + end - 1) / p->bytes);
}

drua_status drua_fail_source(void)
{
    return drua_fail(DRUA_E_CANCELLED, "the pixels that were to be copied were not given; all images are as they were");
}

/* One command between a slot and the buffer. */
static cl_int enqueue(drua_pump *pump, cl_command_queue queue, cl_mem memory, size_t offset, size_t bytes, char *slot, const cl_event *after,
                      cl_uint count, cl_event *event)
{
    const drua_opencl *cl = pump->device->cl;
    const cl_int code = pump->pull ? cl->clEnqueueReadBuffer(queue, memory, CL_FALSE, offset, bytes, slot, count, count ? after : NULL, event)
                                   : cl->clEnqueueWriteBuffer(queue, memory, CL_FALSE, offset, bytes, slot, count, count ? after : NULL, event);
    return code == CL_SUCCESS ? cl->clFlush(queue) : code;
}

static const char *what(const drua_pump *pump)
{
    return pump->pull ? "copy an image from the device" : "copy an image to the device";
}

static void keep_event(drua_pump *pump, cl_event event, cl_event *landed)
{
    forget(pump->device, landed);
    if (pump->device->cl->clRetainEvent(event) == CL_SUCCESS)
        *landed = event;
}

/* ---- the ways */

static drua_status move_mapped(drua_pump *pump, cl_mem memory, size_t offset, move *m, size_t total, const cl_event *after, cl_uint count,
                               cl_event *landed)
{
    drua_device *device = pump->device;
    for (cl_uint i = 0; i < count; i++)
        DRUA_TRY(drua_wait(device, after[i]));
    for (size_t at = 0; at < total; at += MAPPED) {
        const size_t bytes = total - at < MAPPED ? total - at : MAPPED;
        cl_int code;
        DRUA_TRY(drua_device_check(device));
        if (!prepare(m, at, at + bytes))
            return drua_fail_source();
        void *mapped = device->cl->clEnqueueMapBuffer(pump->queue, memory, CL_TRUE, pump->pull ? CL_MAP_READ : CL_MAP_WRITE, offset + at,
                                                      bytes, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(pump));
        copy_part(m, at, mapped, bytes);
        forget(device, landed);
        code = device->cl->clEnqueueUnmapMemObject(pump->queue, memory, mapped, 0, NULL, landed);
        if (code == CL_SUCCESS)
            code = device->cl->clFlush(pump->queue);
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(pump));
        drua_set_progress(device, at + bytes, total);
    }
    if (pump->pull)
        forget(device, landed);
    return DRUA_OK;
}

static drua_status move_small(drua_pump *pump, cl_command_queue queue, cl_mem memory, size_t offset, move *m, size_t total, const cl_event *after, cl_uint count,
                              cl_event *landed)
{
    drua_device *device = pump->device;
    const unsigned slot = pump->next++ % DRUA_SLOTS;
    char *host = pump->host + slot * pump->slot_bytes;
    if (pump->busy[slot])
        DRUA_TRY(drua_wait(device, pump->busy[slot]));
    forget(device, &pump->busy[slot]);
    if (!prepare(m, 0, total))
        return drua_fail_source();
    if (!pump->pull)
        copy_part(m, 0, host, total);
    const cl_int code = enqueue(pump, queue, memory, offset, total, host, after, count, &pump->busy[slot]);
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, what(pump));
    if (!pump->pull) {
        keep_event(pump, pump->busy[slot], landed);
        return DRUA_OK;
    }
    DRUA_TRY(drua_wait(device, pump->busy[slot]));
    copy_part(m, 0, host, total);
    return DRUA_OK;
}

/* The state of a large transfer: chunks are what the device moves, pieces what a thread copies. */
typedef struct large {
    drua_pump *pump;
    cl_mem memory;
    move *m;
    drua_job job;
    size_t offset, sent, moved;         /* chunks given to the device, chunks that it is done with */
    const cl_event *after;
    cl_uint after_count;
} large;

static cl_int send_chunk(large *l)
{
    const size_t slot = l->sent % DRUA_SLOTS, at = drua_job_begin(&l->job, l->sent);
    const cl_int code = enqueue(l->pump, l->pump->queue, l->memory, l->offset + at, drua_job_begin(&l->job, l->sent + 1) - at, l->job.host + slot * l->job.slot_bytes,
                                l->after, l->sent ? 0 : l->after_count, &l->pump->busy[slot]);
    l->sent += code == CL_SUCCESS;
    return code;
}

/* Advances over the chunks that the device is done with; an error of theirs. */
static cl_int look(large *l)
{
    while (l->moved < l->sent) {
        cl_event *event = &l->pump->busy[l->moved % DRUA_SLOTS];
        const cl_int state = drua_poll(l->pump->device, *event);
        if (state != CL_COMPLETE)
            return state < 0 ? state : CL_SUCCESS;
        forget(l->pump->device, event);
        l->moved++;
    }
    return CL_SUCCESS;
}

static drua_status conduct_push(large *l)
{
    drua_device *device = l->pump->device;
    size_t open = 0;            /* chunks that the crew may fill */
    uint64_t since = drua_nanoseconds();
    while (l->sent < l->job.chunks) {
        const size_t before = l->sent + l->moved;
        for (; open < l->job.chunks && open < l->moved + DRUA_SLOTS; drua_job_open(&l->job, ++open))
            if (!prepare(l->m, drua_job_begin(&l->job, l->moved), drua_job_begin(&l->job, open + 1)))
                return drua_fail_source();
        cl_int code = CL_SUCCESS;
        if (l->sent < open && drua_job_take(&l->job, l->sent))
            code = send_chunk(l);
        if (code == CL_SUCCESS)
            code = look(l);
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(l->pump));
        if (drua_is_cancelled(device))
            return drua_fail_cancelled();
        drua_set_progress(device, l->sent, l->job.chunks);
        if (l->sent + l->moved != before)
            since = drua_nanoseconds();
        else
            drua_pause(device, since);
    }
    return DRUA_OK;
}

static drua_status conduct_pull(large *l)
{
    drua_device *device = l->pump->device;
    size_t copied = 0;
    uint64_t since = drua_nanoseconds();
    while (copied < l->job.chunks) {
        const size_t before = l->sent + l->moved + copied;
        cl_int code = CL_SUCCESS;
        if (l->sent < l->job.chunks && l->sent < copied + DRUA_SLOTS)
            code = send_chunk(l);
        if (code == CL_SUCCESS)
            code = look(l);
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(l->pump));
        if (!prepare(l->m, drua_job_begin(&l->job, copied), l->moved ? drua_job_begin(&l->job, l->moved) : 1))
            return drua_fail_source();
        drua_job_open(&l->job, l->moved);
        if (copied < l->moved && drua_job_take(&l->job, copied))
            copied++;
        if (drua_is_cancelled(device))
            return drua_fail_cancelled();
        drua_set_progress(device, copied, l->job.chunks);
        if (l->sent + l->moved + copied != before)
            since = drua_nanoseconds();
        else
            drua_pause(device, since);
    }
    return DRUA_OK;
}

static drua_status move_large(drua_pump *pump, cl_mem memory, size_t offset, move *m, size_t total, const cl_event *after, cl_uint count,
                              cl_event *landed)
{
    drua_device *device = pump->device;
    for (int i = 0; i < DRUA_SLOTS; i++) {
        if (pump->busy[i])
            DRUA_TRY(drua_wait(device, pump->busy[i]));
        forget(device, &pump->busy[i]);
    }
    const size_t share = total / PIECES_AN_IMAGE / STEP * STEP, least = m->fresh ? DRUA_LARGE_PAGE : 4 * STEP;
    const size_t chunk = share > pump->slot_bytes ? pump->slot_bytes : share < least ? least : m->fresh ? share / least * least : share;
    large l = {.pump = pump, .memory = memory, .m = m, .offset = offset, .after = after, .after_count = count};
    drua_job_make(&l.job, copy_part, m, pump->host, pump->slot_bytes, total, chunk, m->fresh ? DRUA_LARGE_PAGE : 0, skew_of(m), DRUA_SLOTS);
    drua_crew *crew = m->fresh ? pump->clearers : pump->crew;
    drua_crew_start(crew, &l.job);
    drua_status status = pump->pull ? conduct_pull(&l) : conduct_push(&l);
    drua_crew_finish(crew, &l.job);
    if (!pump->pull && l.sent && pump->busy[(l.sent - 1) % DRUA_SLOTS])
        keep_event(pump, pump->busy[(l.sent - 1) % DRUA_SLOTS], landed);
    return status;
}

/* Threads for a crew: a core is left to whoever conducts. */
static int threads(int most)
{
    long cores = 2;
#if defined(_SC_NPROCESSORS_ONLN)
    cores = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return cores < 2 ? 1 : cores - 1 < most ? (int)cores - 1 : most;
}

/* More than COPIERS fill no link faster, but the system clears fresh pages on the thread that touches them. */
static drua_status open_crew(drua_pump *pump, bool fresh)
{
    drua_crew **crew = fresh ? &pump->clearers : &pump->crew;
    if (!*crew)
        *crew = drua_crew_open(threads(fresh ? CLEARERS : COPIERS), pump->device->info.is_gpu);
    return *crew ? DRUA_OK : drua_fail_memory(1);
}

drua_status drua_pump_move(drua_pump *pump, cl_mem memory, size_t offset, const drua_planes *planes, size_t first, size_t total,
                           const cl_event *after, cl_uint after_count, cl_event *landed)
{
    drua_device *device = pump->device;
    move m = {planes, first, pump->pull, false};
    drua_status status = DRUA_OK;
    pthread_mutex_lock(&pump->lock);
    const bool mapped = !device->info.is_gpu, is_large = total > SMALL_SLOT;
    if (!mapped) {
        const cl_int code = pin(pump, is_large ? LARGE_SLOT : SMALL_SLOT);
        if (code != CL_SUCCESS)
            status = drua_device_fail(device, code, "give pinned memory for transfers");
        if (is_large)
            look_for_fresh_memory(&m, total);
        if (status == DRUA_OK && is_large)
            status = open_crew(pump, m.fresh);
    }
    if (status == DRUA_OK)
        status = mapped     ? move_mapped(pump, memory, offset, &m, total, after, after_count, landed)
                 : is_large ? move_large(pump, memory, offset, &m, total, after, after_count, landed)
                            : move_small(pump, pump->queue, memory, offset, &m, total, after, after_count, landed);
    drua_set_progress(device, 0, 0);
    pthread_mutex_unlock(&pump->lock);
    return status;
}

drua_status drua_pump_read_next(drua_pump *pump, cl_mem memory, size_t offset, const drua_planes *planes)
{
    drua_device *device = pump->device;
    move m = {planes, 0, true, false};
    pthread_mutex_lock(&pump->lock);
    const cl_int code = pin(pump, SMALL_SLOT);
    drua_status status = code == CL_SUCCESS ? move_small(pump, device->queue, memory, offset, &m, planes->bytes, NULL, 0, NULL)
                                            : drua_device_fail(device, code, "give pinned memory for transfers");
    pthread_mutex_unlock(&pump->lock);
    return status;
}
