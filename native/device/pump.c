/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves pixels between ordinary memory and the device. On a GPU through a ring of pinned memory: the caller's thread makes
 * every OpenCL call, a crew of threads copies pieces, and what is copied goes to the device in as few commands as keep the
 * bus busy. On a processor the buffer is mapped, which is free.
 */
#include "internal.h"

#include "alloc.h"
#include "cores.h"
#include "crew.h"
#include "error.h"
#include "fresh.h"

#include <stdint.h>
#include <string.h>

enum { SMALL_RING = 2 << 20, LARGE_RING = 32 << 20, SMALL = 512 << 10, MAPPED = 16 << 20 };
enum { BOUNCE = 32 << 10, STREAMED = 16 << 20 };
enum { COPIERS = 7, CLEARERS = 15, SHARE = 64 << 10 };      /* SHARE: bytes for which one more thread pays */
enum { LEAST_PIECE = 64 << 10, PIECE = 256 << 10, PIECES_AN_IMAGE = 64, STEPS = 16, LEAST_COMMAND = 256 << 10, COMMAND = 8 << 20, BUSY = 2 };

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

/* ---- the ring and what is on its way */

static drua_flight *oldest(drua_pump *pump)
{
    return &pump->flights[pump->first_flight];
}

static void land(drua_pump *pump)
{
    pump->tail = oldest(pump)->end;
    forget(pump->device, &oldest(pump)->event);
    pump->first_flight = (pump->first_flight + 1) % DRUA_FLIGHTS;
    pump->flight_count--;
}

/* Nothing moves any more; some reads are in the compute queue. */
static void settle(drua_pump *pump)
{
    pump->device->cl->clFinish(pump->queue);
    if (pump->pull)
        pump->device->cl->clFinish(pump->device->queue);
}

/* An image that was pushed before is not what it should be, nor what came of it. A pull that was given up may fail. */
static void fail_old(drua_pump *pump, cl_int code)
{
    if (!pump->pull)
        drua_lose(pump->device, code);
}

/* Lands what the device is done with; an error of a transfer that began there. */
static cl_int look(drua_pump *pump, uint64_t start)
{
    while (pump->flight_count) {
        const cl_int state = drua_poll(pump->device, oldest(pump)->event);
        if (state > CL_COMPLETE)
            return CL_SUCCESS;
        const bool old = oldest(pump)->end <= start;
        if (state < 0)
            settle(pump);
        land(pump);
        if (state < 0 && !old)
            return state;
        if (state < 0)
            fail_old(pump, state);
    }
    return CL_SUCCESS;
}

static drua_status land_all(drua_pump *pump, uint64_t start)
{
    while (pump->flight_count) {
        const drua_status status = drua_wait(pump->device, oldest(pump)->event);
        const bool old = oldest(pump)->end <= start;
        if (status == DRUA_E_CANCELLED)
            return status;
        if (status != DRUA_OK)
            settle(pump);
        land(pump);
        if (status != DRUA_OK && !old)
            return status;
        if (status != DRUA_OK)
            fail_old(pump, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    return pump->device->loss ? drua_fail_lost(pump->device) : DRUA_OK;
}

drua_status drua_pump_drain(drua_pump *pump)
{
    pthread_mutex_lock(&pump->lock);
    const drua_status status = land_all(pump, pump->head);
    pthread_mutex_unlock(&pump->lock);
    return status;
}

static void unpin(drua_pump *pump)
{
    const drua_opencl *cl = pump->device->cl;
    if (pump->host)
        cl->clEnqueueUnmapMemObject(pump->queue, pump->pinned, pump->host, 0, NULL, NULL);
    cl->clFinish(pump->queue);
    if (pump->flight_count)
        settle(pump);
    while (pump->flight_count)
        land(pump);
    if (pump->pinned)
        cl->clReleaseMemObject(pump->pinned);
    pump->pinned = NULL;
    pump->host = NULL;
    pump->ring_bytes = 0;
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

/* A ring of at least that size, made once: a few milliseconds for a small one, fifteen for a large one. */
static cl_int pin(drua_pump *pump, size_t bytes)
{
    drua_device *device = pump->device;
    cl_int code;
    if (pump->ring_bytes >= bytes)
        return CL_SUCCESS;
    unpin(pump);
    pump->pinned = device->cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        pump->host = device->cl->clEnqueueMapBuffer(pump->queue, pump->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        pump->ring_bytes = bytes;
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
    bool streaming;             /* past the caches */
} move;

/* Through memory that stays in the caches: a source that copies itself cannot go past them. */
static void copy_streaming(const drua_planes *p, size_t z, size_t inside, char *to, size_t bytes)
{
    char bounce[BOUNCE];
    for (size_t n; bytes; inside += n, to += n, bytes -= n) {
        n = bytes < sizeof bounce ? bytes : sizeof bounce;
        p->copy(p->payload, z, inside, bounce, n);
        drua_copy_out(to, bounce, n);
    }
}

static void copy_part(void *payload, size_t at, void *memory, size_t bytes)
{
    const move *m = payload;
    const drua_planes *p = m->planes;
    char *slot = memory;
    for (at += m->first; bytes;) {
        const size_t z = at / p->bytes, inside = at % p->bytes;
        const size_t n = p->bytes - inside < bytes ? p->bytes - inside : bytes;
        char *plane = p->copy ? NULL : ((char *const *)p->payload)[z] + inside;
        if (p->copy && m->streaming && !m->pull)
            copy_streaming(p, z, inside, slot, n);
        else if (p->copy)
            p->copy(p->payload, z, inside, slot, n);
        else if (m->streaming)
            drua_copy_out(m->pull ? plane : slot, m->pull ? slot : plane, n);
        else
            memcpy(m->pull ? plane : slot, m->pull ? slot : plane, n);
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

static void take_off(drua_pump *pump, cl_event event, uint64_t end)
{
    pump->flights[(pump->first_flight + pump->flight_count++) % DRUA_FLIGHTS] = (drua_flight){event, end};
}

/* Who reads the buffer waits for the last command; where its event cannot be kept, it is waited for here. */
static drua_status keep_last(drua_pump *pump, uint64_t start, cl_event *landed)
{
    const cl_event last = pump->flights[(pump->first_flight + pump->flight_count - 1) % DRUA_FLIGHTS].event;
    forget(pump->device, landed);
    if (pump->device->cl->clRetainEvent(last) != CL_SUCCESS) {
        settle(pump);       /* also where the call is to stop: others would take the buffer's memory while it is written */
        return land_all(pump, start);
    }
    *landed = last;
    return DRUA_OK;
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
        cl_event last = NULL;
        DRUA_TRY(drua_device_check(device));
        if (!prepare(m, at, at + bytes))
            return drua_fail_source();
        void *mapped = device->cl->clEnqueueMapBuffer(pump->queue, memory, CL_TRUE, pump->pull ? CL_MAP_READ : CL_MAP_WRITE, offset + at,
                                                      bytes, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(pump));
        copy_part(m, at, mapped, bytes);
        code = device->cl->clEnqueueUnmapMemObject(pump->queue, memory, mapped, 0, NULL, &last);
        if (code == CL_SUCCESS) {
            forget(device, landed);
            *landed = last;
            code = drua_flush(device, pump->queue);
        }
        if (code != CL_SUCCESS)
            return drua_device_fail(device, code, what(pump));
        drua_set_progress(device, at + bytes, total);
    }
    if (pump->pull)
        forget(device, landed);
    return DRUA_OK;
}

/* The state of a transfer through the ring: pieces are what a thread copies, runs of them what a command moves. */
typedef struct ride {
    drua_pump *pump;
    cl_mem memory;
    move *m;
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
        take_off(pump, event, r->start + end * r->job.piece);
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
    const cl_int code = look(r->pump, r->start);
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
            if (!prepare(r->m, drua_job_begin(&r->job, r->job.taken), drua_job_begin(&r->job, next)))
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
        if (!prepare(r->m, drua_job_begin(&r->job, r->job.taken), landed ? drua_job_begin(&r->job, landed) : 1))
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

/* Lets the system clear the pages of a piece while its bytes are on their way. */
static void touch_part(void *payload, size_t at, size_t bytes)
{
    const move *m = payload;
    for (at += m->first; bytes;) {
        const size_t z = at / m->planes->bytes, inside = at % m->planes->bytes;
        const size_t n = m->planes->bytes - inside < bytes ? m->planes->bytes - inside : bytes;
        drua_touch_memory(((char *const *)m->planes->payload)[z] + inside, n);
        at += n;
        bytes -= n;
    }
}

static size_t piece_of(const move *m, size_t total)
{
    size_t piece = LEAST_PIECE;
    if (m->fresh)
        return DRUA_LARGE_PAGE;
    while (piece < PIECE && 2 * piece <= total / PIECES_AN_IMAGE)
        piece *= 2;
    return piece;
}

static int helpers(const move *m, size_t total)
{
    const int most = m->fresh ? CLEARERS : COPIERS;
    return total / SHARE < (size_t)most ? (int)(total / SHARE) : most;
}

static drua_status move_through_ring(drua_pump *pump, cl_mem memory, size_t offset, move *m, size_t total, const cl_event *after, cl_uint count,
                                     cl_event *landed)
{
    const size_t piece = piece_of(m, total), skew = skew_of(m), most = pump->ring_bytes / 2 < COMMAND ? pump->ring_bytes / 2 : COMMAND;
    ride r = {.pump = pump, .memory = memory, .m = m, .offset = offset, .most = most / piece, .after = after, .after_count = count};
    if (pump->pull)
        DRUA_TRY(land_all(pump, pump->head));
    if (!pump->flight_count)
        pump->tail = pump->head;
    r.start = (pump->head + piece - 1) / piece * piece;
    r.job = (drua_job){.copy = copy_part, .touch = m->fresh ? touch_part : NULL, .payload = m, .ring = pump->host,
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
        settle(pump);
        while (pump->flight_count)
            land(pump);
        forget(pump->device, landed);
        return status;
    }
    const drua_status kept = keep_last(pump, r.start, landed);
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
static bool streams(const move *m, bool mapped, size_t total)
{
    return m->pull ? !m->fresh : !mapped && total <= STREAMED;
}

drua_status drua_pump_move(drua_pump *pump, cl_mem memory, size_t offset, const drua_planes *planes, size_t first, size_t total,
                           const cl_event *after, cl_uint after_count, cl_event *landed)
{
    drua_device *device = pump->device;
    move m = {planes, first, pump->pull, false, false};
    drua_status status = DRUA_OK;
    pthread_mutex_lock(&pump->lock);
    const bool mapped = !device->info.is_gpu, is_large = total > SMALL;
    if (!mapped) {
        const cl_int code = pin(pump, is_large ? LARGE_RING : SMALL_RING);
        if (code != CL_SUCCESS)
            status = drua_device_fail(device, code, "give pinned memory for transfers");
        if (is_large)
            look_for_fresh_memory(&m, total);
        if (total >= SHARE && !open_crew(pump, m.fresh))
            m.fresh = false;        /* without threads the conductor copies all */
    }
    m.streaming = streams(&m, mapped, total);
    if (status == DRUA_OK)
        status = (mapped ? move_mapped : move_through_ring)(pump, memory, offset, &m, total, after, after_count, landed);
    drua_set_progress(device, 0, 0);
    pthread_mutex_unlock(&pump->lock);
    return status;
}

static drua_status read_next(drua_pump *pump, cl_mem memory, size_t offset, void *host, size_t bytes)
{
    drua_device *device = pump->device;
    cl_event event;
    cl_int code = pin(pump, SMALL_RING);
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "give pinned memory for transfers");
    DRUA_TRY(land_all(pump, pump->head));
    const uint64_t start = pump->head;
    code = enqueue(pump, device->queue, memory, offset, bytes, pump->host, NULL, 0, &event);
    if (event) {
        pump->head = (pump->head + pump->ring_bytes - 1) / pump->ring_bytes * pump->ring_bytes + bytes;     /* from the ring's start on */
        take_off(pump, event, pump->head);
    }
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, what(pump));
    DRUA_TRY(land_all(pump, start));
    memcpy(host, pump->host, bytes);
    return DRUA_OK;
}

drua_status drua_pump_read_next(drua_pump *pump, cl_mem memory, size_t offset, void *host, size_t bytes)
{
    pthread_mutex_lock(&pump->lock);
    const drua_status status = read_next(pump, memory, offset, host, bytes);
    pthread_mutex_unlock(&pump->lock);
    return status;
}
