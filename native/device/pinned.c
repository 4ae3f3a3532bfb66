/* SPDX-License-Identifier: BSD-3-Clause */
#include "pinned.h"

#include "crew.h"

#include <time.h>

cl_int drua_pump_open(drua_pump *pump, drua_device *device, bool pull)
{
    cl_int code;
    pump->device = device;
    pump->pull = pull;
    pump->queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS)
        pump->queue = NULL;
    else {
        pthread_mutex_init(&pump->lock, NULL);
        drua_condition_init(&pump->free);
    }
    return code;
}

drua_status drua_pump_enter(drua_pump *pump)
{
    enum { LOOK_EVERY = 20000000 };     /* nanoseconds */
    pthread_mutex_lock(&pump->lock);
    while (pump->busy && !drua_is_cancelled(pump->device))
        drua_condition_wait(&pump->free, &pump->lock, LOOK_EVERY);
    const bool mine = !pump->busy;
    pump->busy = true;
    pthread_mutex_unlock(&pump->lock);
    return mine ? DRUA_OK : drua_fail_cancelled();
}

void drua_pump_leave(drua_pump *pump)
{
    pthread_mutex_lock(&pump->lock);
    pump->busy = false;
    pthread_cond_signal(&pump->free);
    pthread_mutex_unlock(&pump->lock);
}

void drua_forget_event(drua_device *device, cl_event *event)
{
    if (*event)
        device->cl->clReleaseEvent(*event);
    *event = NULL;
}

static drua_flight *oldest(drua_pump *pump)
{
    return &pump->flights[pump->first_flight];
}

void drua_pump_land(drua_pump *pump)
{
    pump->tail = oldest(pump)->end;
    drua_forget_event(pump->device, &oldest(pump)->event);
    pump->first_flight = (pump->first_flight + 1) % DRUA_FLIGHTS;
    pump->flight_count--;
}

void drua_pump_settle(drua_pump *pump)
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

cl_int drua_pump_look(drua_pump *pump, uint64_t start)
{
    while (pump->flight_count) {
        const cl_int state = drua_poll(pump->device, oldest(pump)->event);
        if (state > CL_COMPLETE)
            return CL_SUCCESS;
        const bool old = oldest(pump)->end <= start;
        if (state < 0)
            drua_pump_settle(pump);
        drua_pump_land(pump);
        if (state < 0 && !old)
            return state;
        if (state < 0)
            fail_old(pump, state);
    }
    return CL_SUCCESS;
}

drua_status drua_pump_land_all(drua_pump *pump, uint64_t start)
{
    while (pump->flight_count) {
        const drua_status status = drua_wait(pump->device, oldest(pump)->event);
        const bool old = oldest(pump)->end <= start;
        if (status == DRUA_E_CANCELLED)
            return status;
        if (status != DRUA_OK)
            drua_pump_settle(pump);
        drua_pump_land(pump);
        if (status != DRUA_OK && !old)
            return status;
        if (status != DRUA_OK)
            fail_old(pump, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    return pump->device->loss ? drua_fail_lost(pump->device) : DRUA_OK;
}

drua_status drua_pump_drain(drua_pump *pump, pthread_mutex_t *lock)
{
    if (lock)
        pthread_mutex_unlock(lock);
    drua_status status = drua_pump_enter(pump);
    if (status == DRUA_OK) {
        status = drua_pump_land_all(pump, pump->head);
        drua_pump_leave(pump);
    }
    if (lock)
        pthread_mutex_lock(lock);
    return status;
}

static void unpin(drua_pump *pump)
{
    const drua_opencl *cl = pump->device->cl;
    if (pump->host)
        cl->clEnqueueUnmapMemObject(pump->queue, pump->pinned, pump->host, 0, NULL, NULL);
    cl->clFinish(pump->queue);
    if (pump->flight_count)
        drua_pump_settle(pump);
    while (pump->flight_count)
        drua_pump_land(pump);
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
    pthread_cond_destroy(&pump->free);
    pump->queue = NULL;
}

cl_int drua_pump_pin(drua_pump *pump, size_t bytes)
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

void drua_pump_take_off(drua_pump *pump, cl_event event, uint64_t end)
{
    pump->flights[(pump->first_flight + pump->flight_count++) % DRUA_FLIGHTS] = (drua_flight){event, end};
}

drua_status drua_pump_keep_last(drua_pump *pump, uint64_t start, cl_event *landed)
{
    const cl_event last = pump->flights[(pump->first_flight + pump->flight_count - 1) % DRUA_FLIGHTS].event;
    drua_forget_event(pump->device, landed);
    if (pump->device->cl->clRetainEvent(last) != CL_SUCCESS) {
        drua_pump_settle(pump);       /* also where the call is to stop: others would take the buffer's memory while it is written */
        return drua_pump_land_all(pump, start);
    }
    *landed = last;
    return DRUA_OK;
}
