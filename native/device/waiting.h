/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for the compute queue, stops of calls, and the times of kernels that limit what is queued. */
#ifndef DRUA_DEVICE_WAITING_H
#define DRUA_DEVICE_WAITING_H

#include "programs.h"

enum {
    DRUA_MAX_FENCES = 32,
    DRUA_RATES = 256,
    DRUA_HEAVY_ITEMS = 1 << 22, /* launches of at least this size are watched */
    DRUA_MIN_CHUNK = 1 << 16
};

/* Execution time of a kernel for certain numbers; see rate.c. */
typedef struct drua_rate {
    uint64_t key;
    double per_item; /* nanoseconds; 0: not known */
} drua_rate;

/* A point in the compute queue; see wait.c. */
typedef struct drua_fence {
    cl_event event;
    uint64_t sequence;
    drua_rate *rate; /* receives the time of `items` if it still belongs to `key`; NULL: none */
    uint64_t key, items;
    uint64_t sent_at; /* 0: the launch also waited for something other than the preceding work */
} drua_fence;

/* ---- wait.c */

bool drua_is_cancelled(drua_device *device);
drua_status drua_fail_lost(const drua_device *device);

/* Marks the device as lost: after accepted work failed, the content of images is unknown. Any thread. */
void drua_lose(drua_device *device, cl_int code);

/* Sets the error message for an OpenCL error and finds out whether the device is lost. */
drua_status drua_device_fail(drua_device *device, cl_int code, const char *what);

void drua_set_progress(drua_device *device, uint64_t done, uint64_t all);
void drua_pause(const drua_device *device, uint64_t since);
cl_int drua_poll(drua_device *device, cl_event event);

/* Makes the driver start the commands in the queue. */
cl_int drua_flush(drua_device *device, cl_command_queue queue);
drua_status drua_wait(drua_device *device, cl_event event);
/* Waits until the queue has room for a launch at this rate; NULL: for another command. */
drua_status drua_make_room(drua_device *device, const drua_rate *rate);
void drua_fence_add(drua_device *device, cl_event event, drua_rate *rate, uint64_t items, bool timed);

/* Number of launches between two fences. */
int drua_launches_a_fence(const drua_device *device);
void drua_fences_forget(drua_device *device);

/*
 * An event for the completion of all commands up to that number, with a reference for the caller; NULL if they are
 * complete.
 */
drua_status drua_fence_for(drua_device *device, uint64_t sequence, cl_event *event);

/*
 * Call this after waiting for a command that ended with `status`. It fails if an earlier command failed, because
 * drivers continue after a failure.
 */
drua_status drua_check_earlier_commands(drua_device *device, drua_status status);

/* Records that all sent commands are complete. */
void drua_all_done(drua_device *device);

/* Waits for all sent commands and reports progress. Releases the lock meanwhile unless it is NULL. */
drua_status drua_wait_reporting(drua_device *device, pthread_mutex_t *lock);

/* The fences before a command that a caller waits for, with a reference to each event. */
typedef struct drua_steps {
    cl_event events[DRUA_MAX_FENCES];
    int count;
} drua_steps;

void drua_steps_take(drua_device *device, uint64_t sequence, drua_steps *steps);

/* Waits for one fence after the other, so that drua_device_progress rises to 0.9, and releases all. Needs no lock. */
drua_status drua_steps_wait(drua_device *device, drua_steps *steps);

/* ---- rate.c */

/* Chunk size in work-items that tests set with DRUA_CHUNK; 0: not set. */
uint64_t drua_chunk_forced(void);
drua_rate *drua_rate_find(drua_device *device, const drua_kernel *kernel, const drua_arg *arguments);
void drua_rate_learn(drua_rate *rate, uint64_t items, double nanoseconds);

/* Cost of a work-item in typical work-items, at least 1. */
uint64_t drua_grid_effort(const drua_device *device, const drua_grid *grid);

/* Whether a launch of that many items surely ends soon. On a GPU chunks cost little, so all launches are divided. */
bool drua_rate_is_short(const drua_device *device, const drua_rate *rate, uint64_t items, uint64_t effort);

/* Items of the next chunk; `before`: those of the last one, 0 for the first. */
uint64_t drua_rate_chunk(const drua_device *device, const drua_rate *rate, uint64_t before, uint64_t effort);

#endif
