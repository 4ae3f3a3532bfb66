/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds GPUs that the system knows, whether or not OpenCL lists them. */
#ifndef DRUA_DEVICE_HARDWARE_H
#define DRUA_DEVICE_HARDWARE_H

typedef struct drua_hardware {
    const char *vendor; /* such as "NVIDIA" */
    const char *package; /* Debian and Ubuntu package with its OpenCL driver */
} drua_hardware;

/**
 * Finds a GPU whose vendor has OpenCL drivers in the system's files below `root`, which is "" for this machine.
 * Returns a static structure, or NULL if there is no such GPU or the system has no such files. Any thread.
 */
const drua_hardware *drua_hardware_gpu(const char *root);

#endif
