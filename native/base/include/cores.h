/* SPDX-License-Identifier: BSD-3-Clause */
/* What the computer has. */
#ifndef DRUA_BASE_CORES_H
#define DRUA_BASE_CORES_H

#include <stdint.h>

/** Cores that are on now, at least 1; 2 where the system does not say. Any thread. */
int drua_cores(void);

/** Bytes of the computer's memory; UINT64_MAX where the system does not say. Any thread. */
uint64_t drua_physical_memory(void);

#endif
