/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_DEVICE_PROFILE_H
#define DRUA_DEVICE_PROFILE_H

#include "opencl.h"

/** If DRUA_PROFILE is set, puts functions that measure kernels in the place of those that make queues and launch. Once, before the first device is opened. */
void drua_profile_begin(drua_opencl *functions);

#endif
