/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain types that every room of the engine and every caller share. No functions. */
#ifndef DRUA_TYPES_H
#define DRUA_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** Outcome of a call. The sentence that explains a failure is in drua_error_message(). */
typedef enum drua_status {
    DRUA_OK = 0,
    DRUA_E_ARGUMENT, /**< an argument is missing, of the wrong kind, or outside its range */
    DRUA_E_NAME, /**< no image, operation or command of that name, or a released image */
    DRUA_E_MEMORY, /**< neither device nor host memory suffices */
    DRUA_E_NO_DEVICE, /**< no OpenCL, or no device that fits the selector */
    DRUA_E_DEVICE, /**< the device or its driver failed */
    DRUA_E_UNSUPPORTED, /**< valid, but not possible on this device or in this version */
    DRUA_E_INTERNAL, /**< a fault of the engine itself; please report it */
    DRUA_E_CANCELLED, /**< stopped by drua_cancel */
    DRUA_E_AWAY /**< files of an image are out of reach now; the same call may succeed later */
} drua_status;

/** Element type of an image. The numbers are part of the kernel interface. */
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
 * Extent of an image in pixels; x is the fastest axis in memory, then y, then z.
 * dimension is 2 or 3: a stack of one slice (3) and a plane (2) hold the same pixels, but commands that
 * list positions give x, y for a plane and x, y, z for a stack.
 */
typedef struct drua_shape {
#ifdef DRUA_ROOM    /* rooms of the library also index the axes: the same bytes */
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

#endif
