/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_DEVICE_PROFILE_H
#define DRUA_DEVICE_PROFILE_H

#include "opencl.h"

/** If DRUA_TIME_KERNELS is set, puts functions that measure kernels in the place of a loader's that make queues and
 * launch. Once, before a device is opened. */
void drua_profile_begin(void *loader, drua_opencl *functions);

#endif
