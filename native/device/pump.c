/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves pixels between ordinary memory and the device. On a GPU through a ring of pinned memory: the caller's thread makes
 * every OpenCL call, a crew of threads copies pieces, and what is copied goes to the device in as few commands as keep the
 * bus busy. On a processor the buffer is mapped, which is free.
 */
#include "pinned.h"

#include "cores.h"
#include "crew.h"
#include "error.h"
#include "fresh.h"
#include "move.h"

#include <string.h>

enum { SMALL_RING = 2 << 20, LARGE_RING = 32 << 20, SMALL = 512 << 10, MAPPED = 16 << 20, STREAMED = 16 << 20 };
enum { COPIERS = 7, STREAMERS = 5, CLEARERS = 15, SHARE = 64 << 10 };      /* SHARE: bytes for which one more thread pays */
enum { LEAST_PIECE = 64 << 10, PIECE = 256 << 10, PIECES_AN_IMAGE = 64, STEPS = 16, LEAST_COMMAND = 256 << 10, COMMAND = 8 << 20, BUSY = 2 };

drua_status drua_fail_source(void)
{
    return drua_fail(DRUA_E_CANCELLED, "the pixels that were to be copied were not given; all images are as they were");
}

/* One command between the ring and the buffer; with an event it was sent, whatever the result. */
static cl_int enqueue(drua_pump *pump, cl_command_queue queue, cl_mem memory, size_t offset, size_t bytes, char *slot, const cl_event *after,
                      cl_uint count, cl_event *event)
{
    const drua_opencl *cl = pump->device->cl;
    const cl_int code = pump->pull ? cl->clEnqueueReadBuffer(queue, memory, CL_FALSE, offset, bytes, slot, count, count ? after : NULL, event)
                                   : cl->clEnqueueWriteBuffer(queue, memory, CL_FALSE, offset, bytes, slot, count, count ? after : NULL, event);
    if (code != CL_SUCCESS)
        *event = NULL;
    return code == CL_SUCCESS ? drua_flush(pump->device, queue) : code;
}

static const char *what(const drua_pump *pump)
{
    return pump->pull ? "copy an image from the device" : "copy an image to the device";
}

/* ---- the ways */

static drua_status move_mapped(drua_pump *pump, cl_mem memory, size_t offset, drua_move *m, size_t total, const cl_event *after, cl_uint count,
                               cl_event *landed)
{
    drua_device *device = pump->device;
    for (cl_uint i = 0; i < count; i++)
        DRUA_TRY(drua_wait(device, after[i]));
    for (size_t at = 0; at < total; at += MAPPED) {
        const size_t bytes = total - at < MAPPED ? total - at : MAPPED;
        cl_int code;
        cl_event last = NULL;
        DRUA_TRY(drua_device_check(device));
        if (!drua_move_prepare(m, at, at + bytes))
            return drua_fail_source();
        void *mapped = device->cl->clEnqueueMapBuffer(pump->queue, memory, CL_TRUE, pump->pull ? CL_MAP_READ : CL_MAP_WRITE, offset + at,
                                                      bytes, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(pump));
        drua_move_copy(m, at, mapped, bytes);
        code = device->cl->clEnqueueUnmapMemObject(pump->queue, memory, mapped, 0, NULL, &last);
        if (code == CL_SUCCESS) {
            drua_forget_event(device, landed);
            *landed = last;
            code = drua_flush(device, pump->queue);
        }
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(pump));
        drua_set_progress(device, at + bytes, total);
    }
    if (pump->pull)
        drua_forget_event(device, landed);
    return DRUA_OK;
}

/* The state of a transfer through the ring: pieces are what a thread copies, runs of them what a command moves. */
typedef struct ride {
    drua_pump *pump;
    cl_mem memory;
    drua_move *m;
    drua_job job;
    size_t offset, sent, most;          /* pieces in commands; the most pieces of a command */
    uint64_t start;                     /* place in the ring */
    const cl_event *after;
    cl_uint after_count;
} ride;

/* What the next command waits for. The last one of a push stands for all: it must fail if one before it does. */
static cl_uint waits_of(const ride *r, bool last, cl_event *events)
{
    const drua_pump *pump = r->pump;
    cl_uint count = 0;
    for (; !r->sent && count < r->after_count; count++)
        events[count] = r->after[count];
    for (unsigned i = 0; last && !pump->pull && i < pump->flight_count; i++) {
        const drua_flight *flight = &pump->flights[(pump->first_flight + i) % DRUA_FLIGHTS];
        if (flight->end > r->start)
            events[count++] = flight->event;
    }
    return count;
}

/* One command for pieces from `sent` on, as far as the ring goes before it starts again. */
static drua_status send_run(ride *r, size_t pieces)
{
    drua_pump *pump = r->pump;
    const size_t to_end = r->job.ring_pieces - (r->job.ring_first + r->sent) % r->job.ring_pieces, end = r->sent + (pieces < to_end ? pieces : to_end);
    const size_t at = drua_job_begin(&r->job, r->sent);
    cl_event event, waits[DRUA_FLIGHTS + 2];
    const cl_uint wait_count = waits_of(r, end == r->job.pieces, waits);
    const cl_int code = enqueue(pump, pump->queue, r->memory, r->offset + at, drua_job_begin(&r->job, end) - at, drua_job_place(&r->job, r->sent), waits,
                                wait_count, &event);
    if (event) {
        r->sent = end;
        drua_pump_take_off(pump, event, r->start + end * r->job.piece);
    }
    return code == CL_SUCCESS ? DRUA_OK : drua_device_fail(pump->device, code, what(pump));
}

/* Nothing happened since then: copies a piece, or waits. */
static void pass_time(ride *r, uint64_t since)
{
    if (!r->m->fresh && drua_job_help(&r->job))
        return;
    drua_relax();
    drua_pause(r->pump->device, since);
}

static drua_status look_and_check(ride *r)
{
    const cl_int code = drua_pump_look(r->pump, r->start);
    return code != CL_SUCCESS ? drua_device_fail(r->pump->device, code, what(r->pump))
                              : drua_device_check(r->pump->device);
}

/* Few commands cost little time, but the bus must never wait for one. */
static drua_status conduct_push(ride *r)
{
    drua_pump *pump = r->pump;
    const unsigned busy = r->m->streaming ? BUSY : 1;      /* a large transfer leaves the bus to the other direction for longer commands */
    size_t open = 0, step = r->job.pieces / STEPS < r->most ? r->job.pieces / STEPS + 1 : r->most;     /* sources may bring pixels slowly */
    uint64_t since = drua_nanoseconds();
    while (r->sent < r->job.pieces) {
        const uint64_t before = r->sent + pump->tail + open;
        const uint64_t free = pump->tail + pump->ring_bytes, room = free > r->start ? (free - r->start) / r->job.piece : 0;
        const size_t limit = room < r->job.pieces ? (size_t)room : r->job.pieces;
        if (open < limit) {
            const size_t next = limit - open < step ? limit : open + step;
            if (!drua_move_prepare(r->m, drua_job_begin(&r->job, r->job.taken), drua_job_begin(&r->job, next)))
                return drua_fail_source();
            drua_job_open(&r->job, open = next);
        }
        const size_t ready = drua_job_take(&r->job) - r->sent;
        if (ready && pump->flight_count < DRUA_FLIGHTS && (ready >= r->most || r->job.taken == r->job.pieces || pump->flight_count < busy))
            DRUA_TRY(send_run(r, ready < r->most ? ready : r->most));
        DRUA_TRY(look_and_check(r));
        if (r->sent + pump->tail + open == before) {
            pass_time(r, since);
        } else {
            since = drua_nanoseconds();
            drua_set_progress(pump->device, r->sent, r->job.pieces);
        }
    }
    return DRUA_OK;
}

/* Pieces of the next command of a pull: the first are small so that copying starts early, the last so that it ends early. */
static size_t next_pull(const ride *r)
{
    const size_t left = r->job.pieces - r->sent, least = (LEAST_COMMAND + r->job.piece - 1) / r->job.piece;
    size_t pieces = r->sent < left / 2 ? r->sent : left / 2;
    pieces = pieces < least ? least : pieces < r->most ? pieces : r->most;
    return pieces < left ? pieces : left;
}

static drua_status conduct_pull(ride *r)
{
    drua_pump *pump = r->pump;
    uint64_t since = drua_nanoseconds();
    while (r->job.taken < r->job.pieces) {
        const uint64_t before = r->sent + pump->tail + r->job.taken;
        const size_t next = next_pull(r);
        if (r->sent < r->job.pieces && r->sent + next <= r->job.taken + r->job.ring_pieces && pump->flight_count < DRUA_FLIGHTS)
            DRUA_TRY(send_run(r, next));
        DRUA_TRY(look_and_check(r));
        const size_t landed = pump->tail > r->start ? (size_t)(pump->tail - r->start) / r->job.piece : 0;
        if (!drua_move_prepare(r->m, drua_job_begin(&r->job, r->job.taken), landed ? drua_job_begin(&r->job, landed) : 1))
            return drua_fail_source();
        drua_job_open(&r->job, landed);
        drua_job_take(&r->job);
        if (r->sent + pump->tail + r->job.taken == before) {
            pass_time(r, since);
        } else {
            since = drua_nanoseconds();
            drua_set_progress(pump->device, r->job.taken, r->job.pieces);
        }
    }
    return DRUA_OK;
}

static size_t piece_of(const drua_move *m, size_t total)
{
    size_t piece = LEAST_PIECE;
    if (m->fresh)
        return DRUA_LARGE_PAGE;
    while (piece < PIECE && 2 * piece <= total / PIECES_AN_IMAGE)
        piece *= 2;
    return piece;
}

/* A pull to memory writes past the caches, which takes fewer threads, and leaves cores to a push at the same time. */
static int helpers(const drua_move *m, size_t total)
{
    const int most = m->fresh ? CLEARERS : m->pull && !m->planes->copy ? STREAMERS : COPIERS;
    return total / SHARE < (size_t)most ? (int)(total / SHARE) : most;
}

static drua_status move_through_ring(drua_pump *pump, cl_mem memory, size_t offset, drua_move *m, size_t total, const cl_event *after, cl_uint count,
                                     cl_event *landed)
{
    const size_t piece = piece_of(m, total), skew = drua_move_skew(m), most = pump->ring_bytes / 2 < COMMAND ? pump->ring_bytes / 2 : COMMAND;
    ride r = {.pump = pump, .memory = memory, .m = m, .offset = offset, .most = most / piece, .after = after, .after_count = count};
    if (pump->pull)
        DRUA_TRY(drua_pump_land_all(pump, pump->head));
    if (!pump->flight_count)
        pump->tail = pump->head;
    r.start = (pump->head + piece - 1) / piece * piece;
    r.job = (drua_job){.copy = drua_move_copy, .touch = m->fresh ? drua_move_touch : NULL, .payload = m, .ring = pump->host,
                       .ring_pieces = pump->ring_bytes / piece, .total = total, .skew = skew, .piece = piece,
                       .pieces = (total + skew + piece - 1) / piece, .helpers = helpers(m, total)};
    r.job.ring_first = r.start / piece % r.job.ring_pieces;
    drua_crew *crew = !r.job.helpers ? NULL : m->fresh ? pump->clearers : pump->crew;
    if (crew)
        drua_crew_start(crew, &r.job);
    const drua_status status = pump->pull ? conduct_pull(&r) : conduct_push(&r);
    if (crew)
        drua_crew_finish(crew, &r.job);
    pump->head = r.start + r.sent * piece;      /* what was not sent is free, as nobody copies any more */
    if (pump->pull || !r.sent || !pump->flight_count)
        return status;
    if (status != DRUA_OK && status != DRUA_E_CANCELLED) {      /* nobody should wait for a command that failed */
        drua_pump_settle(pump);
        while (pump->flight_count)
            drua_pump_land(pump);
        drua_forget_event(pump->device, landed);
        return status;
    }
    const drua_status kept = drua_pump_keep_last(pump, r.start, landed);
    return status == DRUA_OK ? kept : status;
}

/* Threads for a crew: a core is left to whoever conducts. */
static int threads(int most)
{
    const int cores = drua_cores();
    return cores < 2 ? 1 : cores - 1 < most ? cores - 1 : most;
}

/* More than COPIERS fill no link faster, but the system clears fresh pages on the thread that touches them. */
static bool open_crew(drua_pump *pump, bool fresh)
{
    drua_crew **crew = fresh ? &pump->clearers : &pump->crew;
    if (!*crew)
        *crew = drua_crew_open(threads(fresh ? CLEARERS : COPIERS), pump->device->info.is_gpu);
    return *crew != NULL;
}

/*
 * A bus reads slowly what other cores have just written and still have in their caches, so what it soon reads is written past
 * them; of a large transfer it reads most when the caches have given it up, and writing past them costs more. A page that
 * the system has just cleared is in the caches.
 */
static bool streams(const drua_move *m, bool mapped, size_t total)
{
    return m->pull ? !m->fresh : !mapped && total <= STREAMED;
}

drua_status drua_pump_move(drua_pump *pump, cl_mem memory, size_t offset, const drua_planes *planes, size_t first, size_t total,
                           const cl_event *after, cl_uint after_count, cl_event *landed)
{
    drua_device *device = pump->device;
    drua_move m = {planes, first, pump->pull, false, false};
    drua_status status = DRUA_OK;
    DRUA_TRY(drua_pump_enter(pump));
    const bool mapped = !device->info.is_gpu, is_large = total > SMALL;
    if (!mapped) {
        const cl_int code = drua_pump_pin(pump, is_large ? LARGE_RING : SMALL_RING);
        if (code != CL_SUCCESS)
            status = drua_device_fail(device, code, "give pinned memory for transfers");
        if (is_large)
            drua_move_look_for_fresh_memory(&m, total);
        if (total >= SHARE && !open_crew(pump, m.fresh))
            m.fresh = false;        /* without threads the conductor copies all */
    }
    m.streaming = streams(&m, mapped, total);
    if (status == DRUA_OK)
        status = (mapped ? move_mapped : move_through_ring)(pump, memory, offset, &m, total, after, after_count, landed);
    drua_set_progress(device, 0, 0);
    drua_pump_leave(pump);
    return status;
}

static drua_status read_next(drua_pump *pump, cl_mem memory, size_t offset, void *host, size_t bytes)
{
    drua_device *device = pump->device;
    cl_event event;
    cl_int code = drua_pump_pin(pump, SMALL_RING);
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "give pinned memory for transfers");
    DRUA_TRY(drua_pump_land_all(pump, pump->head));
    const uint64_t start = pump->head;
    code = enqueue(pump, device->queue, memory, offset, bytes, pump->host, NULL, 0, &event);
    if (event) {
        pump->head = (pump->head + pump->ring_bytes - 1) / pump->ring_bytes * pump->ring_bytes + bytes;     /* from the ring's start on */
        drua_pump_take_off(pump, event, pump->head);
    }
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, what(pump));
    DRUA_TRY(drua_pump_land_all(pump, start));
    memcpy(host, pump->host, bytes);
    return DRUA_OK;
}

drua_status drua_pump_read_next(drua_pump *pump, cl_mem memory, size_t offset, void *host, size_t bytes)
{
    DRUA_TRY(drua_pump_enter(pump));
    const drua_status status = read_next(pump, memory, offset, host, bytes);
    drua_pump_leave(pump);
    return status;
}
