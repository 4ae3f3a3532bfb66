/* SPDX-License-Identifier: BSD-3-Clause */
#include "read_ahead.h"

#include "alloc.h"
#include "error.h"
#include "page_ring.h"

#include <string.h>

enum { MAX_READERS = 7 };

struct drua_read_ahead {
    drua_page_ring ring;
    const drua_tiff *tiff;
    /* page numbers: `next` is read next; pages below `done` are no longer needed; pages below `seen` are loaded */
    int64_t next, done, seen;
    int64_t *loaded; /* for each slot, the number of its page plus 1 */
};

/* Takes the next page for which a slot is free; returns false at the end. */
static bool take_page(drua_read_ahead *p, int64_t *page)
{
    drua_page_ring *r = &p->ring;
    pthread_mutex_lock(&r->lock);
    while (!r->stop && p->next < r->pages && p->next >= p->done + r->slots)
        pthread_cond_wait(&r->changed, &r->lock);
    const bool more = !r->stop && p->next < r->pages;
    *page = more ? p->next++ : 0;
    pthread_mutex_unlock(&r->lock);
    return more;
}

static void record_loaded(drua_read_ahead *p, int64_t page, drua_status status)
{
    drua_page_ring *r = &p->ring;
    pthread_mutex_lock(&r->lock);
    if (status == DRUA_OK)
        p->loaded[page % r->slots] = page + 1;
    else
        drua_page_ring_fail(r, status);
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

static void *read_pages(void *payload)
{
    drua_read_ahead *p = payload;
    drua_tiff *tiff;
    int64_t page = 0;
    drua_status status = drua_tiff_reopen(p->tiff, &tiff);
    if (status != DRUA_OK)
        record_loaded(p, 0, status);
    while (status == DRUA_OK && take_page(p, &page)) {
        status = drua_tiff_read_page(tiff, page, drua_page_ring_page(&p->ring, page));
        record_loaded(p, page, status);
    }
    drua_tiff_close(tiff);
    return NULL;
}

drua_status drua_read_ahead_open(const drua_tiff *tiff, size_t first, drua_read_ahead **out)
{
    const int64_t pages = drua_tiff_selected_pages(tiff);
    drua_read_ahead *p = *out = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    p->tiff = tiff;
    drua_status status = drua_page_ring_open(&p->ring, pages, (size_t)(drua_tiff_shape(tiff).depth / pages),
                                             drua_tiff_plane_bytes(tiff));
    if (status == DRUA_OK)
        p->next = p->done = p->seen = (int64_t)(first / p->ring.samples);
    const size_t slots = (size_t)p->ring.slots;
    if (status == DRUA_OK && !(p->loaded = drua_alloc(slots * sizeof *p->loaded)))
        status = drua_fail_memory(slots * sizeof *p->loaded);
    if (status == DRUA_OK)
        status =
            drua_page_ring_start(&p->ring, p->ring.slots < MAX_READERS ? p->ring.slots : MAX_READERS, read_pages, p);
    if (status == DRUA_OK)
        return DRUA_OK;
    *out = NULL;
    return drua_read_ahead_close(p, status);
}

int drua_read_ahead_prepare(void *payload, size_t first, size_t last)
{
    drua_read_ahead *p = payload;
    drua_page_ring *r = &p->ring;
    const int64_t end = (int64_t)(last / r->samples);
    pthread_mutex_lock(&r->lock);
    p->done = (int64_t)(first / r->samples);
    pthread_cond_broadcast(&r->changed);
    while (!r->stop && p->seen <= end)
        if (p->loaded[p->seen % r->slots] == p->seen + 1)
            p->seen++;
        else
            pthread_cond_wait(&r->changed, &r->lock);
    const bool ready = p->seen > end;
    pthread_mutex_unlock(&r->lock);
    return ready;
}

void drua_read_ahead_copy(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    const drua_read_ahead *p = payload;
    memcpy(memory, drua_page_ring_plane(&p->ring, plane) + inside, bytes);
}

drua_status drua_read_ahead_close(drua_read_ahead *p, drua_status status)
{
    pthread_mutex_lock(&p->ring.lock);
    p->ring.stop = true;
    pthread_cond_broadcast(&p->ring.changed);
    pthread_mutex_unlock(&p->ring.lock);
    const drua_status failure = drua_page_ring_end(&p->ring);
    drua_free(p->loaded);
    drua_free(p);
    return status != DRUA_OK && failure != DRUA_OK ? failure : status;
}
