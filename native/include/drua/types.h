/* SPDX-License-Identifier: BSD-3-Clause */
/* Types that the library and its callers share. This header declares no functions. */
#ifndef DRUA_TYPES_H
#define DRUA_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* Exports a function from the library, or imports it into a program. */
#if defined(_WIN32) && defined(DRUA_ROOM)
#define DRUA_API __declspec(dllexport)
#elif defined(_WIN32) && defined(DRUA_SHARED)
#define DRUA_API __declspec(dllimport)
#elif defined(_WIN32)
#define DRUA_API
#else
#define DRUA_API __attribute__((visibility("default")))
#endif

/** Result of a call. drua_error_message() returns the message that explains a failure. */
typedef enum drua_status {
    DRUA_OK = 0,
    DRUA_E_ARGUMENT = 1, /**< an argument is missing, has the wrong kind, or is outside its range */
    DRUA_E_NAME = 2, /**< no image, operation or command has this name, or the image was released */
    DRUA_E_MEMORY = 3, /**< device memory and host memory are too small */
    DRUA_E_NO_DEVICE = 4, /**< OpenCL is missing, or no device matches the selector or can be used */
    DRUA_E_DEVICE = 5, /**< the device or its driver failed */
    DRUA_E_UNSUPPORTED = 6, /**< a valid call that this device or this version cannot run */
    DRUA_E_INTERNAL = 7, /**< an error in the library; please report it */
    DRUA_E_CANCELLED = 8, /**< stopped by drua_cancel, drua_stop_calls or a callback */
    DRUA_E_AWAY = 9 /**< the files of an image cannot be reached now; the same call may succeed later */
} drua_status;

/** Element type of an image. Kernels use the same numbers. */
typedef enum drua_type {
    DRUA_NO_TYPE = 0,
    DRUA_UINT8 = 1,
    DRUA_INT8 = 2,
    DRUA_UINT16 = 3,
    DRUA_INT16 = 4,
    DRUA_UINT32 = 5,
    DRUA_INT32 = 6,
    DRUA_FLOAT32 = 7
} drua_type;

/**
 * Extent of an image in pixels. x is the fastest axis in memory, then y, then z.
 * `dimension` is 2 for a plane and 3 for a stack. A plane and a stack of one slice have the same pixels, but different
 * positions: commands that list positions return x, y for a plane and x, y, z for a stack.
 */
typedef struct drua_shape {
#ifdef DRUA_ROOM    /* code of the library also uses an index for the axes; the layout in memory is the same */
    union {
        struct {
            int64_t width, height, depth;
        };
        int64_t extent[3];
    };
#else
    int64_t width, height, depth;
#endif
    int32_t dimension;
} drua_shape;

/** Properties of a device. Texts are never NULL and stay valid until the process ends. */
typedef struct drua_device_info {
    const char *name, *platform, *driver;
    const char *version; /**< of OpenCL, as the driver reports it, such as "OpenCL 3.0 CUDA" */
    const char *extensions; /**< of OpenCL, separated by spaces */
    const char *address;              /**< unique on this computer: the PCI address, such as "0000:3b:00.0", or
                                         "cl:00.01" if the driver does not report it */
    double opencl_version; /**< the version as a number: 1.2, 3.0, ... */
    int is_gpu; /**< 1: a GPU, 0: another device, such as a CPU */
    uint64_t global_memory;           /**< bytes */
    uint64_t largest_allocation;      /**< bytes */
    uint64_t local_memory; /**< bytes that the work-items of a work-group share */
    uint64_t compute_units;
    uint64_t clock_mhz;
    uint64_t largest_work_group; /**< work-items */
} drua_device_info;

#endif
