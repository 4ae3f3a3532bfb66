/* SPDX-License-Identifier: BSD-3-Clause */
#include "alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_long countdown;

static int must_fail(void)
{
    return atomic_load_explicit(&countdown, memory_order_relaxed) > 0 && atomic_fetch_sub(&countdown, 1) == 1;
}

void *drua_alloc(size_t bytes)
{
    return must_fail() ? NULL : calloc(1, bytes ? bytes : 1);
}

void *drua_realloc(void *block, size_t bytes)
{
    return must_fail() ? NULL : realloc(block, bytes ? bytes : 1);
}

char *drua_copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = drua_alloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void drua_free(void *block)
{
    free(block);
}

void drua_alloc_fail_after(long n)
{
    atomic_store(&countdown, n);
}
