/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that copy chunks of a transfer. One thread, the conductor, opens the chunks of a job to the copiers and
 * collects them when they are copied.
 */
#ifndef DRUA_DEVICE_COPY_THREADS_H
#define DRUA_DEVICE_COPY_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct drua_copy_threads drua_copy_threads;

enum { DRUA_RING_CHUNKS = 512 };

/**
 * A transfer of `total` bytes in chunks, each copied by one thread to or from its place in a ring. The first chunk is
 * shorter by `skew` bytes, so that the others begin at memory pages.
 */
typedef struct drua_job {
    void (*copy)(void *payload, size_t at, void *memory, size_t bytes);
    void (*prefault)(void *payload, size_t at,
                     size_t bytes); /**< Runs before a chunk is opened. NULL: nothing to do. */
    void *payload;
    char *ring;
    size_t ring_chunks, ring_first; /**< Number of places in the ring, at most DRUA_RING_CHUNKS; place of the first
                                         chunk. */
    size_t total, skew, chunk, chunks;
    int helpers;                                /**< Number of copier threads that take part. */
    size_t taken;                               /**< Chunks below this number are copied and collected. */
    atomic_size_t next;                         /**< The next chunk that no thread has taken. */
    atomic_size_t open;                         /**< Chunks below this number may be copied. */
    atomic_bool done[DRUA_RING_CHUNKS];
    atomic_bool stop;
} drua_job;

/** Byte at which a chunk begins; for the number after the last chunk, the end. */
size_t drua_job_begin(const drua_job *job, size_t chunk);
char *drua_job_place(const drua_job *job, size_t chunk);
void drua_job_open(drua_job *job, size_t chunks);

/** Collects copied chunks. Returns the number below which all chunks are copied. */
size_t drua_job_take(drua_job *job);

/** Copies an open chunk on the conductor's thread. Returns false if no chunk is open. */
bool drua_job_help(drua_job *job);

/** Starts the threads. `spin`: they poll for work for a while before they sleep. Returns NULL on failure. */
drua_copy_threads *drua_copy_threads_open(int threads, bool spin);
void drua_copy_threads_close(drua_copy_threads *copiers);
void drua_copy_threads_start(drua_copy_threads *copiers, drua_job *job);

/** Returns when no thread works on the job; chunks that are not collected by then are dropped. */
void drua_copy_threads_finish(drua_copy_threads *copiers, drua_job *job);

/** Copies to memory that this thread will not read soon, bypassing its caches. */
void drua_copy_out(void *to, const void *from, size_t bytes);

/** Yields to the other hardware thread of the core for a moment. */
void drua_relax(void);

#endif
