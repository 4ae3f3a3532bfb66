/* SPDX-License-Identifier: BSD-3-Clause */
#include "write_behind.h"

#include "alloc.h"
#include "c_locale.h"
#include "error.h"
#include "page_ring.h"
#include "tiff_strips.h"

#include <string.h>

struct drua_write_behind {
    drua_page_ring ring;
    drua_tiff_out *out;
    int64_t strips;                     /* strips per page */
    int64_t complete, next, written; /* complete pages; strips taken by a thread, and strips written to the file */
};

/* Takes the next strip of a complete page; returns false at the end. */
static bool take_strip(drua_write_behind *s, int64_t *strip)
{
    drua_page_ring *r = &s->ring;
    pthread_mutex_lock(&r->lock);
    while (!r->stop && s->next < r->pages * s->strips && s->next / s->strips >= s->complete)
        pthread_cond_wait(&r->changed, &r->lock);
    const bool more = !r->stop && s->next < r->pages * s->strips;
    *strip = more ? s->next++ : 0;
    pthread_mutex_unlock(&r->lock);
    return more;
}

/* Waits until all earlier strips are in the file. */
static bool wait_for_turn(drua_write_behind *s, int64_t strip)
{
    drua_page_ring *r = &s->ring;
    pthread_mutex_lock(&r->lock);
    while (!r->stop && s->written < strip)
        pthread_cond_wait(&r->changed, &r->lock);
    const bool mine = !r->stop;
    pthread_mutex_unlock(&r->lock);
    return mine;
}

static void record_written(drua_write_behind *s, drua_status status)
{
    drua_page_ring *r = &s->ring;
    pthread_mutex_lock(&r->lock);
    if (status == DRUA_OK)
        s->written++;
    else
        drua_page_ring_fail(r, status);
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

static void *write_strips(void *payload)
{
    drua_write_behind *s = payload;
    drua_strip encoded = {0};
    int64_t number;
    drua_locale_enter();        /* until the thread ends */
    while (take_strip(s, &number)) {
        const int64_t page = number / s->strips, strip = number % s->strips;
        drua_status status = drua_tiff_encode(s->out, strip, drua_page_ring_page(&s->ring, page), &encoded);
        if (status == DRUA_OK && !wait_for_turn(s, number))
            break;
        if (status == DRUA_OK)
            status = drua_tiff_put(s->out, page, strip, &encoded);
        record_written(s, status);
    }
    drua_free(encoded.memory);
    return NULL;
}

drua_status drua_write_behind_open(drua_tiff_out *out, size_t plane_bytes, drua_write_behind **writer)
{
    drua_write_behind *s = *writer = drua_alloc(sizeof *s);
    if (!s)
        return drua_tiff_finish(out, drua_fail_memory(sizeof *s));
    s->out = out;
    s->strips = drua_tiff_out_strips(out);
    drua_status status =
        drua_page_ring_open(&s->ring, drua_tiff_out_pages(out), (size_t)drua_tiff_out_samples(out), plane_bytes);
    if (status == DRUA_OK)
        status = drua_page_ring_start(&s->ring, s->ring.pages * s->strips, write_strips, s);
    if (status == DRUA_OK)
        return DRUA_OK;
    *writer = NULL;
    return drua_write_behind_close(s, status);
}

int drua_write_behind_prepare(void *payload, size_t first, size_t last)
{
    drua_write_behind *s = payload;
    drua_page_ring *r = &s->ring;
    const int64_t end = (int64_t)(last / r->samples), complete = (int64_t)(first / r->samples);
    pthread_mutex_lock(&r->lock);
    if (complete > s->complete) {
        s->complete = complete;
        pthread_cond_broadcast(&r->changed);
    }
    while (!r->stop && end >= s->written / s->strips + r->slots)
        pthread_cond_wait(&r->changed, &r->lock);
    const bool ready = !r->stop;
    pthread_mutex_unlock(&r->lock);
    return ready;
}

void drua_write_behind_copy(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    const drua_write_behind *s = payload;
    memcpy(drua_page_ring_plane(&s->ring, plane) + inside, memory, bytes);
}

drua_status drua_write_behind_close(drua_write_behind *s, drua_status status)
{
    pthread_mutex_lock(&s->ring.lock);
    s->complete = s->ring.pages;
    s->ring.stop |= status != DRUA_OK;
    pthread_cond_broadcast(&s->ring.changed);
    pthread_mutex_unlock(&s->ring.lock);
    const drua_status failure = drua_page_ring_end(&s->ring);
    status = drua_tiff_finish(s->out, failure != DRUA_OK ? failure : status);
    drua_free(s);
    return status;
}
