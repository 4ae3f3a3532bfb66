/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for the device in a way that can be stopped, and measures progress. Commands of the compute queue are numbered.
 * Fences are events at some of these numbers, so that a transfer waits only for commands that use its buffer.
 */
#include "internal.h"

#include "error.h"

#include <stdatomic.h>
#include <time.h>

enum { WATCH_INTERVAL = 20000000 }; /* nanoseconds */

/* State of the call that this thread runs. */
static _Thread_local struct {
    uint64_t ticket;
    const drua_device *watched; /* the device of the call */
    drua_progress_callback watch; /* NULL: none */
    void *payload;
    uint64_t watched_at; /* time of the last call of `watch`; 0: none yet */
    bool stopped; /* by `watch` */
    bool too_late;                  /* the call is changing an image in place and can no longer be stopped */
} call;

uint64_t drua_device_ticket(drua_device *device)
{
    return atomic_fetch_add(&device->tickets, 1) + 1;
}

void drua_device_enter(uint64_t ticket)
{
    call.ticket = ticket;
    call.watch = NULL;
    call.stopped = false;
    call.too_late = false;
}

void drua_device_watch_call(const drua_device *device, drua_progress_callback watch, void *payload)
{
    call.watched = device;
    call.watch = watch;
    call.payload = payload;
    call.watched_at = 0;
}

/* Asks the watch of this thread's call, if it is time, whether the call should stop. */
static void ask_watch(drua_device *device)
{
    if (!call.watch || call.stopped || device != call.watched)
        return;
    const uint64_t now = drua_nanoseconds();
    if (call.watched_at && now - call.watched_at < WATCH_INTERVAL)
        return;
    call.watched_at = now;
    call.stopped = !call.watch(call.payload, drua_device_progress(device));
}

void drua_device_cancel(drua_device *device)
{
    unsigned long long last = atomic_load(&device->tickets), before = atomic_load(&device->cancelled);
    while (before < last && !atomic_compare_exchange_weak(&device->cancelled, &before, last))
        continue;
}

void drua_device_stop_calls(drua_device *device, bool on)
{
    atomic_store(&device->stops_calls, on);
    if (on)
        drua_device_cancel(device);
}

void drua_device_forbid_cancel(void)
{
    call.too_late = true;
}

bool drua_device_wants_stop(drua_device *device)
{
    if (!call.ticket)
        return false;
    ask_watch(device);
    return call.stopped || atomic_load_explicit(&device->stops_calls, memory_order_relaxed) ||
           atomic_load_explicit(&device->cancelled, memory_order_relaxed) >= call.ticket;
}

bool drua_is_cancelled(drua_device *device)
{
    return !call.too_late && drua_device_wants_stop(device);
}

drua_status drua_fail_cancelled(void)
{
    return drua_fail(DRUA_E_CANCELLED, "stopped on request; all images are unchanged");
}

drua_status drua_fail_lost(const drua_device *device)
{
    return drua_fail(DRUA_E_DEVICE,
                     "the device %s was lost (%s), together with its images; start Drua again to "
                     "continue",
                     device->info.name, drua_opencl_error(device->loss));
}

void drua_lose(drua_device *device, cl_int code)
{
    device->cl->clFinish(device->queue);
    if (!device->loss)
        device->loss = code;
}

/* Some codes can mean one failed command or a lost device. A device that still answers is not lost. */
drua_status drua_device_fail(drua_device *device, cl_int code, const char *what)
{
    const bool doubtful = code == CL_OUT_OF_RESOURCES || code == CL_INVALID_COMMAND_QUEUE ||
                          code == CL_INVALID_CONTEXT || code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
                          code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code < -1000;
    if (code == CL_DEVICE_NOT_AVAILABLE || code == CL_INVALID_DEVICE ||
        (doubtful && device->cl->clFinish(device->queue) != CL_SUCCESS &&
         device->cl->clFinish(device->queue) != CL_SUCCESS)) {
        device->loss = code == CL_MEM_OBJECT_ALLOCATION_FAILURE ? CL_DEVICE_NOT_AVAILABLE : code;
        return drua_fail_lost(device);
    }
    return drua_opencl_fail(code, what);
}

drua_status drua_device_check(drua_device *device)
{
    return device->loss ? drua_fail_lost(device) : drua_is_cancelled(device) ? drua_fail_cancelled() : DRUA_OK;
}

bool drua_device_answers(drua_device *device)
{
    const cl_int code = device->loss ? CL_SUCCESS : device->cl->clFinish(device->queue);
    if (code != CL_SUCCESS && device->cl->clFinish(device->queue) != CL_SUCCESS)
        device->loss = code;
    if (device->loss)
        drua_fail_lost(device);
    return !device->loss;
}

bool drua_device_is_lost(const drua_device *device)
{
    return device->loss != CL_SUCCESS;
}

void drua_set_progress(drua_device *device, uint64_t done, uint64_t all)
{
    atomic_store_explicit(&device->progress, all ? (int)(1000 * (double)done / (double)all) : -1, memory_order_relaxed);
}

void drua_device_report(drua_device *device, double part)
{
    atomic_store_explicit(&device->work, part < 0 ? -1 : (int)(1000 * part), memory_order_relaxed);
}

double drua_device_progress(drua_device *device)
{
    const int work = atomic_load_explicit(&device->work, memory_order_relaxed);
    const int moved = atomic_load_explicit(&device->progress, memory_order_relaxed);
    const int thousandths = work >= 0    ? work
                            : moved >= 0 ? moved
                                         : atomic_load_explicit(&device->launched, memory_order_relaxed);
    return thousandths < 0 ? -1 : thousandths / 1000.0;
}

/* ---- polling */

/*
 * Pauses between two polls. A GPU is polled without pause at first, because sleeping takes longer than most kernels. A
 * CPU needs its cores for the work.
 */
void drua_pause(const drua_device *device, uint64_t since)
{
    enum { SPIN_GPU = 2000000, SPIN_CPU = 20000, SHORT = 30000, LONG = 1000000, LONG_AFTER = 20000000 };
    const uint64_t waited = drua_nanoseconds() - since;
    if (waited < (device->info.is_gpu ? SPIN_GPU : SPIN_CPU))
        return;
    nanosleep(&(struct timespec){0, waited < LONG_AFTER ? SHORT : LONG}, NULL);
}

/*
 * Returns CL_COMPLETE, a positive number while the command runs, or its error. Waits for the command if the driver
 * cannot report its state.
 */
cl_int drua_poll(drua_device *device, cl_event event)
{
    cl_int state = CL_COMPLETE;
    if (device->cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) == CL_SUCCESS)
        return state;
    return device->cl->clWaitForEvents(1, &event);
}

cl_int drua_flush(drua_device *device, cl_command_queue queue)
{
    return device->cl->clFlush(queue) == CL_SUCCESS ? CL_SUCCESS : device->cl->clFinish(queue);
}

drua_status drua_wait(drua_device *device, cl_event event)
{
    const uint64_t start = drua_nanoseconds();
    for (;;) {
        const cl_int state = drua_poll(device, event);
        if (state == CL_COMPLETE)
            return DRUA_OK;
        if (state < 0)
            return drua_device_fail(device, state, "finish the work that was sent");
        if (drua_is_cancelled(device))
            return drua_fail_cancelled();
        drua_pause(device, start);
    }
}

/* ---- fences */

static drua_fence *fence_at(drua_device *device, int i)
{
    return &device->fences[(device->first_fence + i) % DRUA_MAX_FENCES];
}

/* Nanoseconds of work that the queue may hold: a stopped call continues for that long. */
enum { AHEAD = 60000000, FENCE_EVERY = 5000000, MAX_BETWEEN = 16, SHARP = 50000 };

int drua_launches_a_fence(const drua_device *device)
{
    const double launches = FENCE_EVERY / (device->launch_time + 1);
    return launches < 1 ? 1 : launches > MAX_BETWEEN ? MAX_BETWEEN : (int)launches;
}

/* Returns how many fences the queue may hold: few before a launch that may take long because its rate is unknown. */
static int fences_ahead(const drua_device *device, const drua_rate *rate)
{
    const double fences = AHEAD / (device->launch_time * drua_launches_a_fence(device) + 1);
    if (fences < 2 || (rate && rate->per_item == 0))
        return 2;
    return fences > DRUA_MAX_FENCES - 1 ? DRUA_MAX_FENCES - 1 : (int)fences;
}

/* Measures how long work takes from a fence that has just completed, if it was polled shortly before. */
static void learn_duration(drua_device *device, const drua_fence *fence, uint64_t now)
{
    const uint64_t start = device->last_retired > fence->sent_at ? device->last_retired : fence->sent_at;
    const double took = (double)(now - start);
    if (!fence->sent_at || (double)(now - device->last_check) > took / 4 + SHARP)
        return;
    const double launch = took / (double)(fence->sequence - device->completed);
    device->launch_time = launch > device->launch_time ? launch : 0.75 * device->launch_time + 0.25 * launch;
    if (fence->rate && fence->rate->key == fence->key)
        drua_rate_learn(fence->rate, fence->items, took);
}

/* Releases completed fences. */
static void release_fences(drua_device *device)
{
    const uint64_t now = drua_nanoseconds();
    while (device->fence_count) {
        drua_fence *fence = fence_at(device, 0);
        const cl_int state = drua_poll(device, fence->event);
        if (state > 0)
            break;
        if (state < 0)
            drua_lose(device, state);
        learn_duration(device, fence, now);
        device->last_retired = now;
        device->completed = fence->sequence;
        device->cl->clReleaseEvent(fence->event);
        device->first_fence = (device->first_fence + 1) % DRUA_MAX_FENCES;
        device->fence_count--;
    }
    device->last_check = now;
}

void drua_fences_forget(drua_device *device)
{
    for (; device->fence_count;
         device->fence_count--, device->first_fence = (device->first_fence + 1) % DRUA_MAX_FENCES)
        device->cl->clReleaseEvent(fence_at(device, 0)->event);
}

/* Keeps the queue short, because queued commands cannot be stopped. */
drua_status drua_make_room(drua_device *device, const drua_rate *rate)
{
    const uint64_t start = drua_nanoseconds();
    for (release_fences(device); device->fence_count > fences_ahead(device, rate) - 1; release_fences(device)) {
        if (drua_is_cancelled(device))
            return drua_fail_cancelled();
        drua_pause(device, start);
    }
    return DRUA_OK;
}

/* Takes ownership of the last command's event. There is space for it (drua_make_room). */
void drua_fence_add(drua_device *device, cl_event event, drua_rate *rate, uint64_t items, bool timed)
{
    *fence_at(device, device->fence_count++) = (drua_fence){.event = event,
                                                            .sequence = device->sent,
                                                            .rate = rate,
                                                            .key = rate ? rate->key : 0,
                                                            .items = items,
                                                            .sent_at = timed ? drua_nanoseconds() : 0};
}

drua_status drua_fence_for(drua_device *device, uint64_t sequence, cl_event *event)
{
    *event = NULL;
    release_fences(device);
    if (device->loss)
        return drua_fail_lost(device);
    if (sequence <= device->completed)
        return DRUA_OK;
    int i = 0;
    while (i < device->fence_count && fence_at(device, i)->sequence < sequence)
        i++;
    cl_int code = CL_SUCCESS;
    if (i == device->fence_count) {
        DRUA_TRY(drua_make_room(device, NULL));
        i = device->fence_count;
        cl_event made = NULL;
        code = device->cl->clEnqueueMarkerWithWaitList(device->queue, 0, NULL, &made);
        if (code == CL_SUCCESS)
            drua_fence_add(device, made, NULL, 0, true);
    }
    if (code == CL_SUCCESS)
        code = drua_flush(device, device->queue);
    device->unflushed = 0;
    if (code == CL_SUCCESS)
        code = device->cl->clRetainEvent(fence_at(device, i)->event);
    if (code != CL_SUCCESS)
        return drua_device_fail(device, code, "send work");
    *event = fence_at(device, i)->event;
    return DRUA_OK;
}

drua_status drua_check_earlier_commands(drua_device *device, drua_status status)
{
    release_fences(device);
    return device->loss && status != DRUA_E_CANCELLED ? drua_fail_lost(device) : status;
}

void drua_all_done(drua_device *device)
{
    release_fences(device);
    if (device->fence_count == 0)
        device->completed = device->sent;
}

void drua_steps_take(drua_device *device, uint64_t sequence, drua_steps *steps)
{
    steps->count = 0;
    for (int i = 0; i < device->fence_count && fence_at(device, i)->sequence < sequence; i++)
        if (device->cl->clRetainEvent(fence_at(device, i)->event) == CL_SUCCESS)
            steps->events[steps->count++] = fence_at(device, i)->event;
}

drua_status drua_steps_wait(drua_device *device, drua_steps *steps)
{
    drua_status status = DRUA_OK;
    for (int i = 0; i < steps->count; i++) {
        if (status == DRUA_OK) {
            drua_set_progress(device, 9 * (uint64_t)i, 10 * (uint64_t)steps->count);
            status = drua_wait(device, steps->events[i]);
        }
        device->cl->clReleaseEvent(steps->events[i]);
    }
    if (steps->count && status == DRUA_OK)
        drua_set_progress(device, 9, 10);
    return status;
}

static drua_status wait_for_sent(drua_device *device, bool reports, pthread_mutex_t *lock)
{
    cl_event event;
    drua_steps steps = {.count = 0};
    DRUA_TRY(drua_device_check(device));
    DRUA_TRY(drua_fence_for(device, device->sent, &event));
    if (!event)
        return DRUA_OK;
    if (reports)
        drua_steps_take(device, device->sent, &steps);
    if (lock)
        pthread_mutex_unlock(lock);
    drua_status status = drua_steps_wait(device, &steps);
    if (status == DRUA_OK)
        status = drua_wait(device, event);
    if (steps.count)
        drua_set_progress(device, 0, 0);
    if (lock)
        pthread_mutex_lock(lock);
    device->cl->clReleaseEvent(event);
    return drua_check_earlier_commands(device, status);
}

drua_status drua_wait_reporting(drua_device *device, pthread_mutex_t *lock)
{
    return wait_for_sent(device, true, lock);
}

static drua_status finish_queue(drua_device *device, bool reports, pthread_mutex_t *lock)
{
    DRUA_TRY(wait_for_sent(device, reports, lock));
    device->statistics.waits++;
    for (int i = 0; i < 2; i++)
        DRUA_TRY(drua_transfer_queue_drain(&device->transfer_queues[i], lock));
    return DRUA_OK;
}

drua_status drua_device_finish(drua_device *device)
{
    return finish_queue(device, false, NULL);
}

drua_status drua_device_finish_reporting(drua_device *device, pthread_mutex_t *lock)
{
    return finish_queue(device, true, lock);
}
