/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gives the room fft, and no other, the OpenCL objects of a device, because its libraries build programs and launch
 * kernels themselves.
 */
#ifndef DRUA_DEVICE_HANDLES_H
#define DRUA_DEVICE_HANDLES_H

#include "device.h"
#include "opencl.h"

/** Device memory of the pool. */
typedef struct drua_block drua_block;

typedef struct drua_handles {
    const drua_opencl *cl;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_uint vendor; /**< CL_DEVICE_VENDOR_ID, equal for all devices of a model; PoCL adds the device's index */
} drua_handles;

/** Borrowed; valid as long as the device. */
drua_handles drua_device_handles(const drua_device *device);
/** Handle of a pinned buffer. After the device's generation has changed, the same handle may be another object. */
drua_status drua_buffer_handle(const drua_buffer *buffer, cl_mem *memory);
uint64_t drua_device_generation(const drua_device *device);

/**
 * Device memory for a library, which keeps the memory until it returns it. The memory counts towards Drua's budget,
 * never moves, and is filled with `content` unless that is NULL. Waits for the device.
 */
drua_status drua_device_reserve(drua_device *device, uint64_t bytes, const void *content, drua_block **block);
void drua_device_give_back(drua_device *device, drua_block *block);
cl_mem drua_block_handle(const drua_block *block);

/**
 * Starts to compile kernel `name` of a library's text, unmodified and without options. On CPUs the kernel is compiled
 * before the function returns. If the disk cache has the kernel, DRUA_JIT_LATER counts as DRUA_JIT_SOON. Returns NULL
 * if memory is short.
 */
drua_jit_kernel *drua_jit_start_library(drua_device *device, const char *text, const char *name, drua_jit_when when);

/** The compiled kernel, borrowed; NULL if the compiler rejected it. */
cl_kernel drua_jit_handle(drua_jit_kernel *jit);

/**
 * Call drua_signals_save before and drua_signals_restore after every call that may start a driver's compiler, because
 * drivers replace signal handlers that a JVM needs.
 */
void drua_signals_save(void);
void drua_signals_restore(void);

/**
 * Call these around launches of kernels that a CPU's driver has not compiled: the end of the process then waits for
 * them. DRUA_E_CANCELLED: the process is ending and nothing more is compiled. Any thread.
 */
drua_status drua_launches_begin(void);

/** Follows the launches in `queue`. Returns at once: only the end of the process waits for the launches. */
void drua_launches_end(const drua_device *device, cl_command_queue queue);

#endif
