/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores and memory of the computer. */
#ifndef DRUA_BASE_CORES_H
#define DRUA_BASE_CORES_H

#include <stdint.h>

/** Number of cores that are online; 1 if the system does not report it. Any thread. */
int drua_cores(void);

/** Bytes of host memory; UINT64_MAX if the system does not report it. Any thread. */
uint64_t drua_physical_memory(void);

#endif
