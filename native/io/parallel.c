/* SPDX-License-Identifier: BSD-3-Clause */
#include "parallel.h"

#include "c_locale.h"
#include "cores.h"
#include "error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { MAX_WORKERS = 64, SENTENCE = 1024 };

typedef struct parallel {
    drua_status (*work)(void *payload, int worker, int64_t item);
    void *payload;
    int64_t count;
    _Atomic int64_t next;
    atomic_int worker;
    pthread_mutex_t lock;       /* guards the following fields */
    drua_status failure;
    char sentence[SENTENCE];
} parallel;

int drua_parallel_workers(int64_t count)
{
    const int cores = drua_cores(), max = cores < MAX_WORKERS ? cores : MAX_WORKERS;
    return count < 1 ? 1 : count < max ? (int)count : max;
}

static void keep_first_failure(parallel *p, drua_status status)
{
    pthread_mutex_lock(&p->lock);
    if (p->failure == DRUA_OK) {
        p->failure = status;
        snprintf(p->sentence, sizeof p->sentence, "%s", drua_error_text());
    }
    pthread_mutex_unlock(&p->lock);
    atomic_store(&p->next, p->count);
}

static void *run_worker(void *payload)
{
    parallel *p = payload;
    const int worker = atomic_fetch_add(&p->worker, 1);
    drua_locale_enter();
    for (int64_t item; (item = atomic_fetch_add(&p->next, 1)) < p->count;) {
        const drua_status status = p->work(p->payload, worker, item);
        if (status != DRUA_OK)
            keep_first_failure(p, status);
    }
    drua_locale_leave();
    return NULL;
}

drua_status drua_parallel(int64_t count, drua_status (*work)(void *payload, int worker, int64_t item), void *payload)
{
    pthread_t threads[MAX_WORKERS];
    parallel p = {.work = work, .payload = payload, .count = count};
    int started = 0;
    pthread_mutex_init(&p.lock, NULL);
    while (started + 1 < drua_parallel_workers(count) && !pthread_create(&threads[started], NULL, run_worker, &p))
        started++;
    run_worker(&p);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&p.lock);
    return p.failure == DRUA_OK ? DRUA_OK : drua_fail(p.failure, "%s", p.sentence);
}
