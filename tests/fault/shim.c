/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OpenCL loader that forwards to the real one, whose path is in DRUA_REAL_OPENCL, counts what is alive, and makes the
 * n-th call fail. Tests load it in place of libOpenCL.so.1 and reach shim_* through dlsym.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "shim.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_long countdown, calls, fired;
static atomic_llong bytes, peak, objects;

#define EXPORT __attribute__((visibility("default")))

EXPORT void shim_fail_after(long n)
{
    countdown = n;
    calls = fired = 0;
}

EXPORT long shim_calls(void)
{
    return calls;
}

EXPORT int shim_fired(void)
{
    return fired != 0;
}

EXPORT long long shim_live_bytes(void)
{
    return bytes;
}

EXPORT long long shim_peak_bytes(void)
{
    return peak;
}

EXPORT void shim_forget_peak(void)
{
    peak = (long long)bytes;
}

EXPORT long long shim_live_objects(void)
{
    return objects;
}

static atomic_llong largest;

EXPORT void shim_limit_blocks(long long most)
{
    largest = most;
}

static atomic_int lost;

EXPORT void shim_lose(int on)
{
    lost = on;
}

static int must_fail(void)
{
    calls++;
    if (lost)
        return 1;
    if (countdown <= 0 || atomic_fetch_sub(&countdown, 1) != 1)
        return 0;
    fired = 1;
    return 1;
}

static void *real(const char *name)
{
    static void *library;
    const char *path = getenv("DRUA_REAL_OPENCL");
    if (!library && path)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, name) : NULL;
    if (!symbol) {
        fprintf(stderr, "shim: no %s in '%s'\n", name, path ? path : "DRUA_REAL_OPENCL is not set");
        abort();
    }
    return symbol;
}

#define REAL(name) ((__typeof__(&name))real(#name))

/* FORWARD(name, (parameters), (arguments)): a call that returns an error code. */
#define FORWARD(name, parameters, arguments)                                       \
    EXPORT CL_API_ENTRY cl_int CL_API_CALL name parameters                          \
    {                                                                              \
        return must_fail() ? lost ? lost : CL_OUT_OF_RESOURCES : REAL(name) arguments;            \
    }

/* A call that makes an object and returns its error code through `code`. */
#define CREATE(type, name, parameters, arguments)                                  \
    EXPORT CL_API_ENTRY type CL_API_CALL name parameters                            \
    {                                                                              \
        if (must_fail()) {                                                         \
            *code = CL_OUT_OF_RESOURCES;                                           \
            return NULL;                                                           \
        }                                                                          \
        type made = REAL(name) arguments;                                          \
        objects += made != NULL;                                                   \
        return made;                                                               \
    }

#define RELEASE(name, type)                              \
    EXPORT CL_API_ENTRY cl_int CL_API_CALL name(type object) \
    {                                                    \
        objects--;                                       \
        return REAL(name)(object);                       \
    }

FORWARD(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *count), (n, ids, count))
FORWARD(clGetPlatformInfo, (cl_platform_id id, cl_platform_info what, size_t size, void *value, size_t *used), (id, what, size, value, used))
FORWARD(clGetDeviceIDs, (cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *count), (p, type, n, ids, count))
FORWARD(clBuildProgram, (cl_program p, cl_uint n, const cl_device_id *ids, const char *options, void (CL_CALLBACK *f)(cl_program, void *), void *data),
        (p, n, ids, options, f, data))
FORWARD(clGetProgramInfo, (cl_program p, cl_program_info what, size_t size, void *value, size_t *used), (p, what, size, value, used))
FORWARD(clGetProgramBuildInfo, (cl_program p, cl_device_id id, cl_program_build_info what, size_t size, void *value, size_t *used),
        (p, id, what, size, value, used))
FORWARD(clSetKernelArg, (cl_kernel k, cl_uint i, size_t size, const void *value), (k, i, size, value))
FORWARD(clGetKernelWorkGroupInfo, (cl_kernel k, cl_device_id id, cl_kernel_work_group_info what, size_t size, void *value, size_t *used),
        (k, id, what, size, value, used))
FORWARD(clEnqueueNDRangeKernel,
        (cl_command_queue q, cl_kernel k, cl_uint n, const size_t *offset, const size_t *global, const size_t *local, cl_uint waits,
         const cl_event *list, cl_event *event),
        (q, k, n, offset, global, local, waits, list, event))
FORWARD(clEnqueueWriteBuffer,
        (cl_command_queue q, cl_mem m, cl_bool block, size_t offset, size_t size, const void *host, cl_uint waits, const cl_event *list, cl_event *event),
        (q, m, block, offset, size, host, waits, list, event))
FORWARD(clEnqueueReadBuffer,
        (cl_command_queue q, cl_mem m, cl_bool block, size_t offset, size_t size, void *host, cl_uint waits, const cl_event *list, cl_event *event),
        (q, m, block, offset, size, host, waits, list, event))
FORWARD(clEnqueueFillBuffer,
        (cl_command_queue q, cl_mem m, const void *pattern, size_t length, size_t offset, size_t size, cl_uint waits, const cl_event *list, cl_event *event),
        (q, m, pattern, length, offset, size, waits, list, event))
FORWARD(clEnqueueUnmapMemObject, (cl_command_queue q, cl_mem m, void *host, cl_uint waits, const cl_event *list, cl_event *event),
        (q, m, host, waits, list, event))
FORWARD(clEnqueueMarkerWithWaitList, (cl_command_queue q, cl_uint waits, const cl_event *list, cl_event *event), (q, waits, list, event))
FORWARD(clGetEventInfo, (cl_event e, cl_event_info what, size_t size, void *value, size_t *used), (e, what, size, value, used))
FORWARD(clRetainEvent, (cl_event e), (e))
FORWARD(clFlush, (cl_command_queue q), (q))
CREATE(cl_context, clCreateContext,
       (const cl_context_properties *properties, cl_uint n, const cl_device_id *ids,
        void (CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *data, cl_int *code),
       (properties, n, ids, f, data, code))
CREATE(cl_command_queue, clCreateCommandQueue, (cl_context c, cl_device_id id, cl_command_queue_properties p, cl_int *code), (c, id, p, code))
CREATE(cl_program, clCreateProgramWithSource, (cl_context c, cl_uint n, const char **texts, const size_t *lengths, cl_int *code), (c, n, texts, lengths, code))
CREATE(cl_program, clCreateProgramWithBinary,
       (cl_context c, cl_uint n, const cl_device_id *ids, const size_t *lengths, const unsigned char **binaries, cl_int *verdicts, cl_int *code),
       (c, n, ids, lengths, binaries, verdicts, code))
CREATE(cl_kernel, clCreateKernel, (cl_program p, const char *name, cl_int *code), (p, name, code))
RELEASE(clReleaseContext, cl_context)
RELEASE(clReleaseCommandQueue, cl_command_queue)
RELEASE(clReleaseProgram, cl_program)
RELEASE(clReleaseKernel, cl_kernel)

/* Work that was sent ends before a failure is told, as it does with drivers: host memory that it writes may go then. */
EXPORT CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue q)
{
    const cl_int code = REAL(clFinish)(q);
    return must_fail() ? lost ? lost : CL_OUT_OF_RESOURCES : code;
}

EXPORT CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool block, cl_map_flags flags, size_t offset, size_t size,
                                                        cl_uint waits, const cl_event *list, cl_event *event, cl_int *code)
{
    if (must_fail()) {
        *code = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    return REAL(clEnqueueMapBuffer)(q, m, block, flags, offset, size, waits, list, event, code);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
    return REAL(clReleaseEvent)(event);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *value, size_t *used)
{
    const cl_int code = must_fail() ? lost ? lost : CL_OUT_OF_RESOURCES : REAL(clGetDeviceInfo)(id, what, size, value, used);
    if (code == CL_SUCCESS && largest && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && value && size >= sizeof(cl_ulong))
        *(cl_ulong *)value = (cl_ulong)largest;
    return code;
}

EXPORT CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    if (must_fail() || (largest && (long long)size > largest)) {
        *code = largest && (long long)size > largest ? CL_INVALID_BUFFER_SIZE : CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    cl_mem made = REAL(clCreateBuffer)(c, flags, size, host, code);
    if (made) {
        objects++;
        bytes += (long long)size;
        if (bytes > peak)
            peak = (long long)bytes;
    }
    return made;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memory)
{
    size_t size = 0;
    ((__typeof__(&clGetMemObjectInfo))real("clGetMemObjectInfo"))(memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    objects--;
    bytes -= (long long)size;
    return REAL(clReleaseMemObject)(memory);
}
