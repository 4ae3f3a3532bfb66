/* SPDX-License-Identifier: BSD-3-Clause */
#include "copy_threads.h"

#include "alloc.h"
#include "clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LINE = 64, MAX_THREADS = 16, CHECK_EVERY = 64, NAP = 50000, LONG_NAP = 1000000 };

/* Nanoseconds for which threads poll for work before they sleep: waking takes longer than copying a small image. */
enum { AWAKE = 2000000, AWAKE_ONCE = 100000, LONG_AFTER = 20000000 };

typedef struct member {
    drua_copy_threads *copiers;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_bool asleep;
} member;

struct drua_copy_threads {
    _Atomic(drua_job *) job;        /* NULL: no work */
    atomic_uint turn;               /* incremented with every job */
    atomic_int working;
    atomic_bool ended;
    atomic_bool often;              /* jobs follow each other so quickly that sleeping does not pay */
    uint64_t rests_since;
    bool spin;
    int count;
    member members[MAX_THREADS];
};

void drua_copy_out(void *to_memory, const void *from_memory, size_t bytes)
{
#if defined(__SSE2__)
    char *to = to_memory;
    const char *from = from_memory;
    size_t head = (size_t)(-(uintptr_t)to & (LINE - 1));
    if (head > bytes)
        head = bytes;
    memcpy(to, from, head);
    for (to += head, from += head, bytes -= head; bytes >= LINE; to += LINE, from += LINE, bytes -= LINE) {
        const __m128i *source = (const __m128i *)(const void *)from;
        __m128i *target = (__m128i *)(void *)to;
        for (int i = 0; i < 4; i++)
            _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
    }
    memcpy(to, from, bytes);
    _mm_sfence();
#else
    memcpy(to_memory, from_memory, bytes);
#endif
}

void drua_relax(void)
{
#if defined(__SSE2__)
    _mm_pause();
#endif
}

/* ---- jobs */

/* Converts a position that counts the first chunk as full to the position of a byte. */
static size_t byte_at(const drua_job *job, size_t at)
{
    return at < job->skew ? 0 : at - job->skew < job->total ? at - job->skew : job->total;
}

size_t drua_job_begin(const drua_job *job, size_t chunk)
{
    return byte_at(job, chunk * job->chunk);
}

char *drua_job_place(const drua_job *job, size_t chunk)
{
    return job->ring + (job->ring_first + chunk) % job->ring_chunks * job->chunk;
}

void drua_job_open(drua_job *job, size_t chunks)
{
    atomic_store(&job->open, chunks);
}

size_t drua_job_take(drua_job *job)
{
    while (job->taken < job->chunks && atomic_exchange(&job->done[job->taken % DRUA_RING_CHUNKS], false))
        job->taken++;
    return job->taken;
}

static void copy_chunk(drua_job *job, size_t chunk)
{
    const size_t begin = drua_job_begin(job, chunk);
    job->copy(job->payload, begin, drua_job_place(job, chunk), drua_job_begin(job, chunk + 1) - begin);
    atomic_store(&job->done[chunk % DRUA_RING_CHUNKS], true);
}

bool drua_job_help(drua_job *job)
{
    size_t chunk = atomic_load(&job->next);
    while (chunk < atomic_load(&job->open))
        if (atomic_compare_exchange_weak(&job->next, &chunk, chunk + 1)) {
            copy_chunk(job, chunk);
            return true;
        }
    return false;
}

/* ---- threads */

/* Waits between two polls; short waits cost little. */
static void pause_polling(unsigned *rounds, uint64_t *since, bool spin)
{
    if (spin)
        drua_relax();
    if (spin && ++*rounds % CHECK_EVERY)
        return;
    if (!*since)
        *since = drua_nanoseconds();
    const uint64_t waited = drua_nanoseconds() - *since;
    if (spin && waited < AWAKE)
        sched_yield();
    else
        nanosleep(&(struct timespec){0, waited < LONG_AFTER ? NAP : LONG_NAP}, NULL);
}

static void copy_chunks(const drua_copy_threads *copiers, drua_job *job)
{
    while (!atomic_load(&job->stop)) {
        unsigned rounds = 0;
        uint64_t since = 0;
        const size_t chunk = atomic_fetch_add(&job->next, 1);
        if (chunk >= job->chunks)
            return;
        if (job->prefault)
            job->prefault(job->payload, drua_job_begin(job, chunk),
                          drua_job_begin(job, chunk + 1) - drua_job_begin(job, chunk));
        while (atomic_load(&job->open) <= chunk && !atomic_load(&job->stop))
            pause_polling(&rounds, &since, copiers->spin);
        if (!atomic_load(&job->stop))
            copy_chunk(job, chunk);
    }
}

/* Publishes the new turn and wakes the thread if it sleeps. */
static void wake_thread(drua_copy_threads *copiers, int number)
{
    if (number >= copiers->count || !atomic_load(&copiers->members[number].asleep))
        return;
    member *m = &copiers->members[number];
    pthread_mutex_lock(&m->lock);
    pthread_cond_signal(&m->wake);
    pthread_mutex_unlock(&m->lock);
}

static void wait_for_turn(member *m, unsigned seen)
{
    drua_copy_threads *copiers = m->copiers;
    const uint64_t since = drua_nanoseconds();
    for (unsigned rounds = 1; copiers->spin && atomic_load(&copiers->turn) == seen; rounds++) {
        drua_relax();
        if (rounds % CHECK_EVERY)
            continue;
        if (drua_nanoseconds() - since > (atomic_load(&copiers->often) ? AWAKE : AWAKE_ONCE))
            break;
        sched_yield();
    }
    if (atomic_load(&copiers->turn) != seen)
        return;
    pthread_mutex_lock(&m->lock);
    atomic_store(&m->asleep, true);
    while (atomic_load(&copiers->turn) == seen && !atomic_load(&copiers->ended))
        pthread_cond_wait(&m->wake, &m->lock);
    atomic_store(&m->asleep, false);
    pthread_mutex_unlock(&m->lock);
}

/*
 * Runs a copy thread. Each thread wakes two others, as the calling thread does, so that no thread wakes many others one
 * after another.
 */
static void *run_copy_thread(void *argument)
{
    member *m = argument;
    drua_copy_threads *copiers = m->copiers;
    const int number = (int)(m - copiers->members);
    for (unsigned seen = 0; !atomic_load(&copiers->ended);) {
        wait_for_turn(m, seen);
        seen = atomic_load(&copiers->turn);
        /* count the thread before it tests for a job, so that a job waits for every thread that has seen it */
        atomic_fetch_add(&copiers->working, 1);
        drua_job *job = atomic_load(&copiers->job);
        if (job && number < job->helpers) {
            for (int other = 2 * number + 2; other < 2 * number + 4 && other < job->helpers; other++)
                wake_thread(copiers, other);
            copy_chunks(copiers, job);
        }
        atomic_fetch_sub(&copiers->working, 1);
    }
    return NULL;
}

void drua_copy_threads_start(drua_copy_threads *copiers, drua_job *job)
{
    atomic_store(&copiers->often, drua_nanoseconds() - copiers->rests_since < AWAKE);
    atomic_store(&copiers->job, job);
    atomic_fetch_add(&copiers->turn, 1);
    for (int number = 0; number < 2 && number < job->helpers; number++)
        wake_thread(copiers, number);
}

void drua_copy_threads_finish(drua_copy_threads *copiers, drua_job *job)
{
    unsigned rounds = 0;
    uint64_t since = 0;
    atomic_store(&job->stop, true);
    atomic_store(&copiers->job, NULL);     /* a thread that wakes now finds no work */
    while (atomic_load(&copiers->working))
        pause_polling(&rounds, &since, copiers->spin);
    copiers->rests_since = drua_nanoseconds();
}

static bool add_member(drua_copy_threads *copiers)
{
    member *m = &copiers->members[copiers->count];
    m->copiers = copiers;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->wake, NULL);
    if (pthread_create(&m->thread, NULL, run_copy_thread, m) == 0)
        return true;
    pthread_cond_destroy(&m->wake);
    pthread_mutex_destroy(&m->lock);
    return false;
}

drua_copy_threads *drua_copy_threads_open(int threads, bool spin)
{
    drua_copy_threads *copiers = drua_alloc(sizeof *copiers);
    if (!copiers)
        return NULL;
    copiers->spin = spin;
    while (copiers->count < threads && copiers->count < MAX_THREADS && add_member(copiers))
        copiers->count++;
    if (copiers->count)
        return copiers;
    drua_copy_threads_close(copiers);
    return NULL;
}

void drua_copy_threads_close(drua_copy_threads *copiers)
{
    if (!copiers)
        return;
    atomic_store(&copiers->ended, true);
    atomic_fetch_add(&copiers->turn, 1);
    for (int i = 0; i < copiers->count; i++) {
        wake_thread(copiers, i);
        pthread_join(copiers->members[i].thread, NULL);
        pthread_cond_destroy(&copiers->members[i].wake);
        pthread_mutex_destroy(&copiers->members[i].lock);
    }
    drua_free(copiers);
}
