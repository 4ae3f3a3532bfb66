/* SPDX-License-Identifier: BSD-3-Clause */
#include "pages.h"

#include "alloc.h"
#include "cores.h"
#include "error.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A transfer has no more than 32 MB in hand. */
enum { AHEAD = 64 << 20, MORE = 3, MOST_READERS = 7 };

struct drua_pages {
    const drua_tiff *tiff;
    size_t samples, plane_bytes;
    int64_t count, slots, next, done, seen;     /* pages; next: to be read, done: not needed below, seen: whole below */
    int64_t *whole;             /* of each slot the page that it holds, + 1 */
    void **planes;              /* of each slot */
    void *memory;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stop;
    drua_status failure;
    char sentence[1024];
    pthread_t readers[MOST_READERS];
    int reader_count;
};

/* Takes the next page that has a place; false at the end. */
static bool take(drua_pages *p, int64_t *page)
{
    pthread_mutex_lock(&p->lock);
    while (!p->stop && p->next < p->count && p->next >= p->done + p->slots)
        pthread_cond_wait(&p->changed, &p->lock);
    const bool more = !p->stop && p->next < p->count;
    *page = more ? p->next++ : 0;
    pthread_mutex_unlock(&p->lock);
    return more;
}

static void finish(drua_pages *p, int64_t page, drua_status status)
{
    pthread_mutex_lock(&p->lock);
    if (status == DRUA_OK) {
        p->whole[page % p->slots] = page + 1;
    } else if (p->failure == DRUA_OK) {
        p->failure = status;
        snprintf(p->sentence, sizeof p->sentence, "%s", drua_error_text());
    }
    p->stop |= status != DRUA_OK;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void *read_pages(void *payload)
{
    drua_pages *p = payload;
    drua_tiff *tiff;
    int64_t page = 0;
    drua_status status = drua_tiff_again(p->tiff, &tiff);
    if (status != DRUA_OK)
        finish(p, 0, status);
    while (status == DRUA_OK && take(p, &page)) {
        status = drua_tiff_read_page(tiff, page, p->planes + (size_t)(page % p->slots) * p->samples);
        finish(p, page, status);
    }
    drua_tiff_close(tiff);
    return NULL;
}

static int64_t readers(const drua_pages *p)
{
    const int cores = drua_cores();
    const int64_t most = cores < MOST_READERS ? cores : MOST_READERS;
    return most < p->slots ? most : p->slots;
}

drua_status drua_pages_open(const drua_tiff *tiff, drua_pages **out)
{
    const drua_shape shape = drua_tiff_shape(tiff);
    drua_pages *p = *out = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->tiff = tiff;
    p->count = drua_tiff_pages(tiff);
    p->samples = (size_t)(shape.depth / p->count);
    p->plane_bytes = drua_tiff_plane_bytes(tiff);
    const int64_t slots = AHEAD / (int64_t)(p->plane_bytes * p->samples) + MORE;
    p->slots = slots < p->count ? slots : p->count;
    const size_t planes = (size_t)p->slots * p->samples;
    p->whole = drua_alloc((size_t)p->slots * sizeof *p->whole);
    p->planes = drua_alloc(planes * sizeof *p->planes);
    p->memory = drua_alloc(planes * p->plane_bytes);
    drua_status status = p->whole && p->planes && p->memory ? DRUA_OK : drua_fail_memory(planes * p->plane_bytes);
    for (size_t i = 0; i < planes && status == DRUA_OK; i++)
        p->planes[i] = (char *)p->memory + i * p->plane_bytes;
    const int64_t wanted = readers(p);
    while (status == DRUA_OK && p->reader_count < wanted && !pthread_create(&p->readers[p->reader_count], NULL, read_pages, p))
        p->reader_count++;
    if (status == DRUA_OK && !p->reader_count)
        status = drua_fail_memory(1);
    if (status == DRUA_OK)
        return DRUA_OK;
    *out = NULL;
    return drua_pages_close(p, status);
}

int drua_pages_prepare(void *payload, size_t first, size_t last)
{
    drua_pages *p = payload;
    const int64_t end = (int64_t)(last / p->samples);
    pthread_mutex_lock(&p->lock);
    p->done = (int64_t)(first / p->samples);
    pthread_cond_broadcast(&p->changed);
    while (!p->stop && p->seen <= end)
        if (p->whole[p->seen % p->slots] == p->seen + 1)
            p->seen++;
        else
            pthread_cond_wait(&p->changed, &p->lock);
    const bool ready = p->seen > end;
    pthread_mutex_unlock(&p->lock);
    return ready;
}

void drua_pages_copy(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    const drua_pages *p = payload;
    const size_t slot = plane / p->samples % (size_t)p->slots;
    memcpy(memory, (const char *)p->planes[slot * p->samples + plane % p->samples] + inside, bytes);
}

drua_status drua_pages_close(drua_pages *p, drua_status status)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->reader_count; i++)
        pthread_join(p->readers[i], NULL);
    if (status != DRUA_OK && p->failure != DRUA_OK)
        status = drua_fail(p->failure, "%s", p->sentence);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    drua_free(p->whole);
    drua_free(p->planes);
    drua_free(p->memory);
    drua_free(p);
    return status;
}
