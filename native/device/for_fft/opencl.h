/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads OpenCL at run time, so that a machine without it gets an error message instead of a loader error. */
#ifndef DRUA_DEVICE_OPENCL_H
#define DRUA_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <drua/types.h>

#define DRUA_CL_FUNCTIONS(F)                                                                                           \
    F(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo) F(clCreateContext)                   \
    F(clReleaseContext) F(clCreateCommandQueue) F(clReleaseCommandQueue) F(clCreateBuffer) F(clReleaseMemObject)       \
    F(clCreateProgramWithSource) F(clCreateProgramWithBinary) F(clGetProgramInfo) F(clBuildProgram)                    \
    F(clGetProgramBuildInfo) F(clReleaseProgram) F(clCreateKernel) F(clReleaseKernel) F(clSetKernelArg)                \
    F(clGetKernelWorkGroupInfo) F(clEnqueueNDRangeKernel) F(clEnqueueWriteBuffer) F(clEnqueueReadBuffer)               \
    F(clEnqueueFillBuffer) F(clEnqueueMapBuffer) F(clEnqueueUnmapMemObject) F(clEnqueueMarkerWithWaitList)             \
    F(clGetEventInfo) F(clWaitForEvents) F(clRetainEvent) F(clReleaseEvent) F(clFlush) F(clFinish)

typedef struct drua_opencl {
#define F(name) __typeof__(&name) name;
    DRUA_CL_FUNCTIONS(F)
#undef F
} drua_opencl;

/** The functions of the OpenCL loader; NULL if it is not installed. Loaded once. Any thread. */
const drua_opencl *drua_opencl_load(void);

#endif
