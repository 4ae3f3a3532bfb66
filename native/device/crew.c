/* SPDX-License-Identifier: BSD-3-Clause */
#include "crew.h"

#include "alloc.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { PIECE = 256 << 10, LEAST_PIECE = 64 << 10, LINE = 64, MOST_THREADS = 16, AWAKE = 4000, YIELD_EVERY = 256, WAIT = 100000 };

struct drua_crew {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    _Atomic(drua_job *) job;        /* NULL: nothing to do */
    atomic_uint turn;               /* changes with every job */
    atomic_int working;
    atomic_bool ended;
    bool spin;
    int count;
    pthread_t threads[MOST_THREADS];
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

/* ---- jobs */

void drua_job_make(drua_job *job, void (*copy)(void *, size_t, void *, size_t), void *payload, char *host, size_t slot_bytes, size_t total,
                   size_t chunk, size_t piece, size_t skew, size_t slots)
{
    *job = (drua_job){.copy = copy, .payload = payload, .host = host, .slot_bytes = slot_bytes, .total = total, .skew = skew, .chunk = chunk, .slots = slots};
    const size_t quarter = (chunk / 4 + LEAST_PIECE - 1) / LEAST_PIECE * LEAST_PIECE;
    job->piece = piece ? piece : quarter < PIECE ? quarter : PIECE;
    job->pieces = (chunk + job->piece - 1) / job->piece;
    job->chunks = (total + skew + chunk - 1) / chunk;
}

/* Of a place that counts as if the first chunk were whole. */
static size_t place(const drua_job *job, size_t at)
{
    return at < job->skew ? 0 : at - job->skew < job->total ? at - job->skew : job->total;
}

size_t drua_job_begin(const drua_job *job, size_t chunk)
{
    return place(job, chunk * job->chunk);
}

void drua_job_open(drua_job *job, size_t chunks)
{
    atomic_store(&job->open, chunks);
}

bool drua_job_take(drua_job *job, size_t chunk)
{
    atomic_size_t *done = &job->done[chunk % job->slots];
    if (atomic_load(done) < job->pieces)
        return false;
    atomic_store(done, 0);
    return true;
}

/* ---- threads */

/* Waits in a way that costs little if it is short. */
static void rest(unsigned *rounds, bool spin)
{
    if (!spin) {
        nanosleep(&(struct timespec){0, WAIT}, NULL);
        return;
    }
#if defined(__SSE2__)
    _mm_pause();
#endif
    if (++*rounds % YIELD_EVERY == 0)
        sched_yield();
}

static void work(const drua_crew *crew, drua_job *job)
{
    unsigned rounds = 0;
    while (!atomic_load(&job->stop)) {
        const size_t piece = atomic_fetch_add(&job->next, 1), chunk = piece / job->pieces, at = piece % job->pieces * job->piece;
        if (chunk >= job->chunks)
            return;
        while (atomic_load(&job->open) <= chunk && !atomic_load(&job->stop))
            rest(&rounds, crew->spin);
        if (atomic_load(&job->stop))
            return;
        const size_t slot = chunk % job->slots, first = drua_job_begin(job, chunk), last = at + job->piece < job->chunk ? at + job->piece : job->chunk;
        const size_t begin = place(job, chunk * job->chunk + at), end = place(job, chunk * job->chunk + last);
        if (begin < end)
            job->copy(job->payload, begin, job->host + slot * job->slot_bytes + begin - first, end - begin);
        atomic_fetch_add(&job->done[slot], 1);
    }
}

static void *run(void *argument)
{
    drua_crew *crew = argument;
    unsigned seen = 0;
    for (;;) {
        unsigned rounds = 0;
        while (crew->spin && atomic_load(&crew->turn) == seen && rounds < AWAKE)
            rest(&rounds, true);
        pthread_mutex_lock(&crew->lock);
        while (atomic_load(&crew->turn) == seen && !atomic_load(&crew->ended))
            pthread_cond_wait(&crew->wake, &crew->lock);
        seen = atomic_load(&crew->turn);
        drua_job *job = atomic_load(&crew->job);
        if (job)
            atomic_fetch_add(&crew->working, 1);
        pthread_mutex_unlock(&crew->lock);
        if (atomic_load(&crew->ended))
            return NULL;
        if (job) {
            work(crew, job);
            atomic_fetch_sub(&crew->working, 1);
        }
    }
}

static void call(drua_crew *crew, drua_job *job)
{
    pthread_mutex_lock(&crew->lock);
    atomic_store(&crew->job, job);
    if (job)
        atomic_fetch_add(&crew->turn, 1);
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
}

void drua_crew_start(drua_crew *crew, drua_job *job)
{
    call(crew, job);
}

void drua_crew_finish(drua_crew *crew, drua_job *job)
{
    unsigned rounds = 0;
    atomic_store(&job->stop, true);
    call(crew, NULL);       /* whoever wakes now finds nothing */
    while (atomic_load(&crew->working))
        rest(&rounds, crew->spin);
}

drua_crew *drua_crew_open(int threads, bool spin)
{
    drua_crew *crew = drua_alloc(sizeof *crew);
    if (!crew)
        return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    crew->spin = spin;
    while (crew->count < threads && crew->count < MOST_THREADS && !pthread_create(&crew->threads[crew->count], NULL, run, crew))
        crew->count++;
    if (crew->count)
        return crew;
    drua_crew_close(crew);
    return NULL;
}

void drua_crew_close(drua_crew *crew)
{
    if (!crew)
        return;
    atomic_store(&crew->ended, true);
    call(crew, NULL);
    for (int i = 0; i < crew->count; i++)
        pthread_join(crew->threads[i], NULL);
    pthread_cond_destroy(&crew->wake);
    pthread_mutex_destroy(&crew->lock);
    drua_free(crew);
}
