/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An OpenCL loader that forwards to the real one at DRUA_REAL_OPENCL. It counts live objects, makes the n-th call or
 * command fail, delays commands as long as allowed (late.c), and simulates devices with lower limits (profile.c). Tests
 * load it in place of libOpenCL.so.1 and reach shim_* through dlsym.
 */
#include "late.h"
#include "lost_context.h"
#include "profile.h"
#include "shim.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static atomic_long countdown, calls, fired, commands;
static atomic_llong bytes, peak, objects;

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

EXPORT void shim_break_after(long n)
{
    commands = n;
    fired = 0;
}

EXPORT void shim_forget_peak(void)
{
    peak = (long long)bytes;
}

EXPORT long long shim_live_objects(void)
{
    return objects;
}

static atomic_long before_call;
static void (*called)(void);

EXPORT void shim_call_after(long n, void (*function)(void))
{
    called = function;
    before_call = n;
    fired = 0;
}

static void maybe_call(void)
{
    if (before_call <= 0 || atomic_fetch_sub(&before_call, 1) != 1)
        return;
    fired = 1;
    called();
}

static atomic_llong largest;

EXPORT void shim_limit_blocks(long long max)
{
    largest = max;
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

/*
 * Returns whether a command must fail. Only commands with an event can fail, because the program cannot observe others.
 */
static int must_break(const cl_event *event)
{
    if (!event || commands <= 0 || atomic_fetch_sub(&commands, 1) != 1)
        return 0;
    fired = 1;
    return 1;
}

void *real(const char *name)
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

/* FORWARD(name, (parameters), (arguments)) defines a call that returns an error code. */
#define FORWARD(name, parameters, arguments)                                       \
    EXPORT CL_API_ENTRY cl_int CL_API_CALL name parameters                          \
    {                                                                              \
        return must_fail() ? lost ? lost : CL_OUT_OF_RESOURCES : REAL(name) arguments;            \
    }

/* Defines a call that creates an object and returns its error code through `code`. */
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

static atomic_int builds;      /* builds in progress */

EXPORT int shim_builds(void)
{
    return builds;
}

/*
 * Exit handlers run in reverse order, so a compiler frees its tables before earlier handlers run. A thread that still
 * needs the tables then crashes.
 */
static void undo_tables(void)
{
    if (builds > 0)
        abort();
}

/* DRUA_TABLES=launches simulates a driver that compiles a kernel when it is launched. */
static bool compiles_at_launch(void)
{
    const char *tables = getenv("DRUA_TABLES");
    return tables && !strcmp(tables, "launches");
}

/* With DRUA_TABLES, a compiler creates tables that are freed at exit, and takes a while. */
static void begin_compiling(void)
{
    builds++;
    if (getenv("DRUA_TABLES")) {
        atexit(undo_tables);
        nanosleep(&(struct timespec){0, 300000000}, NULL);
    }
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program p, cl_uint n, const cl_device_id *ids,
                                                      const char *options, void(CL_CALLBACK *f)(cl_program, void *),
                                                      void *data)
{
    if (must_fail())
        return lost ? lost : CL_OUT_OF_RESOURCES;
    const bool counts = !compiles_at_launch();
    if (counts)
        begin_compiling();
    char more[1024];
    if (snprintf(more, sizeof more, "%s%s", options ? options : "", profile_options()) >= (int)sizeof more)
        abort();
    const cl_int code =
        profile_refuses(options) ? CL_INVALID_BUILD_OPTIONS : REAL(clBuildProgram)(p, n, ids, more, f, data);
    builds -= counts;
    return code;
}

FORWARD(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *count), (n, ids, count))
FORWARD(clGetPlatformInfo, (cl_platform_id id, cl_platform_info what, size_t size, void *value, size_t *used),
        (id, what, size, value, used))

/*
 * DRUA_SECOND_LOADER simulates a driver that serves only the first loader of a process: each platform shows only its
 * first device, PoCL its slowest.
 */
EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id p, cl_device_type type, cl_uint n,
                                                      cl_device_id *ids, cl_uint *count)
{
    enum { LIMIT = 16 };
    cl_device_id all[LIMIT];
    cl_uint available = 0;
    if (must_fail())
        return CL_OUT_OF_RESOURCES;
    if (!getenv("DRUA_SECOND_LOADER"))
        return REAL(clGetDeviceIDs)(p, type, n, ids, count);
    const cl_int code = REAL(clGetDeviceIDs)(p, type, LIMIT, all, &available);
    if (code != CL_SUCCESS)
        return code;
    if (ids && n > 0)
        ids[0] = all[0];
    if (count)
        *count = 1;
    return CL_SUCCESS;
}

FORWARD(clGetProgramInfo, (cl_program p, cl_program_info what, size_t size, void *value, size_t *used),
        (p, what, size, value, used))
FORWARD(clGetProgramBuildInfo,
        (cl_program p, cl_device_id id, cl_program_build_info what, size_t size, void *value, size_t *used),
        (p, id, what, size, value, used))
FORWARD(clSetKernelArg, (cl_kernel k, cl_uint i, size_t size, const void *value), (k, i, size, value))
FORWARD(clFlush, (cl_command_queue q), ((late_flush(q), q)))

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id id,
                                                                cl_kernel_work_group_info what, size_t size,
                                                                void *value, size_t *used)
{
    const cl_int code = must_fail() ? lost ? lost : CL_OUT_OF_RESOURCES
                                    : REAL(clGetKernelWorkGroupInfo)(k, id, what, size, value, used);
    if (code == CL_SUCCESS)
        profile_lessen(k, id, what, value);
    return code;
}

/* Defines a command; the last three parameters are those of every command. */
#define ENQUEUE(name, forward, blocks, parameters, ...)                                                                \
    EXPORT CL_API_ENTRY cl_int CL_API_CALL name parameters                                                             \
    {                                                                                                                  \
        late_command c;                                                                                                \
        if (must_fail() || lost_context(q))                                                                            \
            return lost ? lost : CL_OUT_OF_RESOURCES;                                                                  \
        maybe_call();                                                                                                  \
        late_begin(&c, q, waits, list, event != NULL, blocks, must_break(event));                                      \
        return late_end(&c,                                                                                            \
                        c.breaks ? REAL(clEnqueueMarkerWithWaitList)(q, c.waits, c.list, c.wanted)                     \
                                 : forward(__VA_ARGS__, c.waits, c.list, c.wanted),                                    \
                        event);                                                                                        \
    }

static cl_int shim_launch(cl_command_queue q, cl_kernel k, cl_uint n, const size_t *offset, const size_t *global,
                          const size_t *local, cl_uint waits, const cl_event *list, cl_event *event)
{
    cl_int code = profile_launch(q, k, n, local);
    if (code != CL_SUCCESS)
        return code;
    const bool counts = compiles_at_launch();
    if (counts)
        begin_compiling();
    code = REAL(clEnqueueNDRangeKernel)(q, k, n, offset, global, local, waits, list, event);
    builds -= counts;
    return code;
}

ENQUEUE(clEnqueueNDRangeKernel, shim_launch, 0,
        (cl_command_queue q, cl_kernel k, cl_uint n, const size_t *offset, const size_t *global, const size_t *local,
         cl_uint waits, const cl_event *list, cl_event *event),
        q, k, n, offset, global, local)
ENQUEUE(clEnqueueWriteBuffer, REAL(clEnqueueWriteBuffer), block != 0,
        (cl_command_queue q, cl_mem m, cl_bool block, size_t offset, size_t size, const void *host, cl_uint waits,
         const cl_event *list, cl_event *event),
        q, m, block, offset, size, host)
ENQUEUE(clEnqueueReadBuffer, REAL(clEnqueueReadBuffer), block != 0,
        (cl_command_queue q, cl_mem m, cl_bool block, size_t offset, size_t size, void *host, cl_uint waits,
         const cl_event *list, cl_event *event),
        q, m, block, offset, size, host)
ENQUEUE(clEnqueueFillBuffer, REAL(clEnqueueFillBuffer), 0,
        (cl_command_queue q, cl_mem m, const void *pattern, size_t length, size_t offset, size_t size, cl_uint waits,
         const cl_event *list, cl_event *event),
        q, m, pattern, length, offset, size)
ENQUEUE(clEnqueueMarkerWithWaitList, REAL(clEnqueueMarkerWithWaitList), 0,
        (cl_command_queue q, cl_uint waits, const cl_event *list, cl_event *event), q)

EXPORT CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *host, cl_uint waits,
                                                               const cl_event *list, cl_event *event)
{
    return must_fail() || lost_context(q) ? lost ? lost : CL_OUT_OF_RESOURCES
                                          : late_unmap(q, m, host, waits, list, event, must_break(event));
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event e, cl_event_info what, size_t size, void *value,
                                                      size_t *used)
{
    if (must_fail())
        return lost ? lost : CL_OUT_OF_RESOURCES;
    late_ask(1, &e);
    const cl_int code = REAL(clGetEventInfo)(e, what, size, value, used);
    if (code == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && *(cl_int *)value == CL_COMPLETE &&
        late_broken(1, &e))
        *(cl_int *)value = CL_OUT_OF_RESOURCES;
    return code;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint n, const cl_event *list)
{
    if (must_fail())
        return lost ? lost : CL_OUT_OF_RESOURCES;
    late_ask(n, list);
    const cl_int code = REAL(clWaitForEvents)(n, list);
    return code == CL_SUCCESS && late_broken(n, list) ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : code;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event)
{
    if (must_fail())
        return lost ? lost : CL_OUT_OF_RESOURCES;
    late_retained();
    return REAL(clRetainEvent)(event);
}

EXPORT CL_API_ENTRY cl_context CL_API_CALL
clCreateContext(const cl_context_properties *properties, cl_uint n, const cl_device_id *ids,
                void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *data, cl_int *code)
{
    if (must_fail()) {
        *code = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    cl_context made = REAL(clCreateContext)(properties, n, ids, f, data, code);
    objects += made != NULL;
    if (made)
        lost_context_made(made);
    return made;
}

CREATE(cl_command_queue, clCreateCommandQueue,
       (cl_context c, cl_device_id id, cl_command_queue_properties p, cl_int *code), (c, id, p, code))
CREATE(cl_program, clCreateProgramWithBinary,
       (cl_context c, cl_uint n, const cl_device_id *ids, const size_t *lengths, const unsigned char **binaries,
        cl_int *verdicts, cl_int *code),
       (c, n, ids, lengths, binaries, verdicts, code))
CREATE(cl_kernel, clCreateKernel, (cl_program p, const char *name, cl_int *code), (p, name, code))

EXPORT CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context c, cl_uint n, const char **texts,
                                                                     const size_t *lengths, cl_int *code)
{
    enum { LIMIT = 300 };
    const char *all[LIMIT] = {profile_prologue()};
    size_t sizes[LIMIT] = {0}; /* a zero ends the list of sizes */
    if (must_fail() || n >= LIMIT) {
        *code = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    for (cl_uint i = 0; i < n; i++) {
        all[i + 1] = texts[i];
        sizes[i + 1] = lengths ? lengths[i] : 0;
    }
    const cl_uint first = !*all[0];
    cl_program made = REAL(clCreateProgramWithSource)(c, n + 1 - first, all + first, sizes + first, code);
    objects += made != NULL;
    return made;
}

RELEASE(clReleaseContext, cl_context)
RELEASE(clReleaseProgram, cl_program)
RELEASE(clReleaseKernel, cl_kernel)

EXPORT CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue q)
{
    late_forget(q);
    objects--;
    return REAL(clReleaseCommandQueue)(q);
}

/*
 * Finishes the submitted work before it reports a failure, as drivers do, because the program may then free host memory
 * that this work writes.
 */
EXPORT CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue q)
{
    late_finish(q);
    const cl_int code = REAL(clFinish)(q);
    return must_fail() || lost_context(q) ? lost ? lost : CL_OUT_OF_RESOURCES : code;
}

/* The engine never passes events to a map call and never requests one. */
EXPORT CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool block,
                                                         cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
                                                         const cl_event *list, cl_event *event, cl_int *code)
{
    if (!block || waits || list || event)
        abort();
    if (must_fail() || lost_context(q)) {
        *code = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    return late_map(q, m, flags, offset, size, code);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *value,
                                                       size_t *used)
{
    cl_int code = must_fail() ? lost ? lost : CL_OUT_OF_RESOURCES : CL_SUCCESS;
    if (code == CL_SUCCESS && !profile_tell(what, size, value, used, &code))
        code = REAL(clGetDeviceInfo)(id, what, size, value, used);
    if (code == CL_SUCCESS && largest && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && value && size >= sizeof(cl_ulong))
        *(cl_ulong *)value = (cl_ulong)largest;
    return code;
}

/* Pinned memory belongs to the host. */
static bool is_on_device(cl_mem_flags flags)
{
    return !(flags & CL_MEM_ALLOC_HOST_PTR);
}

EXPORT CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void *host,
                                                      cl_int *code)
{
    const bool too_large = (largest && (long long)size > largest && is_on_device(flags)) ||
                           (profile_block() && (long long)size > profile_block());
    if (must_fail() || too_large ||
        (profile_memory() && is_on_device(flags) && bytes + (long long)size > profile_memory())) {
        *code = too_large ? CL_INVALID_BUFFER_SIZE : CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    cl_mem made = REAL(clCreateBuffer)(c, flags, size, host, code);
    if (made) {
        objects++;
        bytes += is_on_device(flags) ? (long long)size : 0;
        if (bytes > peak)
            peak = (long long)bytes;
    }
    return made;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memory)
{
    size_t size = 0;
    cl_mem_flags flags = 0;
    __typeof__(&clGetMemObjectInfo) ask = (__typeof__(&clGetMemObjectInfo))real("clGetMemObjectInfo");
    ask(memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    ask(memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    objects--;
    bytes -= is_on_device(flags) ? (long long)size : 0;
    return REAL(clReleaseMemObject)(memory);
}
