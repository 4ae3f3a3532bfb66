/* SPDX-License-Identifier: BSD-3-Clause */
/* The OpenCL objects behind a device, for the room fft alone: its libraries build programs and launch kernels of their
 * own. */
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
    cl_uint vendor; /**< CL_DEVICE_VENDOR_ID, one number for all devices of a kind: PoCL adds a device's place in its
                       list */
} drua_handles;

/** Borrowed: they live as long as the device. */
drua_handles drua_device_handles(const drua_device *device);
/** Of a buffer that is pinned. The same handle may mean another object after the device's generation has changed. */
drua_status drua_buffer_handle(const drua_buffer *buffer, cl_mem *memory);
uint64_t drua_device_generation(const drua_device *device);

/**
 * Memory that a library keeps until it gives it back; it counts as Drua's and never moves. It begins as `content`, if
 * that is not NULL. Waits for the device.
 */
drua_status drua_device_reserve(drua_device *device, uint64_t bytes, const void *content, drua_block **block);
void drua_device_give_back(drua_device *device, drua_block *block);
cl_mem drua_block_handle(const drua_block *block);

/**
 * Starts to compile kernel `name` of a library's text, as it is and without options: on processors now, soon where it
 * is on disk. NULL without memory.
 */
drua_jit_kernel *drua_jit_start_library(drua_device *device, const char *text, const char *name, drua_jit_when when);

/** Borrowed, when it is compiled; NULL if it was refused. */
cl_kernel drua_jit_handle(drua_jit_kernel *jit);

/** Runs before and after every call that may start a driver's compiler: drivers replace signal handlers that a JVM
 * needs. */
void drua_signals_save(void);
void drua_signals_restore(void);

#endif
