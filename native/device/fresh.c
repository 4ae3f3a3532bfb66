/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a program has allocated and never touched gets its pages while a pull fills it, which takes several times as
 * long as the bus does. Large pages, each made by one thread, take a third of that.
 */
#include "internal.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE_PAGE = 2 << 20, SAMPLES = 8 };

/* Whether none of some pages all over the memory is there yet. */
static bool is_untouched(uintptr_t start, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < SAMPLES; i++) {
        unsigned char there = 1;
        const uintptr_t at = (start + bytes / SAMPLES * i + bytes / SAMPLES / 2) / page * page;
        if (mincore((void *)at, page, &there) != 0 || (there & 1))
            return false;
    }
    return true;
}

size_t drua_fresh_piece(const drua_planes *planes, size_t total, size_t *head)
{
    char *const *plane = planes->payload;
    const uintptr_t start = (uintptr_t)plane[0], aligned = (start + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    for (size_t z = 1; z < total / planes->bytes; z++)
        if (plane[z] != plane[0] + z * planes->bytes)
            return 0;
    if (!is_untouched(start, total))
        return 0;
    madvise((void *)aligned, (start + total - aligned) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    *head = aligned - start;
    return LARGE_PAGE;
}
#else
size_t drua_fresh_piece(const drua_planes *planes, size_t total, size_t *head)
{
    (void)planes, (void)total, (void)head;
    return 0;
}
#endif
