/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulates a lesser device than this machine's. DRUA_PROFILE chooses it; it reports its limits and refuses what
 * exceeds them.
 *
 *   small   OpenCL 1.2; 1 GB of memory, 128 MB per buffer; 32 KB of local memory, the standard's minimum; work-groups
 *           of 256, or of 128 if they share no memory; no double, no images, no 64-bit atomics, division not correctly
 *           rounded
 *   apple   a GPU as under macOS: like small, but with 2 GB of memory, 512 MB per buffer and work-groups of 256
 */
#ifndef DRUA_TESTS_PROFILE_H
#define DRUA_TESTS_PROFILE_H

#include "late.h"

#include <stdbool.h>

/** Answers clGetDeviceInfo for the simulated device; false: the real device's answer applies. */
bool profile_tell(cl_device_info what, size_t size, void *value, size_t *used, cl_int *code);

/** The largest size of one buffer, and of all buffers; 0: no limit. */
long long profile_block(void);
long long profile_memory(void);

/**
 * The limits of a kernel's work-groups: returns an error for a launch that exceeds them, and lowers the answer of
 * clGetKernelWorkGroupInfo.
 */
cl_int profile_launch(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *local);
void profile_lessen(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, void *value);

/** Whether the simulated device's compiler refuses these options. */
bool profile_refuses(const char *options);

/** Text to put before every program, which disables missing features; "" without a profile. */
const char *profile_prologue(void);

/** Options to append to those of every program; "" without a profile. */
const char *profile_options(void);

#endif
