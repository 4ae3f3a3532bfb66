/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VkFFT, a header that calls OpenCL directly: its calls are redirected to functions of this file. The context, device
 * and queue that VkFFT passes to them are pointers to this file's structures, so each function knows its transform.
 * Versions before 1.3 have a convolution that fuses the last transform, the product and the first inverse transform
 * into one kernel. In later versions, this kernel writes outside its buffer or omits the conjugate, so these versions
 * are used for plain transforms only.
 */
#include "provider.h"

#include "alloc.h"
#include "error.h"
#include "hash.h"

#include <locale.h>     /* included before vkFFT.h, where the name is redefined */
#include <stdio.h>
#include <string.h>

enum { LAST_WITH_CONVOLUTION = 10299, AXES = 3, LONGEST = 65536 };

typedef struct vkfft_state vkfft_state;

/* A queue, as VkFFT gets it. */
typedef struct lane {
    vkfft_state *owner;
    cl_command_queue queue;
} lane;

static cl_mem create_counted_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code);
static cl_int give_back(vkfft_state *owner, cl_mem memory);

/*
 * Programs are compiled all at the same time, and only once if a text occurs twice. VkFFT's handles are entries of a
 * list.
 */
static cl_program make_program(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                               cl_int *code);
static cl_kernel make_kernel(cl_program compiled, const char *name, cl_int *code);
static cl_int release_program(cl_program compiled);
static cl_int set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value);
static cl_int ask_device(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed);

/* VkFFT makes queues for its tables only; transforms are launched on the engine's queue. */
static cl_command_queue make_queue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                   cl_int *code);
static cl_int release_queue(cl_command_queue queue);
static cl_int launch_and_count(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset,
                               const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                               cl_event *event);

#define clBuildProgram(...) CL_SUCCESS
#define clCreateBuffer             create_counted_buffer
#define clCreateCommandQueue       make_queue
#define clCreateKernel make_kernel
#define clCreateProgramWithSource make_program
#define clEnqueueNDRangeKernel     launch_and_count
#define clEnqueueWriteBuffer(lane_, ...) \
    drua_opencl_load()->clEnqueueWriteBuffer(((const lane *)(lane_))->queue, __VA_ARGS__)
#define clFinish(lane_) drua_opencl_load()->clFinish(((const lane *)(lane_))->queue)
#define clGetDeviceInfo            ask_device
#define clGetProgramBuildInfo(...) CL_SUCCESS
#define clReleaseCommandQueue      release_queue
#define clReleaseKernel(...) CL_SUCCESS
/* the only call without a context; each function of VkFFT that releases memory has its application in `app` */
#define clReleaseMemObject(memory) give_back((vkfft_state *)app->configuration.context[0], memory)
#define clReleaseProgram release_program
#define clSetKernelArg set_argument
/* only for programs kept as text, which is never requested */
#define clCreateProgramWithBinary(...) NULL
#define clGetProgramInfo(...) CL_INVALID_OPERATION
/* the process keeps its locale (c_locale.h) and its output */
#define setlocale(...) NULL
#define printf(...) 0
#define VKFFT_BACKEND 3
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-value"
#include <vkFFT.h>
#pragma GCC diagnostic pop
#undef clEnqueueNDRangeKernel
#undef clEnqueueWriteBuffer
#undef clFinish
#undef clCreateBuffer
#undef clCreateCommandQueue
#undef clReleaseCommandQueue
#undef clReleaseMemObject
#undef clCreateKernel
#undef clGetDeviceInfo
#undef clCreateProgramWithSource
#undef clReleaseKernel
#undef clSetKernelArg
#undef clReleaseProgram
#undef setlocale
#undef printf

enum { BUFFER, INPUT_BUFFER, KERNEL, TEMPORARY, SLOTS };

/* Tables and scratch memory of VkFFT. */
typedef struct holding {
    struct holding *next;
    drua_block *block;
} holding;

/* A program that VkFFT made, and its kernel. */
typedef struct creation {
    struct creation *next;
    vkfft_state *owner;
    uint64_t hash;
    int users;
    drua_jit_kernel *made;
} creation;

typedef struct program {
    VkFFTApplication application;
    bool made, was_sent[2]; /* forwards and backwards: the driver has compiled the launches */
    uint64_t temporary;         /* bytes beside the image that a transform with several kernels per axis needs */
    cl_mem slot[SLOTS][2];      /* VkFFT compares pointers to handles, so a new handle needs a new place */
    int next[SLOTS];
    uint64_t generation[SLOTS]; /* generation of the device when the slot was taken */
} program;

struct vkfft_state {
    drua_device *device;
    drua_handles handles;
    cl_context as_context; /* pointers to this structure, for VkFFT */
    cl_device_id as_device;
    lane engine; /* the engine's queue */
    cl_command_queue as_queue; /* pointer to `engine`, for VkFFT */
    drua_shape shape;
    uint64_t bytes;
    program transform, convolution[2];
    holding *holdings;
    creation *creations;
    bool has_no_memory;
    bool later;                 /* no caller waits for its programs */
};

static cl_mem create_counted_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code)
{
    vkfft_state *owner = (vkfft_state *)context;
    holding *entry = drua_alloc(sizeof *entry);
    *code = CL_SUCCESS;
    if (entry && drua_device_reserve(owner->device, bytes, flags & CL_MEM_COPY_HOST_PTR ? host : NULL, &entry->block) ==
                     DRUA_OK) {
        entry->next = owner->holdings;
        owner->holdings = entry;
        return drua_block_handle(entry->block);
    }
    if (!entry)
        drua_fail_memory(sizeof *entry);
    drua_free(entry);
    owner->has_no_memory = true;
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static cl_int give_back(vkfft_state *owner, cl_mem memory)
{
    holding **at = &owner->holdings;
    while (*at && drua_block_handle((*at)->block) != memory)
        at = &(*at)->next;
    holding *entry = *at;
    if (!entry)
        return CL_INVALID_MEM_OBJECT;
    *at = entry->next;
    drua_device_give_back(owner->device, entry->block);
    drua_free(entry);
    return CL_SUCCESS;
}

static cl_program make_program(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                               cl_int *code)
{
    vkfft_state *owner = (vkfft_state *)context;
    (void)count;
    const uint64_t hash = drua_hash(DRUA_HASH_START, texts[0], lengths[0]);
    creation *entry = owner->creations;
    while (entry && entry->hash != hash)
        entry = entry->next;
    if (!entry && (entry = drua_alloc(sizeof *entry))) {
        const char *name = strstr(texts[0], "VkFFT_main_R2C") ? "VkFFT_main_R2C" : "VkFFT_main";
        *entry = (creation){.next = owner->creations,
                            .owner = owner,
                            .hash = hash,
                            .made = drua_jit_start_library(owner->device, texts[0], name,
                                                           owner->later ? DRUA_JIT_LATER : DRUA_JIT_SOON)};
        owner->creations = entry;
    }
    *code = entry && entry->made ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (entry)
        entry->users++;
    return (cl_program)entry;
}

static cl_kernel make_kernel(cl_program compiled, const char *name, cl_int *code)
{
    (void)name;
    *code = CL_SUCCESS;
    return (cl_kernel)compiled;
}

/*
 * Answers VkFFT's queries of the device. VkFFT uses the vendor to decide whether to use tables of roots of unity, which
 * affects the last bits.
 */
static cl_int ask_device(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed)
{
    const drua_handles *handles = &((vkfft_state *)device)->handles;
    if (what != CL_DEVICE_VENDOR_ID || size < sizeof handles->vendor)
        return drua_opencl_load()->clGetDeviceInfo(handles->device, what, size, value, needed);
    memcpy(value, &handles->vendor, sizeof handles->vendor);
    return CL_SUCCESS;
}

static cl_kernel kernel_of(cl_kernel kernel)
{
    return drua_jit_handle(((creation *)kernel)->made);
}

static cl_int release_program(cl_program compiled)
{
    creation **at = &((creation *)compiled)->owner->creations;
    while (*at && (cl_program)*at != compiled)
        at = &(*at)->next;
    creation *entry = *at;
    if (!entry || --entry->users > 0)
        return CL_SUCCESS;
    *at = entry->next;
    drua_jit_free(entry->made);
    drua_free(entry);
    return CL_SUCCESS;
}

static cl_int set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    return drua_opencl_load()->clSetKernelArg(kernel_of(kernel), index, size, value);
}

/* VkFFT does not free everything if one of its calls fails. */
static void release_the_rest(vkfft_state *p)
{
    while (p->creations)
        release_program((cl_program)p->creations);
    while (p->holdings)
        give_back(p, drua_block_handle(p->holdings->block));
}

/* Fails with the engine's message about memory, or with the library's error number. */
static drua_status fail_by_result(const vkfft_state *p, VkFFTResult result, const char *what)
{
    if (!drua_device_answers(p->device))
        return DRUA_E_DEVICE;
    if (p->has_no_memory)
        return DRUA_E_MEMORY;
    return drua_fail(DRUA_E_DEVICE, "VkFFT %s %lld x %lld x %lld (%d)", what, (long long)p->shape.width,
                     (long long)p->shape.height, (long long)p->shape.depth, (int)result);
}

static cl_int launch_and_count(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset,
                               const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                               cl_event *event)
{
    const lane *to = (lane *)queue;
    drua_device_statistics(to->owner->device)->launches++;
    return drua_opencl_load()->clEnqueueNDRangeKernel(to->queue, kernel_of(kernel), axes, offset, global, local, waits,
                                                      wait, event);
}

static cl_command_queue make_queue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                   cl_int *code)
{
    (void)device;
    vkfft_state *owner = (vkfft_state *)context;
    lane *made = drua_alloc(sizeof *made);
    *code = CL_OUT_OF_HOST_MEMORY;
    if (!made)
        return NULL;
    made->owner = owner;
    made->queue =
        drua_opencl_load()->clCreateCommandQueue(owner->handles.context, owner->handles.device, properties, code);
    if (made->queue)
        return (cl_command_queue)made;
    drua_free(made);
    return NULL;
}

static cl_int release_queue(cl_command_queue queue)
{
    const cl_int code = drua_opencl_load()->clReleaseCommandQueue(((lane *)queue)->queue);
    drua_free((lane *)queue);
    return code;
}

static const char *vkfft_version(void)
{
    static _Thread_local char text[32];
    int number = VkFFTGetVersion();
    snprintf(text, sizeof text, "VkFFT %d.%d.%d", number / 10000, number / 100 % 100, number % 100);
    return text;
}

static bool shape_is_smooth(drua_shape s)
{
    return fft_is_smooth(s.width) && fft_is_smooth(s.height) && fft_is_smooth(s.depth);
}

/* Longer transforms access memory out of bounds. VkFFT computes large prime extents at twice their length. */
static bool is_short(int64_t extent)
{
    return extent <= (fft_is_smooth(extent) ? LONGEST : LONGEST / 2);
}

/* Intel's compiler for CPUs crashes on the kernels of extents that are not smooth. */
static bool vkfft_serves(const drua_device *device, drua_shape shape)
{
    const drua_device_info *info = drua_device_get_info(device);
    if (!is_short(shape.width) || !is_short(shape.height) || !is_short(shape.depth))
        return false;
    return shape_is_smooth(shape) || info->is_gpu || !strstr(info->platform, "Intel");
}

/*
 * Returns the number of contiguous bytes that a kernel along y or z reads; 0: the library's own choice. More bytes are
 * faster as long as a line of them fits into local memory. Fewer bytes are better than two kernels per axis, because a
 * convolution with two kernels per axis cannot be fused. Measured only on an H200.
 */
static uint64_t side_by_side(const drua_device *device, drua_shape s)
{
    const drua_device_info *info = drua_device_get_info(device);
    const uint64_t longest = (uint64_t)(s.height > s.depth ? s.height : s.depth);
    if (!info->is_gpu || !strstr(info->platform, "NVIDIA"))
        return 0;
    if (longest >= 512 && longest * 64 <= info->local_memory)
        return 64;
    return longest * 32 > info->local_memory && longest * 16 <= info->local_memory ? 16 : 0;
}

static VkFFTConfiguration configure_vkfft(vkfft_state *p)
{
    VkFFTConfiguration c;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < AXES; i++)
        if (p->shape.extent[i] > 1)
            c.size[c.FFTdim++] = (uint64_t)p->shape.extent[i];
    c.performR2C = p->shape.width > 1;
    if (c.performR2C)
        c.bufferStride[0] = (uint64_t)drua_fft_image(p->shape).row / 2;
    c.normalize = 1;
    c.device = &p->as_device;
    c.context = &p->as_context;
    c.bufferSize = &p->bytes;
    c.coalescedMemory = side_by_side(p->device, p->shape);
    c.useUint64 = p->bytes / sizeof(float) > INT32_MAX;
    return c;
}

/* VkFFT would keep an image's memory until the transform is discarded, so each use borrows it from the engine. */
static void give_temporary_back(vkfft_state *p, program *made)
{
    VkFFTConfiguration *c = &made->application.configuration;
    if (!c->allocateTempBuffer)
        return;
    made->temporary = c->tempBufferSize[0];
    give_back(p, c->tempBuffer[0]);
    free(c->tempBuffer);
    c->tempBuffer = NULL;
    c->allocateTempBuffer = 0;
    c->userTempBuffer = 1;
}

static void delete_program(program *made)
{
    uint64_t *size = made->temporary ? made->application.configuration.tempBufferSize : NULL;
    deleteVkFFT(&made->application);
    free(size);
}

/* Prepares VkFFT's programs. A transform that is computed by a longer one launches kernels for its tables here. */
static drua_status initialize_program(vkfft_state *p, program *made, VkFFTConfiguration configuration)
{
    p->has_no_memory = false;
    drua_signals_save();
    VkFFTResult result = initializeVkFFT(&made->application, configuration);
    drua_signals_restore();
    made->made = result == VKFFT_SUCCESS;
    if (made->made)
        give_temporary_back(p, made);
    return made->made ? DRUA_OK : fail_by_result(p, result, "has no transform for");
}

static void vkfft_discard(void *state)
{
    vkfft_state *p = state;
    program *all[] = {&p->transform, &p->convolution[0], &p->convolution[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->made)
            delete_program(all[i]);
    release_the_rest(p);
    drua_free(p);
}

/* The fused kernel needs at least two axes, each transformed by one kernel. */
static bool can_convolve(vkfft_state *p)
{
    const VkFFTConfiguration *c = &p->transform.application.configuration;
    bool can =
        VkFFTGetVersion() <= LAST_WITH_CONVOLUTION && c->performR2C && c->FFTdim > 1 && shape_is_smooth(p->shape);
    for (uint64_t i = 0; can && i < c->FFTdim; i++)
        can = p->transform.application.localFFTPlan->numAxisUploads[i] == 1;
    return can;
}

static drua_status make_convolution(void *state)
{
    vkfft_state *p = state;
    if (!can_convolve(p))
        return drua_fail(DRUA_E_UNSUPPORTED, "%s cannot fuse the passes of a convolution of this extent",
                         vkfft_version());
    const drua_layout work = drua_fft_image(p->shape);
    for (int correlate = 0; correlate < 2; correlate++) {
        VkFFTConfiguration c = configure_vkfft(p);
        if (p->convolution[correlate].made)
            continue;
        c.performConvolution = 1;
        c.conjugateConvolution = correlate ? 2 : 0;
        c.coordinateFeatures = c.numberKernels = 1;
        c.kernelSize = c.inputBufferSize = &p->bytes;
        c.isInputFormatted = 1;
        c.inputBufferStride[0] = (uint64_t)work.row;
        c.inputBufferStride[1] = (uint64_t)(p->shape.height > 1 ? work.plane : work.plane * p->shape.depth);
        c.inputBufferStride[2] = (uint64_t)(work.plane * p->shape.depth);
        DRUA_TRY(initialize_program(p, &p->convolution[correlate], c));
    }
    return DRUA_OK;
}

static drua_status make_vkfft(drua_device *device, drua_shape shape, bool convolves, bool later, void **state)
{
    const drua_layout work = drua_fft_image(shape);
    vkfft_state *p = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    p->device = device;
    p->handles = drua_device_handles(device);
    p->as_context = (cl_context)p;
    p->as_device = (cl_device_id)p;
    p->engine = (lane){p, p->handles.queue};
    p->as_queue = (cl_command_queue)&p->engine;
    p->shape = shape;
    p->bytes = (uint64_t)work.plane * (uint64_t)shape.depth * sizeof(float);
    p->later = later;
    drua_status status = initialize_program(p, &p->transform, configure_vkfft(p));
    if (status == DRUA_OK && later && convolves && can_convolve(p))
        make_convolution(p);
    p->later = false;
    if (status != DRUA_OK) {
        vkfft_discard(p);
        return status;
    }
    *state = p;
    return DRUA_OK;
}

static bool is_ready(void *state)
{
    const vkfft_state *p = state;
    bool ready = true;
    for (const creation *c = p->creations; c; c = c->next)
        ready = ready && (!c->made || drua_jit_ask(c->made) != DRUA_JIT_BUILDING);
    return ready;
}

static drua_status place_buffer(const drua_device *device, program *q, int which, drua_buffer *buffer, cl_mem **at)
{
    cl_mem memory;
    DRUA_TRY(drua_buffer_handle(buffer, &memory));
    const uint64_t generation = drua_device_generation(device);
    if (q->slot[which][q->next[which]] != memory || q->generation[which] != generation) {
        q->generation[which] = generation;
        q->next[which] ^= 1;
        q->slot[which][q->next[which]] = memory;
    }
    *at = &q->slot[which][q->next[which]];
    return DRUA_OK;
}

static drua_status send_transform(vkfft_state *p, program *q, int direction, VkFFTLaunchParams *parameters)
{
    const bool compiles = !drua_device_get_info(p->device)->is_gpu && !q->was_sent[direction > 0];
    parameters->commandQueue = &p->as_queue;
    p->has_no_memory = false;
    if (compiles)
        DRUA_TRY(drua_launches_begin());
    VkFFTResult result = VkFFTAppend(&q->application, direction, parameters);
    if (compiles)
        drua_launches_end(p->device, p->handles.queue);
    q->was_sent[direction > 0] = result == VKFFT_SUCCESS;
    return result == VKFFT_SUCCESS ? DRUA_OK : fail_by_result(p, result, "could not send a transform of");
}

static drua_status send_with_temporary(vkfft_state *p, program *q, int direction, VkFFTLaunchParams *parameters)
{
    drua_buffer *temporary;
    if (!q->temporary)
        return send_transform(p, q, direction, parameters);
    DRUA_TRY(drua_buffer_make(p->device, q->temporary, &temporary));
    drua_status status = drua_buffer_pin(temporary);
    if (status == DRUA_OK) {
        status = place_buffer(p->device, q, TEMPORARY, temporary, &parameters->tempBuffer);
        if (status == DRUA_OK)
            status = send_transform(p, q, direction, parameters);
        drua_buffer_unpin(temporary);
    }
    drua_buffer_release(temporary);
    return status;
}

static drua_status vkfft_transform(void *state, drua_buffer *work, bool inverse)
{
    vkfft_state *p = state;
    VkFFTLaunchParams parameters;
    memset(&parameters, 0, sizeof parameters);
    DRUA_TRY(place_buffer(p->device, &p->transform, BUFFER, work, &parameters.buffer));
    return send_with_temporary(p, &p->transform, inverse ? 1 : -1, &parameters);
}

static drua_status vkfft_convolve(void *state, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate)
{
    vkfft_state *p = state;
    program *q = &p->convolution[correlate];
    VkFFTLaunchParams parameters;
    memset(&parameters, 0, sizeof parameters);
    DRUA_TRY(place_buffer(p->device, q, BUFFER, to, &parameters.buffer));
    DRUA_TRY(place_buffer(p->device, q, INPUT_BUFFER, from, &parameters.inputBuffer));
    DRUA_TRY(place_buffer(p->device, q, KERNEL, kernel, &parameters.kernel));
    return send_with_temporary(p, q, -1, &parameters);
}

const fft_provider fft_vkfft = {
    .name = "vkfft",
    .number = 0,
    .is_quick = true,
    .version = vkfft_version,
    .serves = vkfft_serves,
    .make = make_vkfft,
    .is_ready = is_ready,
    .discard = vkfft_discard,
    .transform = vkfft_transform,
    .make_convolution = make_convolution,
    .convolve = vkfft_convolve,
};
