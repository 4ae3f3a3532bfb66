/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BASE_CORES_H
#define DRUA_BASE_CORES_H

/** Cores that are on now, at least 1; 2 where the system does not say. Any thread. */
int drua_cores(void);

#endif
