/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves pixels between ordinary memory and the device. A GPU uses a ring of pinned memory: the caller's thread makes
 * every OpenCL call, several threads copy chunks, and copied chunks go to the device in as few commands as keep the bus
 * busy. A CPU's buffer is mapped, which costs nothing.
 */
#include "pinned.h"

#include "cores.h"
#include "copy_threads.h"
#include "error.h"
#include "prefault.h"
#include "move.h"

#include <string.h>

enum { SMALL_RING = 2 << 20, LARGE_RING = 32 << 20, SMALL = 512 << 10, MAPPED = 16 << 20, STREAMED = 16 << 20 };
enum {
    COPIERS = 7,
    STREAMERS = 5,
    PREFAULT_THREADS = 15,
    SHARE = 64 << 10
}; /* SHARE: bytes for which another thread is worthwhile */
enum {
    MIN_CHUNK = 64 << 10,
    CHUNK = 256 << 10,
    CHUNKS_AN_IMAGE = 64,
    STEPS = 16,
    MIN_COMMAND = 256 << 10,
    COMMAND = 8 << 20,
    BUSY = 2
};

drua_status drua_fail_source(void)
{
    return drua_fail(DRUA_E_CANCELLED, "the program did not provide the pixels to copy; all images are unchanged");
}

/* One command between a place in the ring and a buffer. */
typedef struct ring_command {
    cl_mem memory;
    size_t offset, bytes;
    char *slot;
    const cl_event *after;
    cl_uint after_count;
} ring_command;

/* Sends one command. If it returns an event, the command was sent, whatever the result. */
static cl_int send_command(drua_transfer_queue *transfers, cl_command_queue queue, const ring_command *c,
                           cl_event *event)
{
    const drua_opencl *cl = transfers->device->cl;
    const cl_event *after = c->after_count ? c->after : NULL;
    const cl_int code = transfers->pull ? cl->clEnqueueReadBuffer(queue, c->memory, CL_FALSE, c->offset, c->bytes,
                                                                  c->slot, c->after_count, after, event)
                                        : cl->clEnqueueWriteBuffer(queue, c->memory, CL_FALSE, c->offset, c->bytes,
                                                                   c->slot, c->after_count, after, event);
    if (code != CL_SUCCESS)
        *event = NULL;
    return code == CL_SUCCESS ? drua_flush(transfers->device, queue) : code;
}

static const char *action_of(const drua_transfer_queue *transfers)
{
    return transfers->pull ? "copy an image from the device" : "copy an image to the device";
}

/* If the caller waited for work first, copying is the last tenth, so that progress never falls. */
static void set_moved(drua_transfer_queue *transfers, uint64_t done, uint64_t all)
{
    if (atomic_load(&transfers->follows_work))
        drua_set_progress(transfers->device, 9 * all + done, 10 * all);
    else
        drua_set_progress(transfers->device, done, all);
}

/* ---- methods of transfer */

static drua_status move_mapped(drua_transfer_queue *transfers, const drua_transfer *t, drua_move *m, cl_event *landed)
{
    drua_device *device = transfers->device;
    for (cl_uint i = 0; i < t->after_count; i++)
        DRUA_TRY(drua_wait(device, t->after[i]));
    for (size_t at = 0; at < t->total; at += MAPPED) {
        const size_t bytes = t->total - at < MAPPED ? t->total - at : MAPPED;
        cl_int code;
        cl_event last = NULL;
        DRUA_TRY(drua_device_check(device));
        if (!drua_move_prepare(m, at, at + bytes))
            return drua_fail_source();
        void *mapped = device->cl->clEnqueueMapBuffer(transfers->queue, t->memory, CL_TRUE,
                                                      transfers->pull ? CL_MAP_READ : CL_MAP_WRITE, t->offset + at,
                                                      bytes, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, action_of(transfers));
        drua_move_copy(m, at, mapped, bytes);
        code = device->cl->clEnqueueUnmapMemObject(transfers->queue, t->memory, mapped, 0, NULL, &last);
        if (code == CL_SUCCESS) {
            drua_forget_event(device, landed);
            *landed = last;
            code = drua_flush(device, transfers->queue);
        }
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, action_of(transfers));
        set_moved(transfers, at + bytes, t->total);
    }
    if (transfers->pull)
        drua_forget_event(device, landed);
    return DRUA_OK;
}

/* State of a transfer through the ring. A thread copies a chunk; a command moves a run of chunks. */
typedef struct ring_transfer {
    drua_transfer_queue *transfers;
    const drua_transfer *transfer;
    drua_move *m;
    drua_job job;
    size_t sent, max; /* chunks that are in commands; largest number of chunks per command */
    uint64_t start; /* place in the ring */
} ring_transfer;

/*
 * Collects the events for which the next command waits. The last command of a push waits for all earlier ones, so that
 * its event shows if one of them fails.
 */
static cl_uint waits_of(const ring_transfer *r, bool last, cl_event *events)
{
    const drua_transfer_queue *transfers = r->transfers;
    cl_uint count = 0;
    for (; !r->sent && count < r->transfer->after_count; count++)
        events[count] = r->transfer->after[count];
    for (unsigned i = 0; last && !transfers->pull && i < transfers->in_flight_count; i++) {
        const drua_transfer_command *command =
            &transfers->in_flight[(transfers->first_in_flight + i) % DRUA_MAX_IN_FLIGHT];
        if (command->end > r->start)
            events[count++] = command->event;
    }
    return count;
}

/* Sends one command for chunks from `sent` on, up to the end of the ring. */
static drua_status send_run(ring_transfer *r, size_t chunks)
{
    drua_transfer_queue *transfers = r->transfers;
    const size_t to_end = r->job.ring_chunks - (r->job.ring_first + r->sent) % r->job.ring_chunks,
                 end = r->sent + (chunks < to_end ? chunks : to_end);
    const size_t at = drua_job_begin(&r->job, r->sent);
    cl_event event, waits[DRUA_MAX_IN_FLIGHT + 2];
    const ring_command command = {.memory = r->transfer->memory,
                                  .offset = r->transfer->offset + at,
                                  .bytes = drua_job_begin(&r->job, end) - at,
                                  .slot = drua_job_place(&r->job, r->sent),
                                  .after = waits,
                                  .after_count = waits_of(r, end == r->job.chunks, waits)};
    const cl_int code = send_command(transfers, transfers->queue, &command, &event);
    if (event) {
        r->sent = end;
        drua_transfer_queue_add(transfers, event, r->start + end * r->job.chunk);
    }
    return code == CL_SUCCESS ? DRUA_OK : drua_device_fail(transfers->device, code, action_of(transfers));
}

/* Copies a chunk, or waits if no chunk is left to copy. */
static void pass_time(ring_transfer *r, uint64_t since)
{
    if (!r->m->untouched && drua_job_help(&r->job))
        return;
    drua_relax();
    drua_pause(r->transfers->device, since);
}

static drua_status poll_and_check(ring_transfer *r)
{
    const cl_int code = drua_transfer_queue_poll(r->transfers, r->start);
    return code != CL_SUCCESS ? drua_device_fail(r->transfers->device, code, action_of(r->transfers))
                              : drua_device_check(r->transfers->device);
}

/* Sends the commands of a push: few, because each costs time, but early enough that the bus never waits for one. */
static drua_status conduct_push(ring_transfer *r)
{
    drua_transfer_queue *transfers = r->transfers;
    const unsigned busy =
        r->m->streaming ? BUSY : 1; /* in a large transfer, longer commands leave the bus to the other direction */
    size_t open = 0, step = r->job.chunks / STEPS < r->max ? r->job.chunks / STEPS + 1
                                                           : r->max; /* a source may deliver pixels slowly */
    uint64_t since = drua_nanoseconds();
    while (r->sent < r->job.chunks) {
        const uint64_t before = r->sent + transfers->tail + open;
        const uint64_t free = transfers->tail + transfers->ring_bytes,
                       room = free > r->start ? (free - r->start) / r->job.chunk : 0;
        const size_t limit = room < r->job.chunks ? (size_t)room : r->job.chunks;
        if (open < limit) {
            const size_t next = limit - open < step ? limit : open + step;
            if (!drua_move_prepare(r->m, drua_job_begin(&r->job, r->job.taken), drua_job_begin(&r->job, next)))
                return drua_fail_source();
            drua_job_open(&r->job, open = next);
        }
        const size_t ready = drua_job_take(&r->job) - r->sent;
        if (ready && transfers->in_flight_count < DRUA_MAX_IN_FLIGHT &&
            (ready >= r->max || r->job.taken == r->job.chunks || transfers->in_flight_count < busy))
            DRUA_TRY(send_run(r, ready < r->max ? ready : r->max));
        DRUA_TRY(poll_and_check(r));
        if (r->sent + transfers->tail + open == before) {
            pass_time(r, since);
        } else {
            since = drua_nanoseconds();
            set_moved(transfers, r->sent, r->job.chunks);
        }
    }
    return DRUA_OK;
}

/*
 * Number of chunks in the next command of a pull: small at first so that copying starts early, and small at the end so
 * that it ends early.
 */
static size_t next_pull(const ring_transfer *r)
{
    const size_t left = r->job.chunks - r->sent, min = (MIN_COMMAND + r->job.chunk - 1) / r->job.chunk;
    size_t chunks = r->sent < left / 2 ? r->sent : left / 2;
    chunks = chunks < min ? min : chunks < r->max ? chunks : r->max;
    return chunks < left ? chunks : left;
}

static drua_status conduct_pull(ring_transfer *r)
{
    drua_transfer_queue *transfers = r->transfers;
    uint64_t since = drua_nanoseconds();
    while (r->job.taken < r->job.chunks) {
        const uint64_t before = r->sent + transfers->tail + r->job.taken;
        const size_t next = next_pull(r);
        if (r->sent < r->job.chunks && r->sent + next <= r->job.taken + r->job.ring_chunks &&
            transfers->in_flight_count < DRUA_MAX_IN_FLIGHT)
            DRUA_TRY(send_run(r, next));
        DRUA_TRY(poll_and_check(r));
        const size_t landed = transfers->tail > r->start ? (size_t)(transfers->tail - r->start) / r->job.chunk : 0;
        if (!drua_move_prepare(r->m, drua_job_begin(&r->job, r->job.taken),
                               landed ? drua_job_begin(&r->job, landed) : 1))
            return drua_fail_source();
        drua_job_open(&r->job, landed);
        drua_job_take(&r->job);
        if (r->sent + transfers->tail + r->job.taken == before) {
            pass_time(r, since);
        } else {
            since = drua_nanoseconds();
            set_moved(transfers, r->job.taken, r->job.chunks);
        }
    }
    return DRUA_OK;
}

static size_t chunk_of(const drua_move *m, size_t total)
{
    size_t chunk = MIN_CHUNK;
    if (m->untouched)
        return DRUA_LARGE_PAGE;
    while (chunk < CHUNK && 2 * chunk <= total / CHUNKS_AN_IMAGE)
        chunk *= 2;
    return chunk;
}

/* A pull into plain memory bypasses the caches. This needs fewer threads and leaves cores to a simultaneous push. */
static int count_helpers(const drua_move *m, size_t total)
{
    const int max = m->untouched ? PREFAULT_THREADS : m->pull && !m->planes->copy ? STREAMERS : COPIERS;
    return total / SHARE < (size_t)max ? (int)(total / SHARE) : max;
}

static drua_status move_through_ring(drua_transfer_queue *transfers, const drua_transfer *t, drua_move *m,
                                     cl_event *landed)
{
    const size_t chunk = chunk_of(m, t->total), skew = drua_move_skew(m),
                 max = transfers->ring_bytes / 2 < COMMAND ? transfers->ring_bytes / 2 : COMMAND;
    ring_transfer r = {.transfers = transfers, .transfer = t, .m = m, .max = max / chunk};
    if (transfers->pull)
        DRUA_TRY(drua_transfer_queue_wait(transfers, transfers->head));
    if (!transfers->in_flight_count)
        transfers->tail = transfers->head;
    r.start = (transfers->head + chunk - 1) / chunk * chunk;
    r.job = (drua_job){.copy = drua_move_copy,
                       .prefault = m->untouched ? drua_move_prefault : NULL,
                       .payload = m,
                       .ring = transfers->host,
                       .ring_chunks = transfers->ring_bytes / chunk,
                       .total = t->total,
                       .skew = skew,
                       .chunk = chunk,
                       .chunks = (t->total + skew + chunk - 1) / chunk,
                       .helpers = count_helpers(m, t->total)};
    r.job.ring_first = r.start / chunk % r.job.ring_chunks;
    drua_copy_threads *copiers = !r.job.helpers ? NULL
                                 : m->untouched ? transfers->prefault_threads
                                                : transfers->copiers;
    if (copiers)
        drua_copy_threads_start(copiers, &r.job);
    const drua_status status = transfers->pull ? conduct_pull(&r) : conduct_push(&r);
    if (copiers)
        drua_copy_threads_finish(copiers, &r.job);
    transfers->head = r.start + r.sent * chunk;      /* the unsent part is free, because no thread is copying */
    if (transfers->pull || !r.sent || !transfers->in_flight_count)
        return status;
    /* later commands must not wait for a command that failed */
    if (status != DRUA_OK && status != DRUA_E_CANCELLED) {
        drua_transfer_queue_finish(transfers);
        while (transfers->in_flight_count)
            drua_transfer_queue_retire(transfers);
        drua_forget_event(transfers->device, landed);
        return status;
    }
    const drua_status kept = drua_transfer_queue_keep_last(transfers, r.start, landed);
    return status == DRUA_OK ? kept : status;
}

/* Number of copying threads: one core is left to the thread that sends commands. */
static int count_threads(int max)
{
    const int cores = drua_cores();
    return cores < 2 ? 1 : cores - 1 < max ? cores - 1 : max;
}

/*
 * More than COPIERS threads do not fill a link faster, but a page that was never touched is cleared by the thread that
 * touches it.
 */
static bool open_copy_threads(drua_transfer_queue *transfers, bool untouched)
{
    drua_copy_threads **copiers = untouched ? &transfers->prefault_threads : &transfers->copiers;
    if (!*copiers)
        *copiers = drua_copy_threads_open(count_threads(untouched ? PREFAULT_THREADS : COPIERS),
                                          transfers->device->info.is_gpu);
    return *copiers != NULL;
}

/*
 * A bus reads slowly from other cores' caches, so data that it will read soon bypasses them. In a large transfer the
 * bus reads most data after it has left the caches, and bypassing them costs more. Pages that the system has just
 * cleared are in the caches.
 */
static bool bypasses_caches(const drua_move *m, bool mapped, size_t total)
{
    return m->pull ? !m->untouched : !mapped && total <= STREAMED;
}

drua_status drua_transfer_queue_move(drua_transfer_queue *transfers, const drua_transfer *transfer, cl_event *landed)
{
    drua_device *device = transfers->device;
    drua_move m = {transfer->planes, transfer->first, transfers->pull, false, false};
    drua_status status = DRUA_OK;
    DRUA_TRY(drua_transfer_queue_enter(transfers));
    const bool mapped = !device->info.is_gpu, is_large = transfer->total > SMALL;
    if (!mapped) {
        const cl_int code = drua_transfer_queue_pin(transfers, is_large ? LARGE_RING : SMALL_RING);
        if (code != CL_SUCCESS)
            status = drua_device_fail(device, code, "allocate pinned memory for transfers");
        if (is_large)
            drua_move_find_untouched_memory(&m, transfer->total);
        if (transfer->total >= SHARE && !open_copy_threads(transfers, m.untouched))
            m.untouched = false;        /* without threads the conductor copies everything */
    }
    m.streaming = bypasses_caches(&m, mapped, transfer->total);
    if (status == DRUA_OK)
        status = (mapped ? move_mapped : move_through_ring)(transfers, transfer, &m, landed);
    drua_set_progress(device, 0, 0);
    drua_transfer_queue_leave(transfers);
    return status;
}

static drua_status read_next(drua_transfer_queue *transfers, cl_mem memory, size_t offset, void *host, size_t bytes)
{
    drua_device *device = transfers->device;
    cl_event event;
    cl_int code = drua_transfer_queue_pin(transfers, SMALL_RING);
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "allocate pinned memory for transfers");
    DRUA_TRY(drua_transfer_queue_wait(transfers, transfers->head));
    const uint64_t start = transfers->head;
    const ring_command command = {.memory = memory, .offset = offset, .bytes = bytes, .slot = transfers->host};
    code = send_command(transfers, device->queue, &command, &event);
    if (event) {
        transfers->head =
            (transfers->head + transfers->ring_bytes - 1) / transfers->ring_bytes * transfers->ring_bytes +
            bytes; /* from the start of the ring on */
        drua_transfer_queue_add(transfers, event, transfers->head);
    }
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, action_of(transfers));
    DRUA_TRY(drua_transfer_queue_wait(transfers, start));
    memcpy(host, transfers->host, bytes);
    return DRUA_OK;
}

drua_status drua_transfer_queue_read_next(drua_transfer_queue *transfers, cl_mem memory, size_t offset, void *host,
                                          size_t bytes)
{
    DRUA_TRY(drua_transfer_queue_enter(transfers));
    const drua_status status = read_next(transfers, memory, offset, host, bytes);
    drua_transfer_queue_leave(transfers);
    return status;
}
