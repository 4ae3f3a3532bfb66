/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device that has less than the one of this machine, chosen by DRUA_PROFILE: it says so, and refuses what exceeds it.
 *   small   OpenCL 1.2; memory 1 GB, 128 MB a block; local memory 32 KB, the least that the standard allows;
 * work-groups of 256, of 128 where they share no memory; no double, no images, no 64-bit atomics, division that is not
 * correctly rounded apple   a GPU as under macOS: the same but for memory 2 GB, 512 MB a block and work-groups of 256
 */
#ifndef DRUA_TESTS_PROFILE_H
#define DRUA_TESTS_PROFILE_H

#include "late.h"

#include <stdbool.h>

/** Answers clGetDeviceInfo in its place; false: the device's own answer is right. */
bool profile_tell(cl_device_info what, size_t size, void *value, size_t *used, cl_int *code);

/** The most bytes of a buffer, and of all; 0: no limit. */
long long profile_block(void);
long long profile_memory(void);

/** The limits of a kernel's work-groups: whether a launch is refused, and what clGetKernelWorkGroupInfo answered, made
 * less. */
cl_int profile_launch(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *local);
void profile_lessen(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, void *value);

/** Whether a compiler of such a device refuses these options. */
bool profile_refuses(const char *options);

/** A text that goes before every program: it takes away what the device does not have; "" without a profile. */
const char *profile_prologue(void);

/** Options that go behind those of every program; "" without a profile. */
const char *profile_options(void);

#endif
