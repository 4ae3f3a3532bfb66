/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BASE_HOST_MEMORY_H
#define DRUA_BASE_HOST_MEMORY_H

#include <stdint.h>

/** Bytes of memory that the computer has; 0 if the system does not report it. Any thread. */
uint64_t drua_host_memory(void);

#endif
