/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One cache of all kernels that are compiled while the engine runs: for chains of pointwise operations, for constants
 * such as the radius of a window, and for users' code. A new kernel replaces the least recently used one.
 */
#ifndef DRUA_KERNEL_CACHE_H
#define DRUA_KERNEL_CACHE_H

#include "engine.h"

/*
 * `bytes` hold everything that the kernel's text depends on. `kind` is a letter for the kind of kernel, so that keys of
 * different kinds never collide.
 */
typedef struct drua_kernel_key {
    char kind;
    const void *bytes;
    size_t length;
} drua_kernel_key;

typedef struct drua_cached_kernel {
    drua_jit_kernel *kernel;    /* NULL: not begun */
    bool refused;               /* the kernel does not exist, or the driver cannot compile it */
    uint64_t text_hash;         /* the code that compiles may store it here */
    int64_t calls, pixels;      /* of all launches that could use it */
    uint64_t used;
    char kind;
    void *key;
    size_t length;
} drua_cached_kernel;

/* Returns the entry of that key, a new one if needed; NULL if all entries are being compiled, or without memory. */
drua_cached_kernel *drua_kernel_cache_find(drua_engine *engine, drua_kernel_key key);

/* Empties the entry, such as one whose kernel does not compile. */
void drua_kernel_cache_forget(drua_cached_kernel *entry);

/*
 * Counts a launch of this many pixels that could use the kernel. Returns true when compiling it pays, but never before
 * `min_calls` such launches.
 */
bool drua_kernel_cache_count(const drua_engine *engine, drua_cached_kernel *entry, int64_t pixels, int min_calls);

/*
 * Whether compilation has begun for any kernel whose key begins with `begin`. Call it only after
 * drua_kernel_cache_find, which makes the cache.
 */
bool drua_kernel_cache_has_begun(const drua_engine *engine, drua_kernel_key begin);

/* Whether the kernel is being compiled, so that its entry cannot be reused. */
bool drua_kernel_is_building(const drua_cached_kernel *entry);
bool drua_kernel_is_ready(const drua_cached_kernel *entry);

/* Ends all compilations and frees the entries. */
void drua_kernel_cache_close(drua_engine *engine);

/* Returns when the settings want kernels compiled: at once, or in the background while general kernels run. */
drua_jit_when drua_kernel_when(const drua_engine *engine);

#endif
