/* SPDX-License-Identifier: BSD-3-Clause */
#include "chunk_cache.h"

#include "alloc.h"

#include <pthread.h>

typedef enum place_state { EMPTY, DECODING, WHOLE } place_state;

typedef struct place {
    int64_t number;
    uint64_t used;          /* time of last use, by the cache's counter */
    int users;
    place_state state;
    void *pixels;
} place;

struct drua_chunk_cache {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    place *places;
    int64_t count;
    size_t chunk_bytes;
    uint64_t now;
};

drua_chunk_cache *drua_chunk_cache_open(size_t bytes, size_t chunk_bytes)
{
    drua_chunk_cache *c = drua_alloc(sizeof *c);
    const size_t count = bytes / chunk_bytes ? bytes / chunk_bytes : 1;
    place *places = c ? drua_alloc(count * sizeof *places) : NULL;
    if (!places) {
        drua_free(c);
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    c->places = places;
    c->count = (int64_t)count;
    c->chunk_bytes = chunk_bytes;
    return c;
}

void drua_chunk_cache_close(drua_chunk_cache *c)
{
    if (!c)
        return;
    for (int64_t i = 0; i < c->count; i++)
        drua_free(c->places[i].pixels);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    drua_free(c->places);
    drua_free(c);
}

static place *find_place(drua_chunk_cache *c, int64_t number)
{
    for (int64_t i = 0; i < c->count; i++)
        if (c->places[i].state != EMPTY && c->places[i].number == number)
            return &c->places[i];
    return NULL;
}

/* Finds the least recently used slot that no thread is using. */
static place *find_oldest_unused(drua_chunk_cache *c)
{
    place *best = NULL;
    for (int64_t i = 0; i < c->count; i++)
        if (c->places[i].users == 0 && (!best || c->places[i].used < best->used))
            best = &c->places[i];
    if (best && !best->pixels)
        best->pixels = drua_alloc(c->chunk_bytes);
    return best && best->pixels ? best : NULL;
}

void *drua_chunk_cache_take(drua_chunk_cache *c, int64_t number, bool *missing)
{
    pthread_mutex_lock(&c->lock);
    place *p = find_place(c, number);
    while (p && p->state == DECODING) {
        pthread_cond_wait(&c->changed, &c->lock);
        p = find_place(c, number);
    }
    *missing = !p;
    if (!p && (p = find_oldest_unused(c)) != NULL) {
        p->number = number;
        p->state = DECODING;
    }
    if (p) {
        p->users++;
        p->used = ++c->now;
    }
    void *pixels = p ? p->pixels : NULL;
    pthread_mutex_unlock(&c->lock);
    return pixels;
}

void drua_chunk_cache_put(drua_chunk_cache *c, int64_t number, drua_status status)
{
    pthread_mutex_lock(&c->lock);
    place *p = find_place(c, number);
    p->state = status == DRUA_OK ? WHOLE : EMPTY;
    p->users -= status != DRUA_OK;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

void drua_chunk_cache_release(drua_chunk_cache *c, int64_t number)
{
    pthread_mutex_lock(&c->lock);
    find_place(c, number)->users--;
    pthread_mutex_unlock(&c->lock);
}
