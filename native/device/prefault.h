/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a program allocated and never touched: the first write to each of its pages costs more than the copy. */
#ifndef DRUA_DEVICE_PREFAULT_H
#define DRUA_DEVICE_PREFAULT_H

#include <stdbool.h>
#include <stddef.h>

enum { DRUA_LARGE_PAGE = 2 << 20 };

/** Whether nothing was written there yet; then asks the system for large pages, of which a five-hundredth as many are
 * needed. */
bool drua_is_untouched(void *memory, size_t bytes);

/** Has the pages of memory that will be written as a whole made ready. */
void drua_prefault(void *memory, size_t bytes);

#endif
