/* SPDX-License-Identifier: BSD-3-Clause */
#include "pinned.h"

#include "copy_threads.h"

#include <time.h>

cl_int drua_transfer_queue_open(drua_transfer_queue *transfers, drua_device *device, bool pull)
{
    cl_int code;
    transfers->device = device;
    transfers->pull = pull;
    transfers->queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS)
        transfers->queue = NULL;
    else {
        pthread_mutex_init(&transfers->lock, NULL);
        drua_condition_init(&transfers->free);
    }
    return code;
}

/*
 * Takes ownership of the queue if it is free; with `waits`, waits for that until the call is cancelled. Returns whether
 * this thread now owns the queue.
 */
static bool acquire_queue(drua_transfer_queue *transfers, bool waits)
{
    enum { CHECK_EVERY = 20000000 }; /* nanoseconds */
    pthread_mutex_lock(&transfers->lock);
    while (waits && transfers->busy && !drua_is_cancelled(transfers->device))
        drua_condition_wait(&transfers->free, &transfers->lock, CHECK_EVERY);
    const bool mine = !transfers->busy;
    transfers->busy = true;
    pthread_mutex_unlock(&transfers->lock);
    return mine;
}

drua_status drua_transfer_queue_enter(drua_transfer_queue *transfers)
{
    return acquire_queue(transfers, true) ? DRUA_OK : drua_fail_cancelled();
}

void drua_transfer_queue_leave(drua_transfer_queue *transfers)
{
    pthread_mutex_lock(&transfers->lock);
    transfers->busy = false;
    pthread_cond_signal(&transfers->free);
    pthread_mutex_unlock(&transfers->lock);
}

void drua_forget_event(drua_device *device, cl_event *event)
{
    if (*event)
        device->cl->clReleaseEvent(*event);
    *event = NULL;
}

static drua_transfer_command *oldest_command(drua_transfer_queue *transfers)
{
    return &transfers->in_flight[transfers->first_in_flight];
}

void drua_transfer_queue_retire(drua_transfer_queue *transfers)
{
    transfers->tail = oldest_command(transfers)->end;
    drua_forget_event(transfers->device, &oldest_command(transfers)->event);
    transfers->first_in_flight = (transfers->first_in_flight + 1) % DRUA_MAX_IN_FLIGHT;
    transfers->in_flight_count--;
}

void drua_transfer_queue_finish(drua_transfer_queue *transfers)
{
    transfers->device->cl->clFinish(transfers->queue);
    if (transfers->pull)
        transfers->device->cl->clFinish(transfers->device->queue);
}

/*
 * A failed push leaves wrong pixels in an image and its results, so the device counts as lost. The failure of an
 * abandoned pull does not matter.
 */
static void fail_old(drua_transfer_queue *transfers, cl_int code)
{
    if (!transfers->pull)
        drua_lose(transfers->device, code);
}

cl_int drua_transfer_queue_poll(drua_transfer_queue *transfers, uint64_t start)
{
    while (transfers->in_flight_count) {
        const cl_int state = drua_poll(transfers->device, oldest_command(transfers)->event);
        if (state > CL_COMPLETE)
            return CL_SUCCESS;
        const bool old = oldest_command(transfers)->end <= start;
        if (state < 0)
            drua_transfer_queue_finish(transfers);
        drua_transfer_queue_retire(transfers);
        if (state < 0 && !old)
            return state;
        if (state < 0)
            fail_old(transfers, state);
    }
    return CL_SUCCESS;
}

drua_status drua_transfer_queue_wait(drua_transfer_queue *transfers, uint64_t start)
{
    while (transfers->in_flight_count) {
        const drua_status status = drua_wait(transfers->device, oldest_command(transfers)->event);
        const bool old = oldest_command(transfers)->end <= start;
        if (status == DRUA_E_CANCELLED)
            return status;
        if (status != DRUA_OK)
            drua_transfer_queue_finish(transfers);
        drua_transfer_queue_retire(transfers);
        if (status != DRUA_OK && !old)
            return status;
        if (status != DRUA_OK)
            fail_old(transfers, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    return transfers->device->loss ? drua_fail_lost(transfers->device) : DRUA_OK;
}

/*
 * Waits for the commands sent so far while another thread owns the queue and its list of commands. A marker in the
 * queue completes after these commands.
 */
static drua_status wait_for_sent(drua_transfer_queue *transfers)
{
    drua_device *device = transfers->device;
    cl_event mark = NULL;
    cl_int code = device->cl->clEnqueueMarkerWithWaitList(transfers->queue, 0, NULL, &mark);
    if (code == CL_SUCCESS)
        code = drua_flush(device, transfers->queue);
    const drua_status status =
        code == CL_SUCCESS ? drua_wait(device, mark) : drua_device_fail(device, code, "finish the work that was sent");
    drua_forget_event(device, &mark);
    return status;
}

drua_status drua_transfer_queue_drain(drua_transfer_queue *transfers, pthread_mutex_t *lock)
{
    if (!lock && !acquire_queue(transfers, false))
        return wait_for_sent(transfers);
    if (lock)
        pthread_mutex_unlock(lock);
    drua_status status = lock ? drua_transfer_queue_enter(transfers) : DRUA_OK;
    if (status == DRUA_OK) {
        status = drua_transfer_queue_wait(transfers, transfers->head);
        drua_transfer_queue_leave(transfers);
    }
    if (lock)
        pthread_mutex_lock(lock);
    return status;
}

static void unmap_pinned(drua_transfer_queue *transfers)
{
    const drua_opencl *cl = transfers->device->cl;
    if (transfers->host)
        cl->clEnqueueUnmapMemObject(transfers->queue, transfers->pinned, transfers->host, 0, NULL, NULL);
    cl->clFinish(transfers->queue);
    if (transfers->in_flight_count)
        drua_transfer_queue_finish(transfers);
    while (transfers->in_flight_count)
        drua_transfer_queue_retire(transfers);
    if (transfers->pinned)
        cl->clReleaseMemObject(transfers->pinned);
    transfers->pinned = NULL;
    transfers->host = NULL;
    transfers->ring_bytes = 0;
}

void drua_transfer_queue_close(drua_transfer_queue *transfers)
{
    if (!transfers->queue)
        return;
    drua_copy_threads_close(transfers->copiers);
    drua_copy_threads_close(transfers->prefault_threads);
    unmap_pinned(transfers);
    transfers->device->cl->clReleaseCommandQueue(transfers->queue);
    pthread_mutex_destroy(&transfers->lock);
    pthread_cond_destroy(&transfers->free);
    transfers->queue = NULL;
}

cl_int drua_transfer_queue_pin(drua_transfer_queue *transfers, size_t bytes)
{
    drua_device *device = transfers->device;
    cl_int code;
    if (transfers->ring_bytes >= bytes)
        return CL_SUCCESS;
    unmap_pinned(transfers);
    transfers->pinned =
        device->cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        transfers->host = device->cl->clEnqueueMapBuffer(transfers->queue, transfers->pinned, CL_TRUE,
                                                         CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        transfers->ring_bytes = bytes;
    else
        unmap_pinned(transfers);
    return code;
}

void drua_transfer_queue_add(drua_transfer_queue *transfers, cl_event event, uint64_t end)
{
    transfers->in_flight[(transfers->first_in_flight + transfers->in_flight_count++) % DRUA_MAX_IN_FLIGHT] =
        (drua_transfer_command){event, end};
}

drua_status drua_transfer_queue_keep_last(drua_transfer_queue *transfers, uint64_t start, cl_event *landed)
{
    const cl_event last =
        transfers->in_flight[(transfers->first_in_flight + transfers->in_flight_count - 1) % DRUA_MAX_IN_FLIGHT].event;
    drua_forget_event(transfers->device, landed);
    if (transfers->device->cl->clRetainEvent(last) != CL_SUCCESS) {
        drua_transfer_queue_finish(
            /*
             * Wait even if the call is cancelled: otherwise another call could reuse the buffer's memory while the
             * device writes it.
             */
            transfers);
        return drua_transfer_queue_wait(transfers, start);
    }
    *landed = last;
    return DRUA_OK;
}
