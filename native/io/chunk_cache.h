/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Caches the most recently used decoded chunks. Any thread. If two threads need the same chunk, one decodes it and the
 * other waits.
 */
#ifndef DRUA_IO_CHUNK_CACHE_H
#define DRUA_IO_CHUNK_CACHE_H

#include <drua/types.h>

#include <stdbool.h>

typedef struct drua_chunk_cache drua_chunk_cache;

/**
 * Creates a cache of `bytes` bytes for chunks of chunk_bytes bytes each; it holds at least one chunk. Memory for a
 * chunk is allocated when it is taken. Returns NULL if memory is short.
 */
drua_chunk_cache *drua_chunk_cache_open(size_t bytes, size_t chunk_bytes);
void drua_chunk_cache_close(drua_chunk_cache *cache);

/**
 * Returns the pixels of a chunk by its number; they stay until drua_chunk_cache_release. If *missing is true, the
 * caller decodes the chunk into these pixels and reports the result with drua_chunk_cache_put. Returns NULL if memory
 * is short or all slots are in use: the caller then decodes without the cache.
 */
void *drua_chunk_cache_take(drua_chunk_cache *cache, int64_t number, bool *missing);
void drua_chunk_cache_put(drua_chunk_cache *cache, int64_t number, drua_status status);
void drua_chunk_cache_release(drua_chunk_cache *cache, int64_t number);

#endif
