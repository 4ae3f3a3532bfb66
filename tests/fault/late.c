/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A shim in which every command waits for a gate, which is a user event. The shim opens the gates of a queue in order
 * when the program waits for a command.
 */
#include "late.h"

#include "shim.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line line;

/* A command's position in its queue. */
typedef struct place {
    line *line;
    uint64_t number;
} place;

typedef struct gate {
    struct gate *next;
    cl_event event;
    uint64_t number;
    size_t count;
    place waits[];
} gate;

/* The state of a queue. */
struct line {
    line *next;
    cl_command_queue queue;
    uint64_t sent, flushed;
    gate *first, *last;
};

typedef struct mapping {
    struct mapping *next;
    cl_mem memory;
    char *host;
    size_t offset, size;
    bool written;
} mapping;

enum { EVENTS = 1 << 18 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static line *lines;
static mapping *mappings;
static struct known { cl_event event; place at; bool broken; } known[EVENTS];
static atomic_llong events, unflushed;
/* whether events are tracked from now on; tracking them always would make the process grow */
static atomic_bool watched;

EXPORT long long shim_live_events(void)
{
    return events;
}

EXPORT long long shim_unflushed(void)
{
    return unflushed;
}

static bool is_late(void)
{
    static atomic_int late = -1;
    if (late < 0)
        late = getenv("DRUA_LATE") != NULL;
    return late > 0;
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) {
        fprintf(stderr, "shim: no memory\n");
        abort();
    }
    return memory;
}

/* ---- queues and events; the caller holds the lock */

static line *line_of(cl_command_queue queue)
{
    line *l = lines;
    while (l && l->queue != queue)
        l = l->next;
    if (!l) {
        l = allocate(sizeof *l);
        *l = (line){.next = lines, .queue = queue};
        lines = l;
    }
    return l;
}

/* Drivers reuse the handles of released events; the most recent event with a handle counts. */
static struct known *known_of(cl_event event)
{
    size_t i = ((uintptr_t)event >> 4) * 2654435761u % EVENTS;
    for (size_t tries = 0; tries < EVENTS; tries++, i = (i + 1) % EVENTS)
        if (!known[i].event || known[i].event == event) {
            known[i].event = event;
            return &known[i];
        }
    fprintf(stderr, "shim: too many events\n");
    abort();
}

static void open_gates(place until)
{
    while (until.line && until.line->first && until.line->first->number <= until.number) {
        gate *g = until.line->first;
        until.line->first = g->next;
        for (size_t i = 0; i < g->count; i++)
            open_gates(g->waits[i]);
        REAL(clSetUserEventStatus)(g->event, CL_COMPLETE);
        REAL(clReleaseEvent)(g->event);
        free(g);
    }
}

static void open_all(cl_command_queue queue)
{
    line *l = line_of(queue);
    l->flushed = l->sent;
    open_gates((place){l, l->sent});
}

void late_ask(cl_uint count, const cl_event *list)
{
    if (!is_late())
        return;
    pthread_mutex_lock(&lock);
    for (cl_uint i = 0; i < count; i++) {
        const place at = known_of(list[i])->at;
        unflushed += at.line && at.number > at.line->flushed;
        open_gates(at);
    }
    pthread_mutex_unlock(&lock);
}

int late_broken(cl_uint count, const cl_event *list)
{
    bool broken = false;
    if (!watched)
        return false;
    pthread_mutex_lock(&lock);
    for (cl_uint i = 0; i < count; i++)
        broken |= known_of(list[i])->broken;
    pthread_mutex_unlock(&lock);
    return broken;
}

void late_flush(cl_command_queue queue)
{
    if (!is_late())
        return;
    pthread_mutex_lock(&lock);
    line *l = line_of(queue);
    l->flushed = l->sent;
    pthread_mutex_unlock(&lock);
}

void late_finish(cl_command_queue queue)
{
    if (!is_late())
        return;
    pthread_mutex_lock(&lock);
    open_all(queue);
    pthread_mutex_unlock(&lock);
}

/* Keeps the queue's entry, because events may outlive their queue. */
void late_forget(cl_command_queue queue)
{
    if (!is_late())
        return;
    pthread_mutex_lock(&lock);
    open_all(queue);
    line_of(queue)->queue = NULL;
    pthread_mutex_unlock(&lock);
}

/* ---- commands */

static cl_event make_gate(cl_command_queue queue)
{
    cl_context context = NULL;
    cl_int code = REAL(clGetCommandQueueInfo)(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    cl_event made = code == CL_SUCCESS ? REAL(clCreateUserEvent)(context, &code) : NULL;
    if (code != CL_SUCCESS) {
        fprintf(stderr, "shim: no event (%d)\n", (int)code);
        abort();
    }
    return made;
}

void late_begin(late_command *c, cl_command_queue queue, cl_uint waits, const cl_event *list, int wants_event,
                int blocks, int breaks)
{
    if (breaks || is_late())
        watched = true;
    *c = (late_command){.queue = queue, .waits = waits, .list = list, .breaks = breaks || late_broken(waits, list)};
    if (blocks) {
        late_ask(waits, list);
        late_finish(queue);
    }
    if (is_late() && !blocks) {
        c->gate = make_gate(queue);
        if (waits >= LATE_WAITS)
            abort();
        if (waits)
            memcpy(c->more, list, waits * sizeof *list);
        c->more[waits] = c->gate;
        c->waits++;
        c->list = c->more;
    }
    c->wanted = wants_event || c->gate ? &c->made : NULL;
}

/* Makes the gate of a command, which comes after all other gates of its queue. */
static place close_gate(const late_command *c)
{
    gate *g = allocate(sizeof *g + c->waits * sizeof *g->waits);
    line *l = line_of(c->queue);
    *g = (gate){.event = c->gate, .number = ++l->sent, .count = c->waits - 1};
    for (size_t i = 0; i < g->count; i++)
        g->waits[i] = known_of(c->list[i])->at;
    *(l->first ? &l->last->next : &l->first) = g;
    l->last = g;
    return (place){l, g->number};
}

cl_int late_end(late_command *c, cl_int code, cl_event *event)
{
    if (code == CL_SUCCESS && c->wanted && watched) {
        pthread_mutex_lock(&lock);
        const place at = c->gate ? close_gate(c) : (place){NULL, 0};
        *known_of(c->made) = (struct known){c->made, at, c->breaks};
        pthread_mutex_unlock(&lock);
    } else if (c->gate) {
        REAL(clSetUserEventStatus)(c->gate, CL_COMPLETE);
        REAL(clReleaseEvent)(c->gate);
    }
    if (code == CL_SUCCESS && event) {
        *event = c->made;
        events++;
    } else if (code == CL_SUCCESS && c->wanted) {
        REAL(clReleaseEvent)(c->made);
    }
    return code;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
    events--;
    return REAL(clReleaseEvent)(event);
}

void late_retained(void)
{
    events++;
}

/* ---- mapped memory */

void *late_map(cl_command_queue queue, cl_mem memory, cl_map_flags flags, size_t offset, size_t size, cl_int *code)
{
    enum { ALIGNMENT = 4096 };
    if (!is_late())
        return REAL(clEnqueueMapBuffer)(queue, memory, CL_TRUE, flags, offset, size, 0, NULL, NULL, code);
    late_finish(queue);
    mapping *m = allocate(sizeof *m);
    *m = (mapping){NULL,   memory, aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT),
                   offset, size,   (flags & CL_MAP_WRITE) != 0};
    *code = m->host ? REAL(clEnqueueReadBuffer)(queue, memory, CL_TRUE, offset, size, m->host, 0, NULL, NULL)
                    : CL_OUT_OF_HOST_MEMORY;
    if (*code != CL_SUCCESS) {
        free(m->host);
        free(m);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    m->next = mappings;
    mappings = m;
    pthread_mutex_unlock(&lock);
    return m->host;
}

static void CL_CALLBACK free_host(cl_event event, cl_int state, void *host)
{
    (void)event;
    (void)state;
    free(host);
}

static mapping take_mapping(cl_mem memory, const char *host)
{
    pthread_mutex_lock(&lock);
    mapping **at = &mappings;
    while (*at && ((*at)->memory != memory || (*at)->host != host))
        at = &(*at)->next;
    mapping *found = *at, copy = {0};
    if (found) {
        copy = *found;
        *at = found->next;
    }
    free(found);
    pthread_mutex_unlock(&lock);
    return copy;
}

cl_int late_unmap(cl_command_queue queue, cl_mem memory, void *host, cl_uint waits, const cl_event *list,
                  cl_event *event, int breaks)
{
    late_command c;
    if (!is_late()) {       /* the written data is already in place */
        late_begin(&c, queue, waits, list, event != NULL, 0, breaks);
        return late_end(&c, REAL(clEnqueueUnmapMemObject)(queue, memory, host, c.waits, c.list, c.wanted), event);
    }
    const mapping m = take_mapping(memory, host);
    if (!m.host)
        return CL_INVALID_VALUE;
    late_begin(&c, queue, waits, list, 1, 0, breaks);
    const cl_int code = m.written && !c.breaks ? REAL(clEnqueueWriteBuffer)(queue, memory, CL_FALSE, m.offset, m.size,
                                                                            m.host, c.waits, c.list, c.wanted)
                                               : REAL(clEnqueueMarkerWithWaitList)(queue, c.waits, c.list, c.wanted);
    if (code == CL_SUCCESS)
        REAL(clSetEventCallback)(c.made, CL_COMPLETE, free_host, m.host);
    return late_end(&c, code, event);
}
