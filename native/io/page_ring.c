/* SPDX-License-Identifier: BSD-3-Clause */
#include "page_ring.h"

#include "alloc.h"
#include "cores.h"
#include "error.h"

#include <stdio.h>

/* Slots hold more than the 32 MB that a transfer has in flight, so that threads can work on further pages. */
enum { AHEAD = 64 << 20, MORE = 3 };

drua_status drua_page_ring_open(drua_page_ring *r, int64_t pages, size_t samples, size_t plane_bytes)
{
    const int64_t slots = AHEAD / (int64_t)(plane_bytes * samples) + MORE;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    r->pages = pages;
    r->slots = slots < pages ? slots : pages;
    r->samples = samples;
    r->plane_bytes = plane_bytes;
    const size_t planes = (size_t)r->slots * samples;
    r->planes = drua_alloc(planes * sizeof *r->planes);
    r->memory = drua_alloc(planes * plane_bytes);
    if (!r->planes || !r->memory)
        return drua_fail_memory(planes * plane_bytes);
    for (size_t i = 0; i < planes; i++)
        r->planes[i] = (char *)r->memory + i * plane_bytes;
    return DRUA_OK;
}

drua_status drua_page_ring_start(drua_page_ring *r, int64_t max, void *(*work)(void *payload), void *payload)
{
    const int64_t cores = drua_cores(), wanted = max < cores ? max : cores;
    while (r->thread_count < wanted && r->thread_count < DRUA_PAGE_RING_THREADS &&
           !pthread_create(&r->threads[r->thread_count], NULL, work, payload))
        r->thread_count++;
    return r->thread_count ? DRUA_OK : drua_fail_memory(1);
}

void drua_page_ring_fail(drua_page_ring *r, drua_status status)
{
    r->stop = true;
    if (r->failure == DRUA_OK) {
        r->failure = status;
        snprintf(r->sentence, sizeof r->sentence, "%s", drua_error_text());
    }
}

void *const *drua_page_ring_page(const drua_page_ring *r, int64_t page)
{
    return r->planes + (size_t)(page % r->slots) * r->samples;
}

char *drua_page_ring_plane(const drua_page_ring *r, size_t plane)
{
    return drua_page_ring_page(r, (int64_t)(plane / r->samples))[plane % r->samples];
}

drua_status drua_page_ring_end(drua_page_ring *r)
{
    for (int i = 0; i < r->thread_count; i++)
        pthread_join(r->threads[i], NULL);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    drua_free(r->planes);
    drua_free(r->memory);
    return r->failure == DRUA_OK ? DRUA_OK : drua_fail(r->failure, "%s", r->sentence);
}
