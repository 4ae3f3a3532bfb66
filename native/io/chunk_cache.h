/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoded chunks that were used last. Any thread; who wants a chunk that another one decodes waits for it. */
#ifndef DRUA_IO_CHUNK_CACHE_H
#define DRUA_IO_CHUNK_CACHE_H

#include <drua/types.h>

#include <stdbool.h>

typedef struct drua_chunk_cache drua_chunk_cache;

/** For chunks of so many bytes; at least one is kept. NULL without memory. */
drua_chunk_cache *drua_chunk_cache_open(size_t bytes, size_t chunk_bytes);
void drua_chunk_cache_close(drua_chunk_cache *cache);

/**
 * A chunk by its number: its pixels, which stay until drua_chunk_cache_release. *missing: the caller decodes it there
 * and then says how that ended by drua_chunk_cache_put. NULL: without memory, or all places are in use: the caller
 * decodes without the cache.
 */
void *drua_chunk_cache_take(drua_chunk_cache *cache, int64_t number, bool *missing);
void drua_chunk_cache_put(drua_chunk_cache *cache, int64_t number, drua_status status);
void drua_chunk_cache_release(drua_chunk_cache *cache, int64_t number);

#endif
