/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures how long kernels take on the device. If DRUA_TIME_KERNELS is set, queues record times, and each launch keeps
 * an event until the profile is read. This adds some microseconds per launch, so do not time anything else meanwhile.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "profile.h"

#include "alloc.h"
#include "device.h"
#include "library.h"
#include "text.h"
#include "variables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KERNELS = 512, MAX_EVENTS = 1024, NAME = 64 };

typedef struct entry {
    char name[NAME];
    uint64_t launches, nanoseconds;
} entry;

static struct {
    pthread_mutex_t lock;
    drua_opencl cl;
    __typeof__(&clGetEventProfilingInfo) get_time;
    __typeof__(&clGetKernelInfo) get_kernel;
    entry kernels[MAX_KERNELS];
    size_t count;
    struct { cl_event event; size_t kernel; } sent[MAX_EVENTS];
    size_t sent_count;
} profile = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t find_or_add_kernel(const char *name)
{
    size_t i = 0;
    while (i < profile.count && strcmp(profile.kernels[i].name, name) != 0)
        i++;
    if (i == MAX_KERNELS)
        return MAX_KERNELS - 1; /* the last entry collects all kernels that do not fit */
    if (i == profile.count)
        profile.kernels[profile.count++] = (entry){.name = ""};
    memcpy(profile.kernels[i].name, name, strlen(name) + 1);
    return i;
}

static void collect_times(void)
{
    for (size_t i = 0; i < profile.sent_count; i++) {
        entry *kernel = &profile.kernels[profile.sent[i].kernel];
        const cl_event event = profile.sent[i].event;
        cl_ulong start = 0, end = 0;
        if (profile.cl.clWaitForEvents(1, &event) == CL_SUCCESS &&
            profile.get_time(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) == CL_SUCCESS &&
            profile.get_time(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS && end > start)
            kernel->nanoseconds += end - start;
        kernel->launches++;
        profile.cl.clReleaseEvent(event);
    }
    profile.sent_count = 0;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *code)
{
    return profile.cl.clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, code);
}

static cl_int CL_API_CALL profile_launch(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset,
                                         const size_t *items, const size_t *group, cl_uint wait_count,
                                         const cl_event *waits, cl_event *event)
{
    char name[NAME] = "";
    cl_event own = NULL;
    const cl_int code =
        profile.cl.clEnqueueNDRangeKernel(queue, kernel, axes, offset, items, group, wait_count, waits, &own);
    if (code != CL_SUCCESS)
        return code;
    if (event && profile.cl.clRetainEvent(own) == CL_SUCCESS)
        *event = own;
    if (profile.get_kernel(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) != CL_SUCCESS)
        memcpy(name, "?", sizeof "?");
    pthread_mutex_lock(&profile.lock);
    if (profile.sent_count == MAX_EVENTS)
        collect_times();
    profile.sent[profile.sent_count].event = own;
    profile.sent[profile.sent_count++].kernel = find_or_add_kernel(name);
    pthread_mutex_unlock(&profile.lock);
    return CL_SUCCESS;
}

void drua_profile_begin(void *loader, drua_opencl *functions)
{
    if (!drua_variable_text(DRUA_VARIABLE_TIME_KERNELS) ||
        !(*(void **)&profile.get_time = drua_library_find(loader, "clGetEventProfilingInfo")) ||
        !(*(void **)&profile.get_kernel = drua_library_find(loader, "clGetKernelInfo")))
        return;
    profile.cl = *functions;
    functions->clCreateCommandQueue = create_queue;
    functions->clEnqueueNDRangeKernel = profile_launch;
}

static int longest_first(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->nanoseconds < y->nanoseconds ? 1 : x->nanoseconds > y->nanoseconds ? -1 : strcmp(x->name, y->name);
}

void drua_device_take_profile(drua_text *text)
{
    pthread_mutex_lock(&profile.lock);
    collect_times();
    qsort(profile.kernels, profile.count, sizeof *profile.kernels, longest_first);
    for (size_t i = 0; i < profile.count; i++)
        drua_text_add(text, "%s\t%llu\t%.4f\n", profile.kernels[i].name,
                      (unsigned long long)profile.kernels[i].launches, 1e-6 * (double)profile.kernels[i].nanoseconds);
    profile.count = 0;
    pthread_mutex_unlock(&profile.lock);
}
