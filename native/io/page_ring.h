/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots with some pages of a file, dense, and the threads between them and the file. */
#ifndef DRUA_IO_PAGE_RING_H
#define DRUA_IO_PAGE_RING_H

#include <drua/types.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { DRUA_PAGE_RING_THREADS = 15 };

typedef struct drua_page_ring {
    int64_t pages, slots;
    size_t samples, plane_bytes;        /**< planes of a page, and their size */
    void **planes, *memory;
    pthread_t threads[DRUA_PAGE_RING_THREADS];
    int thread_count;
    pthread_mutex_t lock;               /**< of all that follows and of what its user counts */
    pthread_cond_t changed;
    bool stop;
    drua_status failure;
    char sentence[1024];
} drua_page_ring;

/** Takes memory. drua_page_ring_end is called also where this fails. */
drua_status drua_page_ring_open(drua_page_ring *ring, int64_t pages, size_t samples, size_t plane_bytes);

/** Starts a thread for each core, up to `most`; fails without any. */
drua_status drua_page_ring_start(drua_page_ring *ring, int64_t most, void *(*work)(void *payload), void *payload);

/** Stops all; the first failure's sentence is kept. Under the lock. */
void drua_page_ring_fail(drua_page_ring *ring, drua_status status);

/** The planes of a page, and a plane counted through all pages. */
void *const *drua_page_ring_page(const drua_page_ring *ring, int64_t page);
char *drua_page_ring_plane(const drua_page_ring *ring, size_t plane);

/** Waits for the threads and frees all; the failure that was kept, or DRUA_OK. */
drua_status drua_page_ring_end(drua_page_ring *ring);

#endif
