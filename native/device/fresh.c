/* SPDX-License-Identifier: BSD-3-Clause */
#include "fresh.h"

#if defined(__linux__)
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

bool drua_fresh_memory(void *memory, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)memory, end = first + bytes;
    const uintptr_t middle = (first + bytes / 2) & ~(page - 1);
    const uintptr_t from = (first + DRUA_LARGE_PAGE - 1) & ~(uintptr_t)(DRUA_LARGE_PAGE - 1), to = end & ~(uintptr_t)(DRUA_LARGE_PAGE - 1);
    unsigned char there = 1;
    if (to <= from || mincore((void *)middle, page, &there) != 0 || there & 1)
        return false;
    return madvise((void *)from, to - from, MADV_HUGEPAGE) == 0;
}

#else

bool drua_fresh_memory(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return false;
}
#endif
