/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of slots for contiguous pages of a file, and the worker threads between the slots and the file. */
#ifndef DRUA_IO_PAGE_RING_H
#define DRUA_IO_PAGE_RING_H

#include <drua/types.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { DRUA_PAGE_RING_THREADS = 15 };

typedef struct drua_page_ring {
    int64_t pages, slots;
    size_t samples, plane_bytes;        /**< number of planes in a page, and bytes of each plane */
    void **planes, *memory;
    pthread_t threads[DRUA_PAGE_RING_THREADS];
    int thread_count;
    pthread_mutex_t lock;               /**< guards the following fields and the counters of the ring's user */
    pthread_cond_t changed;
    bool stop;
    drua_status failure;
    char sentence[1024];
} drua_page_ring;

/** Allocates memory. The caller must call drua_page_ring_end also after a failure. */
drua_status drua_page_ring_open(drua_page_ring *ring, int64_t pages, size_t samples, size_t plane_bytes);

/** Starts one thread per core, at most `max` and at most DRUA_PAGE_RING_THREADS; fails if no thread starts. */
drua_status drua_page_ring_start(drua_page_ring *ring, int64_t max, void *(*work)(void *payload), void *payload);

/** Stops all threads; keeps the error message of the first failure. The caller holds the lock. */
void drua_page_ring_fail(drua_page_ring *ring, drua_status status);

/** Return the planes of a page; return a plane by its number, counted through all pages. */
void *const *drua_page_ring_page(const drua_page_ring *ring, int64_t page);
char *drua_page_ring_plane(const drua_page_ring *ring, size_t plane);

/** Waits for the threads and frees all memory. Returns the first failure, or DRUA_OK. */
drua_status drua_page_ring_end(drua_page_ring *ring);

#endif
