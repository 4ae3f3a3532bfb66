/* SPDX-License-Identifier: BSD-3-Clause */
#include "prefault.h"

#if defined(__linux__)
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

bool drua_is_untouched(void *memory, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)memory, end = first + bytes;
    const uintptr_t middle = (first + bytes / 2) & ~(page - 1);
    const uintptr_t from = (first + DRUA_LARGE_PAGE - 1) & ~(uintptr_t)(DRUA_LARGE_PAGE - 1),
                    to = end & ~(uintptr_t)(DRUA_LARGE_PAGE - 1);
    unsigned char residency = 1;
    if (to <= from || mincore((void *)middle, page, &residency) != 0 || residency & 1)
        return false;
    return madvise((void *)from, to - from, MADV_HUGEPAGE) == 0;
}

/* Systems that cannot prepare a range prepare the page that is written. */
void drua_prefault(void *memory, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)memory;
    const uintptr_t from = (first + page - 1) & ~(page - 1), end = (first + bytes) & ~(page - 1);
#if defined(MADV_POPULATE_WRITE)
    if (end > from && madvise((void *)from, end - from, MADV_POPULATE_WRITE) == 0)
        return;
#endif
    if (end > from)
        *(volatile char *)from = 0;
}

#else

void drua_prefault(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

bool drua_is_untouched(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    return false;
}
#endif
