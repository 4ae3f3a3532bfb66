/* SPDX-License-Identifier: BSD-3-Clause */
/* Host memory. All allocations of the engine use these functions, so that tests can make the n-th one fail. */
#ifndef DRUA_BASE_ALLOC_H
#define DRUA_BASE_ALLOC_H

#include <stddef.h>

/** Zeroed memory, or NULL. Freed with drua_free. Any thread. */
void *drua_alloc(size_t bytes);

/**
 * Grows a block and keeps its content; new bytes are undefined. On failure returns NULL, and the old block stays valid.
 * Any thread.
 */
void *drua_realloc(void *block, size_t bytes);

/** Copy of a text, or NULL. Any thread. */
char *drua_copy_text(const char *text);

/** NULL is allowed. Any thread. */
void drua_free(void *block);

/** Tests only: the n-th allocation from now fails (1: the next); 0 switches this off. */
void drua_alloc_fail_after(long n);

#endif
