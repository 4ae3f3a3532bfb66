/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that copy. One thread conducts: it opens chunks of a job to the copiers and collects them when they are
 * copied. */
#ifndef DRUA_DEVICE_COPY_THREADS_H
#define DRUA_DEVICE_COPY_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct drua_copy_threads drua_copy_threads;

enum { DRUA_RING_CHUNKS = 512 };

/**
 * A transfer: `total` bytes in chunks, each copied by one thread to or from its place in a ring. The first chunk lacks
 * `skew` bytes, so that the others begin where pages of the memory do.
 */
typedef struct drua_job {
    void (*copy)(void *payload, size_t at, void *memory, size_t bytes);
    void (*prefault)(void *payload, size_t at,
                     size_t bytes); /**< What may be done before a chunk is open; NULL: nothing. */
    void *payload;
    char *ring;
    size_t ring_chunks, ring_first; /**< Places in the ring, no more than DRUA_RING_CHUNKS; that of the first chunk. */
    size_t total, skew, chunk, chunks;
    int helpers;                                /**< Threads of the copiers that take part. */
    size_t taken;                               /**< Chunks below are copied and collected. */
    atomic_size_t next;                         /**< Chunk that nobody has. */
    atomic_size_t open;                         /**< Chunks below may be copied. */
    atomic_bool done[DRUA_RING_CHUNKS];
    atomic_bool stop;
} drua_job;

/** Byte where a chunk begins; the one after the last begins at the end. */
size_t drua_job_begin(const drua_job *job, size_t chunk);
char *drua_job_place(const drua_job *job, size_t chunk);
void drua_job_open(drua_job *job, size_t chunks);

/** Collects what is copied: all chunks below the result. */
size_t drua_job_take(drua_job *job);

/** Copies an open chunk on the conductor's thread; false: there is none. */
bool drua_job_help(drua_job *job);

/** `spin`: threads look for work for a while before they sleep. NULL without memory or threads. */
drua_copy_threads *drua_copy_threads_open(int threads, bool spin);
void drua_copy_threads_close(drua_copy_threads *copiers);
void drua_copy_threads_start(drua_copy_threads *copiers, drua_job *job);

/** Returns when no thread works on the job any more; chunks that are not collected yet are left out. */
void drua_copy_threads_finish(drua_copy_threads *copiers, drua_job *job);

/** A copy to memory that the copying thread does not read soon: past its caches. */
void drua_copy_out(void *to, const void *from, size_t bytes);

/** Lets another hardware thread of the core go first for a moment. */
void drua_relax(void);

#endif
