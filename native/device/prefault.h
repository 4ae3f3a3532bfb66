/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a program allocated and never touched: the first write to each page costs more than the copy. */
#ifndef DRUA_DEVICE_PREFAULT_H
#define DRUA_DEVICE_PREFAULT_H

#include <stdbool.h>
#include <stddef.h>

enum { DRUA_LARGE_PAGE = 2 << 20 };

/**
 * Whether this memory has never been written to. If so, also asks the system for large pages, which reduces the number
 * of pages by a factor of 512.
 */
bool drua_is_untouched(void *memory, size_t bytes);

/** Prepares the pages of memory that will be overwritten completely. */
void drua_prefault(void *memory, size_t bytes);

#endif
