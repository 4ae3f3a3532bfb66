/* SPDX-License-Identifier: BSD-3-Clause */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "opencl_error.h"

#include "error.h"
#include "file.h"
#include "handles.h"
#include "library.h"
#include "profile.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#if defined(_WIN32)
static const char *const candidates[] = {"OpenCL.dll", NULL};
#elif defined(__APPLE__)
static const char *const candidates[] = {"/System/Library/Frameworks/OpenCL.framework/OpenCL", NULL};
#else
static const char *const candidates[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
#endif

static drua_opencl functions;
static const drua_opencl *loaded;
static void *loader; /* library that contains these functions */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_long process; /* number of the process that loaded OpenCL first; 0: no process yet */

enum { NO_LOADER, NO_DEVICE, NO_GPU, GPU };

/* Ranks a loader by its functions and devices. */
static int rank_loader(const drua_opencl *f)
{
    enum { LIMIT = 16 };
    cl_platform_id platforms[LIMIT];
    cl_uint count = 0;
    int best = NO_DEVICE;
    if (f->clGetPlatformIDs(LIMIT, platforms, &count) != CL_SUCCESS)
        return NO_DEVICE;
    for (cl_uint i = 0; i < count && i < LIMIT; i++) {
        cl_uint gpus = 0, all = 0;
        f->clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &all);
        f->clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 0, NULL, &gpus);
        const int here = gpus > 0 ? GPU : all > 0 ? NO_GPU : NO_DEVICE;
        best = here > best ? here : best;
    }
    return best;
}

/* Keeps a loader that ranks higher than the best one so far. */
static void keep_if_better(void *library, int *best)
{
    drua_opencl f;
    if (!library)
        return;
#define F(name)                                                                                                        \
    if (!(*(void **)&f.name = drua_library_find(library, #name)))                                                      \
        return;
    DRUA_CL_FUNCTIONS(F)
#undef F
    const int offer = rank_loader(&f);
    if (offer <= *best)
        return;
    *best = offer;
    functions = f;
    loaded = &functions;
    loader = library;
}

/*
 * A program may already contain a loader, such as one from a Python package, and some drivers serve only the first
 * loader of a process (NVIDIA's 580 on Linux). Drua therefore tries loaders that are already present first, and the
 * system's loader only if those show no GPU.
 */
static void load_opencl(void)
{
    int best = NO_LOADER;
    void *library;
    drua_signals_save();
    for (int i = 0; best < GPU && (library = drua_library_of_process("libOpenCL", i)) != NULL; i++)
        keep_if_better(library, &best);
    if (best < GPU)
        keep_if_better(drua_library_open(candidates), &best);
    if (loaded)
        drua_profile_begin(loader, &functions);
    drua_signals_restore();
}

const drua_opencl *drua_opencl_load(void)
{
    long none = 0;
    atomic_compare_exchange_strong(&process, &none, drua_process_number());
    pthread_once(&once, load_opencl);
    return loaded;
}

bool drua_device_is_forked(void)
{
    const long first = atomic_load(&process);
    return first && first != drua_process_number();
}

drua_status drua_device_check_fork(void)
{
    return drua_device_is_forked()
               ? drua_fail(DRUA_E_DEVICE, "this process was forked from one that uses Drua, and an OpenCL device "
                                          "works only in one of them; fork before the first call, or start a new "
                                          "program (exec)")
               : DRUA_OK;
}

bool drua_device_opencl_file(char *path, size_t size)
{
    const drua_opencl *cl = drua_opencl_load();
    return cl && drua_library_file(*(void *const *)&cl->clGetPlatformIDs, path, size);
}

const char *drua_opencl_error(cl_int code)
{
    switch (code) {
#define CASE(name)                                                                                                     \
    case name:                                                                                                         \
        return #name;
        CASE(CL_DEVICE_NOT_FOUND)
        CASE(CL_DEVICE_NOT_AVAILABLE) CASE(CL_COMPILER_NOT_AVAILABLE) CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
            CASE(CL_OUT_OF_RESOURCES) CASE(CL_OUT_OF_HOST_MEMORY) CASE(CL_BUILD_PROGRAM_FAILURE) CASE(CL_INVALID_VALUE)
                CASE(CL_INVALID_DEVICE) CASE(CL_INVALID_CONTEXT) CASE(CL_INVALID_COMMAND_QUEUE)
                    CASE(CL_INVALID_MEM_OBJECT) CASE(CL_INVALID_BUILD_OPTIONS) CASE(CL_INVALID_PROGRAM)
                        CASE(CL_INVALID_KERNEL_NAME) CASE(CL_INVALID_KERNEL) CASE(CL_INVALID_ARG_INDEX)
                            CASE(CL_INVALID_ARG_VALUE) CASE(CL_INVALID_ARG_SIZE) CASE(CL_INVALID_KERNEL_ARGS)
                                CASE(CL_INVALID_WORK_DIMENSION) CASE(CL_INVALID_WORK_GROUP_SIZE)
                                    CASE(CL_INVALID_GLOBAL_WORK_SIZE) CASE(CL_INVALID_BUFFER_SIZE)
                                        CASE(CL_INVALID_OPERATION) CASE(CL_INVALID_EVENT)
                                            CASE(CL_INVALID_EVENT_WAIT_LIST) CASE(CL_MAP_FAILURE)
                                                CASE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
#undef CASE
                                                    default : return "an unnamed OpenCL error";
    }
}

drua_status drua_opencl_fail(cl_int code, const char *what)
{
    bool memory =
        code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE;
    return drua_fail(memory ? DRUA_E_MEMORY : DRUA_E_DEVICE, "the OpenCL driver could not %s: %s (%d)%s", what,
                     drua_opencl_error(code), (int)code,
                     memory ? "; release images or choose a device with more memory" : "; other images stay usable");
}
