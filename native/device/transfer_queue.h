/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues that move pixels between ordinary memory and the device. */
#ifndef DRUA_DEVICE_TRANSFER_QUEUE_H
#define DRUA_DEVICE_TRANSFER_QUEUE_H

#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>

enum { DRUA_MAX_IN_FLIGHT = 32, DRUA_FEW_BYTES = 64 << 10 };

typedef struct drua_copy_threads drua_copy_threads;

/* A command between the ring and the device that was sent and is not known to be complete. */
typedef struct drua_transfer_command {
    cl_event event;
    uint64_t end; /* place in the ring after its bytes */
} drua_transfer_command;

/* One direction of transfers: a queue, a ring of pinned memory, and copying threads; see transfer_queue.c. */
typedef struct drua_transfer_queue {
    drua_device *device;
    cl_command_queue queue;
    bool pull;
    atomic_bool follows_work; /* the caller first waited for work, which accounts for most of the progress */
    pthread_mutex_t lock; /* protects `busy`: one transfer at a time, without waiting for the context's lock */
    pthread_cond_t free;
    bool busy;
    cl_mem pinned;
    char *host; /* mapped; NULL: not allocated yet, or not needed by the device */
    size_t ring_bytes;
    uint64_t head, tail; /* ever-growing places in the ring; those from tail up to head are in use */
    drua_transfer_command in_flight[DRUA_MAX_IN_FLIGHT];
    unsigned first_in_flight, in_flight_count;
    drua_copy_threads *copiers, *prefault_threads; /* `prefault_threads` copy to memory that was never touched */
} drua_transfer_queue;

cl_int drua_transfer_queue_open(drua_transfer_queue *transfers, drua_device *device, bool pull);
void drua_transfer_queue_close(drua_transfer_queue *transfers);

/** `total` dense bytes that move, after all events of `after`, between the planes and a buffer. */
typedef struct drua_transfer {
    const drua_planes *planes;
    size_t first; /**< the first of these bytes in the planes */
    cl_mem memory;
    size_t offset; /**< the first of them in the buffer */
    size_t total;
    const cl_event *after;
    cl_uint after_count;
} drua_transfer;

/**
 * Moves the bytes. A push returns when the planes may change; its event, which is set even on failure if anything was
 * sent, signals that the device has the data. A pull returns when the planes are filled.
 */
drua_status drua_transfer_queue_move(drua_transfer_queue *transfers, const drua_transfer *transfer, cl_event *landed);

/*
 * Pulls a few bytes (at most DRUA_FEW_BYTES, on a GPU) of a buffer that the last command writes. The read goes directly
 * into the compute queue, without events.
 */
drua_status drua_transfer_queue_read_next(drua_transfer_queue *transfers, cl_mem memory, size_t offset, void *host,
                                          size_t bytes);

/*
 * Waits for all commands in flight. With a lock, which is released meanwhile, it waits for the whole transfer of
 * another thread, whose pixels may take long.
 */
drua_status drua_transfer_queue_drain(drua_transfer_queue *transfers, pthread_mutex_t *lock);

drua_status drua_fail_source(void);

#endif
