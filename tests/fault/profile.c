/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct profile {
    const char *name;
    cl_device_type type;    /* 0: the device's own type */
    cl_ulong memory, block, local;
    /*
     * largest number of work-items per group, in general (`group`) and for kernels whose work-items do not cooperate
     * (`alone`)
     */
    size_t group, alone;
} profile;

static const profile profiles[] = {{"small", 0, 1u << 30, 128u << 20, 32u << 10, 256, 128},
                                   {"apple", CL_DEVICE_TYPE_GPU, 1u << 31, 512u << 20, 32u << 10, 256, 256}};

static const profile *chosen;

static void choose_profile(void)
{
    const char *wanted = getenv("DRUA_PROFILE");
    for (size_t i = 0; wanted && i < sizeof profiles / sizeof *profiles; i++)
        if (!strcmp(profiles[i].name, wanted))
            chosen = &profiles[i];
    if (wanted && !chosen) {
        fprintf(stderr, "shim: there is no profile '%s'\n", wanted);
        abort();
    }
}

static const profile *profile_here(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose_profile);
    return chosen;
}

static bool answer(const void *bytes, size_t length, size_t size, void *value, size_t *used, cl_int *code)
{
    *code = value && size < length ? CL_INVALID_VALUE : CL_SUCCESS;
    if (value && *code == CL_SUCCESS)
        memcpy(value, bytes, length);
    if (used)
        *used = length;
    return true;
}

bool profile_tell(cl_device_info what, size_t size, void *value, size_t *used, cl_int *code)
{
    static const char
        version[] = "OpenCL 1.2 limited",
        language[] = "OpenCL C 1.2",
        extensions[] =
            "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
            "cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store";
    const profile *p = profile_here();
    if (!p)
        return false;
    const cl_bool no = CL_FALSE;
    const cl_device_fp_config none = 0, single = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    const size_t axes[3] = {p->group, p->group, p->group};
    switch (what) {
#define ANSWER(name, bytes) case name: return answer(bytes, sizeof(bytes), size, value, used, code)
#define NUMBER(name, number) case name: return answer(&(number), sizeof(number), size, value, used, code)
        ANSWER(CL_DEVICE_VERSION, version);
        ANSWER(CL_DEVICE_OPENCL_C_VERSION, language);
        ANSWER(CL_DEVICE_EXTENSIONS, extensions);
        ANSWER(CL_DEVICE_MAX_WORK_ITEM_SIZES, axes);
        NUMBER(CL_DEVICE_MAX_WORK_GROUP_SIZE, p->group);
        NUMBER(CL_DEVICE_GLOBAL_MEM_SIZE, p->memory);
        NUMBER(CL_DEVICE_MAX_MEM_ALLOC_SIZE, p->block);
        NUMBER(CL_DEVICE_LOCAL_MEM_SIZE, p->local);
        NUMBER(CL_DEVICE_IMAGE_SUPPORT, no);
        NUMBER(CL_DEVICE_DOUBLE_FP_CONFIG, none);
        NUMBER(CL_DEVICE_SINGLE_FP_CONFIG, single);
#undef ANSWER
#undef NUMBER
    case CL_DEVICE_TYPE:
        return p->type && answer(&p->type, sizeof p->type, size, value, used, code);
    default:
        return false;
    }
}

long long profile_block(void)
{
    return profile_here() ? (long long)profile_here()->block : 0;
}

long long profile_memory(void)
{
    return profile_here() ? (long long)profile_here()->memory : 0;
}

/*
 * Kernels without local memory count as kernels whose work-items do not cooperate, except those that declare their
 * group size.
 */
static size_t max_items(const profile *p, cl_kernel kernel, cl_device_id device)
{
    cl_ulong bytes = 0;
    size_t needed[3] = {0};
    REAL(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    REAL(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof needed, needed, NULL);
    return bytes || needed[0] ? p->group : p->alone;
}

cl_int profile_launch(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *local)
{
    const profile *p = profile_here();
    cl_device_id device;
    cl_ulong bytes = 0;
    size_t items = 1;
    for (cl_uint i = 0; p && local && i < axes; i++)
        items *= local[i];
    if (!p)
        return CL_SUCCESS;
    REAL(clGetCommandQueueInfo)(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    REAL(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    const size_t max = max_items(p, kernel, device);
    if (items <= max && bytes <= p->local)
        return CL_SUCCESS;
    char name[128] = "";
    REAL(clGetKernelInfo)(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    fprintf(stderr, "shim: %s refuses %s: %zu of %zu work-items, %zu of %zu bytes\n", p->name, name, items, max,
            (size_t)bytes, (size_t)p->local);
    return items > max ? CL_INVALID_WORK_GROUP_SIZE : CL_OUT_OF_RESOURCES;
}

void profile_lessen(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, void *value)
{
    const profile *p = profile_here();
    if (p && value && what == CL_KERNEL_WORK_GROUP_SIZE)
        *(size_t *)value = max_items(p, kernel, device);
}

bool profile_refuses(const char *options)
{
    return profile_here() && options &&
           (strstr(options, "-cl-fp32-correctly-rounded-divide-sqrt") || strstr(options, "-cl-std=CL2") ||
            strstr(options, "-cl-std=CL3"));
}

const char *profile_prologue(void)
{
    return profile_here() ? "#undef cl_khr_fp64\n"
                            "#undef cl_khr_int64_base_atomics\n"
                            "#undef cl_khr_int64_extended_atomics\n"
                            "#define double this_device_has_no_double\n"
                            "#define image2d_t this_device_has_no_images\n"
                            "#define image3d_t this_device_has_no_images\n"
                            "#line 1\n"
                          : "";
}

const char *profile_options(void)
{
    return profile_here() ? " -cl-single-precision-constant" : "";
}
