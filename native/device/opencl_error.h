/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of OpenCL, for the files of this room alone. */
#ifndef DRUA_DEVICE_OPENCL_ERROR_H
#define DRUA_DEVICE_OPENCL_ERROR_H

#include "opencl.h"

/** Name of an error code, such as "CL_OUT_OF_RESOURCES". */
const char *drua_opencl_error(cl_int code);

/** Sets the error for an OpenCL code: the action that failed and the code's name. Returns the status. */
drua_status drua_opencl_fail(cl_int code, const char *what);

#endif
