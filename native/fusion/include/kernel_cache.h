/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One cache of all kernels that are compiled while the engine runs: for chains of pointwise operations, for constants
 * such as the radius of a window, and those that users wrote. The kernel that was not used for longest makes room for a
 * new one.
 */
#ifndef DRUA_KERNEL_CACHE_H
#define DRUA_KERNEL_CACHE_H

#include "engine.h"

/* All that a kernel's text depends on, after a letter for the kind of kernel, so that no two kinds meet. */
typedef struct drua_kernel_key {
    char kind;
    const void *bytes;
    size_t length;
} drua_kernel_key;

typedef struct drua_cached_kernel {
    drua_jit_kernel *kernel;    /* NULL: not begun */
    bool refused;               /* there is no such kernel, or the driver does not compile it */
    uint64_t text_hash;         /* whoever compiles may keep it here */
    int64_t calls, pixels;      /* of all launches that could use it */
    uint64_t used;
    char kind;
    void *key;
    size_t length;
} drua_cached_kernel;

/* The entry of that key, which is new if it was not there; NULL where all are being compiled, or without memory. */
drua_cached_kernel *drua_kernel_cache_find(drua_engine *engine, drua_kernel_key key);

/* Empties the entry, such as one whose kernel does not compile. */
void drua_kernel_cache_forget(drua_cached_kernel *entry);

/* Counts a launch of so many pixels that could use the kernel. True: it is time to compile it, never before
 * `least_calls` such launches. */
bool drua_kernel_cache_count(const drua_engine *engine, drua_cached_kernel *entry, int64_t pixels, int least_calls);

/* Whether it is on its way, so that its place cannot be taken. */
bool drua_kernel_is_building(const drua_cached_kernel *entry);
bool drua_kernel_is_ready(const drua_cached_kernel *entry);

/* Ends all compilations; the entries go. */
void drua_kernel_cache_close(drua_engine *engine);

/* Whether the settings want kernels compiled at once, or in the background while the general ones serve. */
drua_jit_when drua_kernel_when(const drua_engine *engine);

#endif
