/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists devices in order, and opens one. */
#include "internal.h"

#include "alloc.h"
#include "error.h"
#include "hardware.h"
#include "text.h"
#include "variables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64 };

typedef struct found {
    cl_platform_id platform;
    cl_device_id id;
    cl_uint vendor;
    drua_device_info info;
} found;

/* Returns a copy that stays valid; "" after an error. `code` keeps the first error of all queries. */
static const char *keep_text(const char *text, cl_int *code)
{
    const char *kept = drua_text_keep(text);
    if (!kept && *code == CL_SUCCESS)
        *code = CL_OUT_OF_HOST_MEMORY;
    return kept ? kept : "";
}

static const char *ask_text(const drua_opencl *cl, cl_device_id id, cl_device_info what, cl_int *code)
{
    size_t needed = 0;
    const char *text = "";
    cl_int now = cl->clGetDeviceInfo(id, what, 0, NULL, &needed);
    char *whole = now == CL_SUCCESS ? drua_alloc(needed + 1) : NULL;
    if (whole)
        now = cl->clGetDeviceInfo(id, what, needed, whole, NULL);
    if (whole && now == CL_SUCCESS)
        text = keep_text(whole, code);
    drua_free(whole);
    if (*code == CL_SUCCESS)
        *code = now;
    return text;
}

static uint64_t ask_number(const drua_opencl *cl, cl_device_id id, cl_device_info what, size_t size, cl_int *code)
{
    union { cl_uint narrow; cl_ulong wide; size_t size; } n = {.wide = 0};
    const cl_int now = cl->clGetDeviceInfo(id, what, sizeof n, &n, NULL);
    if (*code == CL_SUCCESS)
        *code = now;
    if (now != CL_SUCCESS)
        return 0;
    return size == sizeof(cl_uint) ? n.narrow : n.wide;
}

static cl_int query_device(const drua_opencl *cl, cl_platform_id platform, cl_device_id id, drua_device_info *info)
{
    cl_int code = CL_SUCCESS;
    char name[256] = "";
    cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    *info = (drua_device_info){.name = ask_text(cl, id, CL_DEVICE_NAME, &code),
                               .platform = keep_text(name, &code),
                               .driver = ask_text(cl, id, CL_DRIVER_VERSION, &code),
                               .version = ask_text(cl, id, CL_DEVICE_VERSION, &code),
                               .extensions = ask_text(cl, id, CL_DEVICE_EXTENSIONS, &code),
                               .address = ""};
    int major = 1, minor = 0;
    sscanf(info->version, "OpenCL %d.%d", &major, &minor);
    info->opencl_version = major + minor / 10.0;
    info->is_gpu = (ask_number(cl, id, CL_DEVICE_TYPE, sizeof(cl_ulong), &code) & CL_DEVICE_TYPE_GPU) != 0 ||
                   drua_variable_text(DRUA_VARIABLE_AS_GPU);
    info->global_memory = ask_number(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong), &code);
    info->largest_allocation = ask_number(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong), &code);
    info->local_memory = ask_number(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong), &code);
    info->compute_units = ask_number(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint), &code);
    info->clock_mhz = ask_number(cl, id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(cl_uint), &code);
    info->largest_work_group = ask_number(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t), &code);
    return code;
}

/* Orders GPUs first, by speed if both were timed, then by memory and compute units. */
static int is_worse(const drua_device_info *a, const drua_device_info *b)
{
    if (a->is_gpu != b->is_gpu)
        return !a->is_gpu;
    const double a_speed = drua_device_speed(a), b_speed = drua_device_speed(b);
    if (a->is_gpu && a_speed > 0 && b_speed > 0 && a_speed != b_speed)
        return a_speed < b_speed;
    if (a->global_memory != b->global_memory)
        return a->global_memory < b->global_memory;
    return a->compute_units < b->compute_units;
}

/*
 * Returns the vendor ID of the first device of the same model and driver, because libraries choose methods by the ID,
 * and PoCL adds the device's index to it.
 */
static cl_uint ask_vendor(const drua_opencl *cl, const found *device, const found *others, size_t count)
{
    cl_int code = CL_SUCCESS; /* a property that a device does not know counts as missing */
    for (size_t i = 0; i < count; i++)
        if (others[i].platform == device->platform && drua_device_is_alike(&others[i].info, &device->info))
            return others[i].vendor;
    return (cl_uint)ask_number(cl, device->id, CL_DEVICE_VENDOR_ID, sizeof(cl_uint), &code);
}

static void note_unlisted(const drua_opencl *cl, cl_platform_id platform, cl_int code, char *unlisted, size_t size)
{
    char name[128] = "without a name";
    cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    snprintf(unlisted, size, "The OpenCL platform %s could not describe a device: %s (%d)", name,
             drua_opencl_error(code), (int)code);
}

/* Lists devices, the best first. `unlisted` receives a message about platforms that failed to list theirs, or "". */
static size_t list_devices(const drua_opencl *cl, found *devices, char *unlisted, size_t size)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;
    size_t count = 0;
    drua_signals_save();
    if (cl->clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; p++) {
        cl_device_id ids[MAX_DEVICES];
        cl_uint n = 0;
        const cl_int code = cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &n);
        if (code != CL_SUCCESS) {
            if (code != CL_DEVICE_NOT_FOUND)
                note_unlisted(cl, platforms[p], code, unlisted, size);
            continue;
        }
        for (cl_uint i = 0; i < n && i < MAX_DEVICES && count < MAX_DEVICES; i++) {
            found device = {.platform = platforms[p], .id = ids[i]};
            cl_int answered = query_device(cl, platforms[p], ids[i], &device.info);
            char address[32];
            drua_device_find_address(cl, ids[i], p, i, &device.info, address, sizeof address);
            device.info.address = keep_text(address, &answered);
            if (answered != CL_SUCCESS) {
                note_unlisted(cl, platforms[p], answered, unlisted, size);
                continue;
            }
            device.vendor = ask_vendor(cl, &device, devices, count);
            size_t at = count++;
            for (; at > 0 && is_worse(&devices[at - 1].info, &device.info); at--)
                devices[at] = devices[at - 1];
            devices[at] = device;
        }
    }
    drua_signals_restore();
    return count;
}

enum { UNLISTED = 256 };

static found *list_all(size_t *count, char unlisted[UNLISTED])
{
    const drua_opencl *cl = drua_opencl_load();
    found *devices = cl ? drua_alloc(MAX_DEVICES * sizeof *devices) : NULL;
    *unlisted = 0;
    *count = devices ? list_devices(cl, devices, unlisted, UNLISTED) : 0;
    return devices;
}

size_t drua_device_count(void)
{
    size_t count;
    char unlisted[UNLISTED];
    if (drua_device_check_fork() != DRUA_OK)
        return 0;
    drua_free(list_all(&count, unlisted));
    return count;
}

drua_status drua_device_inspect(size_t index, drua_device_info *info)
{
    size_t count;
    char unlisted[UNLISTED];
    DRUA_TRY(drua_device_check_fork());
    found *devices = list_all(&count, unlisted);
    drua_status status = DRUA_OK;
    if (index < count)
        *info = devices[index].info;
    else
        status = drua_fail(DRUA_E_ARGUMENT, "there is no OpenCL device %zu; this computer has %zu, counted from 0",
                           index, count);
    drua_free(devices);
    return status;
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return length == 0;
}

bool drua_device_fits(const drua_device_info *info, size_t index, const char *selector)
{
    char *end;
    if (!strcmp(selector, info->address))
        return true;
    unsigned long number = strtoul(selector, &end, 10);
    if (end != selector && *end == 0)
        return number == index;
    if (contains("gpu", selector) && strlen(selector) == 3)
        return info->is_gpu;
    if (contains("cpu", selector) && strlen(selector) == 3)
        return !info->is_gpu;
    return contains(info->name, selector) || contains(info->platform, selector);
}

static drua_status make_queue(drua_device *device)
{
    cl_int code;
    device->context = device->cl->clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return drua_opencl_fail(code, "open the device");
    device->queue = device->cl->clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS)
        return drua_opencl_fail(code, "make a queue");
    for (int i = 0; i < 2; i++) {
        code = drua_transfer_queue_open(&device->transfer_queues[i], device, i);
        if (code != CL_SUCCESS)
            return drua_opencl_fail(code, "make a queue");
    }
    device->ring.memory = device->cl->clCreateBuffer(device->context, CL_MEM_READ_ONLY, DRUA_RING_BYTES, NULL, &code);
    if (code != CL_SUCCESS)
        return drua_opencl_fail(code, "allocate memory for tables");
    device->reserved += DRUA_RING_BYTES;
    device->ring.shadow = drua_alloc(DRUA_RING_BYTES);
    return device->ring.shadow ? DRUA_OK : drua_fail_memory(DRUA_RING_BYTES);
}

static void choose_options(drua_device *device)
{
    cl_int code = CL_SUCCESS; /* a property that a device does not know counts as missing */
    cl_ulong float_facts = ask_number(device->cl, device->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_ulong), &code);
    bool exact = (float_facts & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    bool doubles = ask_number(device->cl, device->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_ulong), &code) != 0;
    const bool processor =
        (ask_number(device->cl, device->id, CL_DEVICE_TYPE, sizeof(cl_ulong), &code) & CL_DEVICE_TYPE_CPU) != 0;
    /*
     * Without -w, some compilers print to the user's terminal that they did not unroll a loop. Tests can run the
     * kernels for GPUs on a CPU (DRUA_AS_GPU), so VECTOR_LIBRARY depends on the type of the device itself.
     */
    snprintf(device->options, sizeof device->options, "-cl-std=CL1.2 -w%s%s%s%s%s",
             exact ? " -cl-fp32-correctly-rounded-divide-sqrt -DEXACT_DIVIDE" : "", doubles ? " -DDOUBLES" : "",
             contains(device->info.extensions, "cl_khr_int64_base_atomics") ? " -DATOMICS64" : "",
             processor ? " -DVECTOR_LIBRARY" : "", device->info.is_gpu ? "" : " -DON_CPU");
    device->lanes = device->info.is_gpu ? 4 : 16;
}

void drua_device_init(drua_device *device)
{
    pthread_mutex_init(&device->build_lock, NULL);
    pthread_cond_init(&device->built, NULL);
    atomic_store(&device->progress, -1);
    atomic_store(&device->launched, -1);
    atomic_store(&device->work, -1);
}

/* After a failure drua_device_close frees the rest. */
static drua_status set_up(drua_device *device, cl_platform_id platform)
{
    drua_device_init(device);
    drua_status status = drua_device_set_budget(device, NULL);
    choose_options(device);
    drua_device_choose_optimizing(device);
    drua_device_ask_axes(device);
    device->cl->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof device->platform_version - 1,
                                  device->platform_version, NULL);
    drua_cache_open(device);
    drua_signals_save();
    if (status == DRUA_OK)
        status = make_queue(device);
    drua_signals_restore();
    return status == DRUA_OK ? drua_device_index_sources(device) : status;
}

/*
 * Sends numbers to the device and back. Some drivers open a device that has no memory left, or that another program
 * uses exclusively, and fail only at the first transfer.
 */
static drua_status check_transfers(drua_device *device)
{
    enum { NUMBERS = 16 };
    cl_uint sent[NUMBERS], back[NUMBERS] = {0};
    for (cl_uint i = 0; i < NUMBERS; i++)
        sent[i] = i * 2654435761u + 1;
    const drua_opencl *cl = device->cl;
    cl_int code =
        cl->clEnqueueWriteBuffer(device->queue, device->ring.memory, CL_TRUE, 0, sizeof sent, sent, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code =
            cl->clEnqueueReadBuffer(device->queue, device->ring.memory, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return drua_opencl_fail(code, "copy 64 bytes to the device and back");
    for (int i = 0; i < NUMBERS; i++)
        if (back[i] != sent[i])
            return drua_fail(DRUA_E_DEVICE,
                             "the device returned the number %u instead of %u from its memory; install another version "
                             "of its driver",
                             (unsigned)back[i], (unsigned)sent[i]);
    return DRUA_OK;
}

static drua_status open_found(const found *best, drua_device **out)
{
    drua_device *device = drua_alloc(sizeof *device);
    if (!device)
        return drua_fail_memory(sizeof *device);
    device->cl = drua_opencl_load();
    device->id = best->id;
    device->vendor = best->vendor;
    device->info = best->info;
    drua_status status = set_up(device, best->platform);
    if (status == DRUA_OK)
        status = check_transfers(device);
    if (status == DRUA_OK) {
        *out = device;
    } else {
        drua_error_prefix(best->info.name, 0);
        drua_device_close(device);
    }
    return status;
}

/* A slower device than the best one is never used silently. */
static void warn_of_slow_device(drua_device *device, const char *unused, const char *unlisted, bool gpu_is_listed)
{
    const drua_hardware *gpu = gpu_is_listed ? NULL : drua_hardware_gpu("");
    const char *name = device->info.name;
    if (*unused || *unlisted)
        snprintf(device->warning, sizeof device->warning, "%s. Drua uses %.120s instead.", *unused ? unused : unlisted,
                 name);
    else if (gpu)
        snprintf(device->warning, sizeof device->warning,
                 "This computer has a GPU of %s, but OpenCL does not list it; install its driver (on Debian "
                 "and Ubuntu: %s). Drua uses %.120s, which is slower.",
                 gpu->vendor, gpu->package, name);
}

/* Opens the best device that works. */
static drua_status open_best(const found *devices, size_t count, const char *unlisted, drua_device **out)
{
    char unused[384] = "";
    drua_status first = DRUA_OK;
    for (size_t i = 0; i < count && !*out; i++) {
        const drua_status status = open_found(&devices[i], out);
        if (status == DRUA_OK || first != DRUA_OK)
            continue;
        first = status;
        snprintf(unused, sizeof unused, "%s", drua_error_text());
    }
    if (!*out)
        return drua_fail(first, "%s", unused);
    warn_of_slow_device(*out, unused, unlisted, devices[0].info.is_gpu);
    return DRUA_OK;
}

drua_status drua_device_open(const char *selector, drua_device **out)
{
    *out = NULL;
    if (!drua_opencl_load())
        return drua_fail(DRUA_E_NO_DEVICE, "OpenCL is not installed; install your GPU's driver, or on Debian and "
                                           "Ubuntu for the CPU: apt-get install ocl-icd-libopencl1 pocl-opencl-icd");
    if (!selector || !*selector)
        selector = drua_variable_text(DRUA_VARIABLE_DEVICE);
    size_t count, chosen = 0;
    char unlisted[UNLISTED];
    found *devices = list_all(&count, unlisted);
    if (count == 0) {
        drua_free(devices);
        if (*unlisted)
            return drua_fail(DRUA_E_NO_DEVICE,
                             "%s; there is no other device, so restart the computer or install the driver again",
                             unlisted);
        return drua_fail(DRUA_E_NO_DEVICE, "OpenCL is installed but has no device; install your GPU's driver, or on "
                                           "Debian and Ubuntu for the CPU: apt-get install pocl-opencl-icd");
    }
    const bool any = !selector || !*selector;
    while (!any && chosen < count && !drua_device_fits(&devices[chosen].info, chosen, selector))
        chosen++;
    drua_status status;
    if (chosen < count && !any)
        status = open_found(&devices[chosen], out);
    else if (!any && *unlisted)
        status = drua_fail(DRUA_E_NO_DEVICE,
                           "no OpenCL device is called '%.80s'; it may be a device that does not "
                           "respond. %s",
                           selector, unlisted);
    else
        status = open_best(devices, count, unlisted, out);
    if (status == DRUA_OK && chosen == count)
        snprintf((*out)->note, sizeof(*out)->note, "No OpenCL device is called '%.80s'; Drua uses %.200s.", selector,
                 (*out)->info.name);
    drua_free(devices);
    return status;
}

void drua_device_close(drua_device *device)
{
    if (!device)
        return;
    drua_device_stop_building(device);
    drua_jit_stop(device);
    if (device->queue)
        device->cl->clFinish(device->queue);
    drua_launch_compiles(device, NULL);
    for (int i = 0; i < 2; i++)
        drua_transfer_queue_close(&device->transfer_queues[i]);
    drua_fences_forget(device);
    drua_pool_trim(device);
    drua_device_free_programs(device);
    if (device->ring.memory)
        device->cl->clReleaseMemObject(device->ring.memory);
    if (device->queue)
        device->cl->clReleaseCommandQueue(device->queue);
    if (device->context)
        device->cl->clReleaseContext(device->context);
    pthread_mutex_destroy(&device->build_lock);
    pthread_cond_destroy(&device->built);
    drua_free(device->ring.shadow);
    drua_free(device);
}

const drua_device_info *drua_device_get_info(const drua_device *device)
{
    return &device->info;
}

const char *drua_device_note(const drua_device *device)
{
    return device->note;
}

const char *drua_device_warning(const drua_device *device)
{
    return device->warning;
}

int drua_device_lanes(const drua_device *device)
{
    return device->lanes;
}

drua_statistics *drua_device_statistics(drua_device *device)
{
    device->statistics.programs_built = atomic_load(&device->programs_built);
    device->statistics.programs_loaded = atomic_load(&device->programs_loaded);
    return &device->statistics;
}

drua_handles drua_device_handles(const drua_device *device)
{
    return (drua_handles){device->cl, device->id, device->context, device->queue, device->vendor};
}
