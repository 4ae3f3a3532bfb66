/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs that the system knows, whatever OpenCL lists. */
#ifndef DRUA_DEVICE_HARDWARE_H
#define DRUA_DEVICE_HARDWARE_H

typedef struct drua_hardware {
    const char *vendor; /* such as "NVIDIA" */
    const char *package; /* what brings its OpenCL driver on Debian and Ubuntu */
} drua_hardware;

/**
 * A GPU that the system's own files below `root` ("" for those of this machine) name, of a vendor that has OpenCL
 * drivers; NULL if there is none, and on systems that do not say it in files. Any thread.
 */
const drua_hardware *drua_hardware_gpu(const char *root);

#endif
