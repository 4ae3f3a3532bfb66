/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel_cache.h"

#include "alloc.h"
#include "hash.h"

#include <string.h>

enum { ENTRIES = 224 };

struct drua_kernel_cache {
    uint64_t clock;
    uint64_t
        hashes[ENTRIES]; /* hashes of the entries' keys, stored together because each launch searches them; 0: empty */
    drua_cached_kernel entries[ENTRIES];
};

bool drua_kernel_is_building(const drua_cached_kernel *e)
{
    return e->kernel && drua_jit_ask(e->kernel) == DRUA_JIT_BUILDING;
}

bool drua_kernel_is_ready(const drua_cached_kernel *e)
{
    return e->kernel && drua_jit_ask(e->kernel) == DRUA_JIT_READY;
}

void drua_kernel_cache_forget(drua_cached_kernel *e)
{
    drua_jit_free(e->kernel);
    drua_free(e->key);
    *e = (drua_cached_kernel){0};
}

/* Returns the place of the least recently used kernel; NULL if all kernels are being compiled. */
static drua_cached_kernel *make_room(struct drua_kernel_cache *cache)
{
    drua_cached_kernel *oldest = NULL;
    for (drua_cached_kernel *e = cache->entries; e < cache->entries + ENTRIES; e++)
        if ((!oldest || e->used < oldest->used) && !drua_kernel_is_building(e))
            oldest = e;
    if (oldest)
        drua_kernel_cache_forget(oldest);
    return oldest;
}

static bool has_key(const drua_cached_kernel *e, drua_kernel_key key)
{
    return e->kind == key.kind && e->length == key.length && !memcmp(e->key, key.bytes, key.length);
}

drua_cached_kernel *drua_kernel_cache_find(drua_engine *engine, drua_kernel_key key)
{
    if (!engine->kernels && !(engine->kernels = drua_alloc(sizeof *engine->kernels)))
        return NULL;
    struct drua_kernel_cache *cache = engine->kernels;
    const uint64_t hash = drua_hash(drua_hash(DRUA_HASH_START, &key.kind, 1), key.bytes, key.length);
    for (int i = 0; i < ENTRIES; i++)
        if (cache->hashes[i] == hash && has_key(&cache->entries[i], key)) {
            cache->entries[i].used = ++cache->clock;
            return &cache->entries[i];
        }
    drua_cached_kernel *e = make_room(cache);
    void *bytes = e ? drua_alloc(key.length) : NULL;
    if (!bytes)
        return NULL;
    *e = (drua_cached_kernel){
        .kind = key.kind, .key = memcpy(bytes, key.bytes, key.length), .length = key.length, .used = ++cache->clock};
    cache->hashes[e - cache->entries] = hash;
    return e;
}

bool drua_kernel_cache_count(const drua_engine *engine, drua_cached_kernel *e, int64_t pixels, int min_calls)
{
    e->calls++;
    e->pixels += pixels;
    if (e->kernel || e->refused)
        return false;
    return engine->settings.compile == DRUA_COMPILE_AT_ONCE ||
           (e->calls >= min_calls && e->pixels >= DRUA_WORTHWHILE_PIXELS);
}

bool drua_kernel_cache_has_begun(const drua_engine *engine, drua_kernel_key begin)
{
    for (const drua_cached_kernel *e = engine->kernels->entries; e < engine->kernels->entries + ENTRIES; e++)
        if (e->kernel && e->kind == begin.kind && e->length >= begin.length &&
            !memcmp(e->key, begin.bytes, begin.length))
            return true;
    return false;
}

drua_jit_when drua_kernel_when(const drua_engine *engine)
{
    return engine->settings.compile == DRUA_COMPILE_AT_ONCE ? DRUA_JIT_NOW : DRUA_JIT_BESIDE;
}

void drua_kernel_cache_close(drua_engine *engine)
{
    if (!engine->kernels)
        return;
    drua_jit_stop(engine->device);
    for (int i = 0; i < ENTRIES; i++)
        drua_kernel_cache_forget(&engine->kernels->entries[i]);
    drua_free(engine->kernels);
    engine->kernels = NULL;
}
