/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that copy. One thread conducts: it opens chunks of a job to the crew and takes them back when they are copied. */
#ifndef DRUA_DEVICE_CREW_H
#define DRUA_DEVICE_CREW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct drua_crew drua_crew;

enum { DRUA_MOST_SLOTS = 8 };

/**
 * A transfer: `total` bytes in chunks that go through slots in turn; a chunk is copied in pieces by several threads. The first
 * chunk lacks `skew` bytes, so that pieces begin where pages of the memory do.
 */
typedef struct drua_job {
    void (*copy)(void *payload, size_t at, void *memory, size_t bytes);
    void *payload;
    char *host;
    size_t slot_bytes, total, skew, chunk, chunks, piece, pieces, slots;
    atomic_size_t next;                     /* piece that nobody has taken */
    atomic_size_t open;                     /* chunks below may be copied */
    atomic_size_t done[DRUA_MOST_SLOTS];    /* pieces of the slot's chunk that are copied */
    atomic_bool stop;
} drua_job;

/** `piece`: what a thread copies at once, 0: little enough for several to share a chunk; `skew` is less. */
void drua_job_make(drua_job *job, void (*copy)(void *, size_t, void *, size_t), void *payload, char *host, size_t slot_bytes, size_t total,
                   size_t chunk, size_t piece, size_t skew, size_t slots);

/** Where a chunk begins; the one after the last begins at the end. */
size_t drua_job_begin(const drua_job *job, size_t chunk);
void drua_job_open(drua_job *job, size_t chunks);

/** True once a chunk is copied; its slot counts anew then. */
bool drua_job_take(drua_job *job, size_t chunk);

/** `spin`: threads look for work for a while before they sleep. NULL without memory or threads. */
drua_crew *drua_crew_open(int threads, bool spin);
void drua_crew_close(drua_crew *crew);
void drua_crew_start(drua_crew *crew, drua_job *job);

/** Returns when no thread works on the job any more; pieces that are not taken yet are left out. */
void drua_crew_finish(drua_crew *crew, drua_job *job);

/** A copy to memory that the copying thread does not read soon: past its caches. */
void drua_copy_out(void *to, const void *from, size_t bytes);

#endif
