/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A place holds one chunk. Buckets find the place of a chunk by its number, because a cache of small chunks has many
 * places.
 */
#include "chunk_cache.h"

#include "alloc.h"

#include <pthread.h>

enum { MAX_BUCKETS = 1 << 18 };

typedef enum place_state { EMPTY, DECODING, WHOLE } place_state;

typedef struct place {
    int64_t number;
    int users;
    place_state state;
    struct place *next; /* in its bucket */
    struct place *older, *newer; /* by last use */
    void *pixels;
} place;

struct drua_chunk_cache {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    place **buckets; /* places that are not empty, by number */
    uint64_t bucket_count; /* a power of two */
    place *oldest, *newest;
    size_t count, limit, chunk_bytes;
};

drua_chunk_cache *drua_chunk_cache_open(size_t bytes, size_t chunk_bytes)
{
    const size_t each = chunk_bytes > sizeof(place) ? chunk_bytes : sizeof(place);
    drua_chunk_cache *c = drua_alloc(sizeof *c);
    if (!c)
        return NULL;
    c->limit = bytes / each ? bytes / each : 1;
    c->chunk_bytes = chunk_bytes;
    for (c->bucket_count = 1; c->bucket_count < c->limit && c->bucket_count < MAX_BUCKETS;)
        c->bucket_count *= 2;
    c->buckets = drua_alloc(c->bucket_count * sizeof *c->buckets);
    if (!c->buckets) {
        drua_free(c);
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    return c;
}

void drua_chunk_cache_close(drua_chunk_cache *c)
{
    if (!c)
        return;
    for (place *p = c->oldest, *newer; p; p = newer) {
        newer = p->newer;
        drua_free(p->pixels);
        drua_free(p);
    }
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    drua_free(c->buckets);
    drua_free(c);
}

/* ---- places by number */

static place **bucket_of(drua_chunk_cache *c, int64_t number)
{
    const uint64_t mixed = (uint64_t)number * 0x9e3779b97f4a7c15u;
    return &c->buckets[(mixed >> 32) & (c->bucket_count - 1)];
}

static place *find_place(drua_chunk_cache *c, int64_t number)
{
    place *p = *bucket_of(c, number);
    while (p && p->number != number)
        p = p->next;
    return p;
}

static void fill_place(drua_chunk_cache *c, place *p, int64_t number)
{
    place **bucket = bucket_of(c, number);
    p->number = number;
    p->state = DECODING;
    p->next = *bucket;
    *bucket = p;
}

static void empty_place(drua_chunk_cache *c, place *p)
{
    place **at = bucket_of(c, p->number);
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    p->state = EMPTY;
}

/* ---- places by last use */

static void unlink_place(drua_chunk_cache *c, place *p)
{
    *(p->older ? &p->older->newer : &c->oldest) = p->newer;
    *(p->newer ? &p->newer->older : &c->newest) = p->older;
}

static void append_newest(drua_chunk_cache *c, place *p)
{
    p->older = c->newest;
    p->newer = NULL;
    *(c->newest ? &c->newest->newer : &c->oldest) = p;
    c->newest = p;
}

static void append_oldest(drua_chunk_cache *c, place *p)
{
    p->older = NULL;
    p->newer = c->oldest;
    *(c->oldest ? &c->oldest->older : &c->newest) = p;
    c->oldest = p;
}

/* Makes an empty place; NULL if all places exist or memory is short. */
static place *make_place(drua_chunk_cache *c)
{
    if (c->count >= c->limit)
        return NULL;
    place *p = drua_alloc(sizeof *p);
    void *pixels = p ? drua_alloc(c->chunk_bytes) : NULL;
    if (!pixels) {
        drua_free(p);
        return NULL;
    }
    p->pixels = pixels;
    append_newest(c, p);
    c->count++;
    return p;
}

/* Finds an empty place, makes one, or empties the least recently used one that no thread uses. */
static place *free_place(drua_chunk_cache *c)
{
    place *made = c->oldest && c->oldest->state == EMPTY ? c->oldest : make_place(c);
    if (made)
        return made;
    place *p = c->oldest;
    while (p && p->users)
        p = p->newer;
    if (p && p->state != EMPTY)
        empty_place(c, p);
    return p;
}

/* ---- the cache */

void *drua_chunk_cache_take(drua_chunk_cache *c, int64_t number, bool *missing)
{
    pthread_mutex_lock(&c->lock);
    place *p = find_place(c, number);
    while (p && p->state == DECODING) {
        pthread_cond_wait(&c->changed, &c->lock);
        p = find_place(c, number);
    }
    *missing = !p;
    if (!p && (p = free_place(c)) != NULL)
        fill_place(c, p, number);
    if (p) {
        p->users++;
        unlink_place(c, p);
        append_newest(c, p);
    }
    void *pixels = p ? p->pixels : NULL;
    pthread_mutex_unlock(&c->lock);
    return pixels;
}

void drua_chunk_cache_put(drua_chunk_cache *c, int64_t number, drua_status status)
{
    pthread_mutex_lock(&c->lock);
    place *p = find_place(c, number);
    p->state = WHOLE;
    if (status != DRUA_OK) {
        p->users--;
        empty_place(c, p);
        unlink_place(c, p);
        append_oldest(c, p);
    }
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

void drua_chunk_cache_release(drua_chunk_cache *c, int64_t number)
{
    pthread_mutex_lock(&c->lock);
    find_place(c, number)->users--;
    pthread_mutex_unlock(&c->lock);
}
