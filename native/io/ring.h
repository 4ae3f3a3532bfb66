/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots with some pages of a file, dense, and the threads between them and the file. */
#ifndef DRUA_IO_RING_H
#define DRUA_IO_RING_H

#include <drua/types.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { DRUA_RING_THREADS = 15 };

typedef struct drua_ring {
    int64_t pages, slots;
    size_t samples, plane_bytes;        /**< planes of a page, and their size */
    void **planes, *memory;
    pthread_t threads[DRUA_RING_THREADS];
    int thread_count;
    pthread_mutex_t lock;               /**< of all that follows and of what its user counts */
    pthread_cond_t changed;
    bool stop;
    drua_status failure;
    char sentence[1024];
} drua_ring;

/** Takes memory. drua_ring_end is called also where this fails. */
drua_status drua_ring_open(drua_ring *ring, int64_t pages, size_t samples, size_t plane_bytes);

/** Starts a thread for each core, up to `most`; fails without any. */
drua_status drua_ring_start(drua_ring *ring, int64_t most, void *(*work)(void *payload), void *payload);

/** Stops all; the first failure's sentence is kept. Under the lock. */
void drua_ring_fail(drua_ring *ring, drua_status status);

/** The planes of a page, and a plane counted through all pages. */
void *const *drua_ring_page(const drua_ring *ring, int64_t page);
char *drua_ring_plane(const drua_ring *ring, size_t plane);

/** Waits for the threads and frees all; the failure that was kept, or DRUA_OK. */
drua_status drua_ring_end(drua_ring *ring);

#endif
