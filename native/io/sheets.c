/* SPDX-License-Identifier: BSD-3-Clause */
#include "sheets.h"

#include "alloc.h"
#include "c_locale.h"
#include "cores.h"
#include "error.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A transfer has no more than 32 MB in hand. */
enum { AHEAD = 64 << 20, MORE = 3, MOST_WRITERS = 15 };

struct drua_sheets {
    drua_tiff_out *out;
    size_t samples, plane_bytes;
    int64_t pages, strips, slots;
    int64_t whole, next, written;       /* pages that are there; strips that somebody has, and that are in the file */
    void **planes;                      /* of each slot */
    void *memory;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stop;
    drua_status failure;
    char sentence[1024];
    pthread_t writers[MOST_WRITERS];
    int writer_count;
};

/* Takes the next strip of a page that is there; false at the end. */
static bool take(drua_sheets *s, int64_t *strip)
{
    pthread_mutex_lock(&s->lock);
    while (!s->stop && s->next < s->pages * s->strips && s->next / s->strips >= s->whole)
        pthread_cond_wait(&s->changed, &s->lock);
    const bool more = !s->stop && s->next < s->pages * s->strips;
    *strip = more ? s->next++ : 0;
    pthread_mutex_unlock(&s->lock);
    return more;
}

/* Waits until all strips before are in the file. */
static bool wait_for_turn(drua_sheets *s, int64_t strip)
{
    pthread_mutex_lock(&s->lock);
    while (!s->stop && s->written < strip)
        pthread_cond_wait(&s->changed, &s->lock);
    const bool mine = !s->stop;
    pthread_mutex_unlock(&s->lock);
    return mine;
}

static void finish(drua_sheets *s, drua_status status)
{
    pthread_mutex_lock(&s->lock);
    s->written += status == DRUA_OK;
    if (status != DRUA_OK && s->failure == DRUA_OK) {
        s->failure = status;
        snprintf(s->sentence, sizeof s->sentence, "%s", drua_error_text());
    }
    s->stop |= status != DRUA_OK;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void *write_strips(void *payload)
{
    drua_sheets *s = payload;
    drua_strip encoded = {0};
    int64_t number;
    drua_locale_enter();        /* for as long as the thread lives */
    while (take(s, &number)) {
        const int64_t page = number / s->strips, strip = number % s->strips;
        drua_status status = drua_tiff_encode(s->out, strip, s->planes + (size_t)(page % s->slots) * s->samples, &encoded);
        if (status == DRUA_OK && !wait_for_turn(s, number))
            break;
        if (status == DRUA_OK)
            status = drua_tiff_put(s->out, page, strip, &encoded);
        finish(s, status);
    }
    drua_free(encoded.memory);
    return NULL;
}

static int64_t writers(const drua_sheets *s)
{
    const int cores = drua_cores();
    const int64_t most = cores < MOST_WRITERS ? cores : MOST_WRITERS;
    return most < s->pages * s->strips ? most : s->pages * s->strips;
}

drua_status drua_sheets_open(drua_tiff_out *out, size_t plane_bytes, drua_sheets **sheets)
{
    drua_sheets *s = *sheets = drua_alloc(sizeof *s);
    if (!s)
        return drua_tiff_finish(out, drua_fail_memory(sizeof *s));
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->out = out;
    s->pages = drua_tiff_out_pages(out);
    s->strips = drua_tiff_out_strips(out);
    s->samples = (size_t)drua_tiff_out_samples(out);
    s->plane_bytes = plane_bytes;
    const int64_t slots = AHEAD / (int64_t)(plane_bytes * s->samples) + MORE;
    s->slots = slots < s->pages ? slots : s->pages;
    const size_t planes = (size_t)s->slots * s->samples;
    s->planes = drua_alloc(planes * sizeof *s->planes);
    s->memory = drua_alloc(planes * plane_bytes);
    drua_status status = s->planes && s->memory ? DRUA_OK : drua_fail_memory(planes * plane_bytes);
    for (size_t i = 0; i < planes && status == DRUA_OK; i++)
        s->planes[i] = (char *)s->memory + i * plane_bytes;
    const int64_t wanted = writers(s);
    while (status == DRUA_OK && s->writer_count < wanted && !pthread_create(&s->writers[s->writer_count], NULL, write_strips, s))
        s->writer_count++;
    if (status == DRUA_OK && !s->writer_count)
        status = drua_fail_memory(1);
    if (status == DRUA_OK)
        return DRUA_OK;
    *sheets = NULL;
    return drua_sheets_close(s, status);
}

int drua_sheets_prepare(void *payload, size_t first, size_t last)
{
    drua_sheets *s = payload;
    const int64_t end = (int64_t)(last / s->samples), whole = (int64_t)(first / s->samples);
    pthread_mutex_lock(&s->lock);
    if (whole > s->whole) {
        s->whole = whole;
        pthread_cond_broadcast(&s->changed);
    }
    while (!s->stop && end >= s->written / s->strips + s->slots)
        pthread_cond_wait(&s->changed, &s->lock);
    const bool ready = !s->stop;
    pthread_mutex_unlock(&s->lock);
    return ready;
}

void drua_sheets_copy(void *payload, size_t plane, size_t inside, void *memory, size_t bytes)
{
    const drua_sheets *s = payload;
    const size_t slot = plane / s->samples % (size_t)s->slots;
    memcpy((char *)s->planes[slot * s->samples + plane % s->samples] + inside, memory, bytes);
}

drua_status drua_sheets_close(drua_sheets *s, drua_status status)
{
    pthread_mutex_lock(&s->lock);
    s->whole = s->pages;
    s->stop |= status != DRUA_OK;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < s->writer_count; i++)
        pthread_join(s->writers[i], NULL);
    if (s->failure != DRUA_OK)
        status = drua_fail(s->failure, "%s", s->sentence);
    status = drua_tiff_finish(s->out, status);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    drua_free(s->planes);
    drua_free(s->memory);
    drua_free(s);
    return status;
}
