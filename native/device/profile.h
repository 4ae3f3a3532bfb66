/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_DEVICE_PROFILE_H
#define DRUA_DEVICE_PROFILE_H

#include "opencl.h"

/**
 * If DRUA_TIME_KERNELS is set, replaces a loader's functions that create queues and launch kernels by measuring ones.
 * Call it once, before a device is opened.
 */
void drua_profile_begin(void *loader, drua_opencl *functions);

#endif
