/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many work-items a group may have: drivers have limits for the device and along each axis, and lower ones for kernels that need many
 * registers. The size of a group is part of what some kernels compute; for the others it is only a matter of speed.
 */
#include "internal.h"

#include "error.h"

#include <string.h>

bool drua_kernels_have_groups(const char *text)
{
    static const char *const words[] = {"get_local_", "get_group_id", "get_num_groups", "barrier(", "reqd_work_group_size"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

/* What a driver does not tell is no limit. */
static size_t tell(cl_int code, size_t limit)
{
    return code == CL_SUCCESS && limit > 0 ? limit : SIZE_MAX;
}

void drua_kernel_ask_limit(const drua_device *device, drua_kernel *kernel, int width)
{
    size_t most = 0;
    const cl_int code =
        device->cl->clGetKernelWorkGroupInfo(kernel->handle[width], device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    kernel->most_items[width] = tell(code, most);
}

void drua_device_ask_axes(drua_device *device)
{
    size_t most[8] = {0};
    const cl_int code = device->cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof most, most, NULL);
    for (int i = 0; i < 3; i++)
        device->most_along[i] = tell(code, most[i]);
}

static size_t items_of(const int32_t group[3])
{
    return (size_t)group[0] * (size_t)group[1] * (size_t)group[2];
}

bool drua_kernel_allows(const drua_device *device, const drua_kernel *kernel, int width, const int32_t group[3])
{
    for (int i = 0; i < 3; i++)
        if ((size_t)group[i] > device->most_along[i])
            return false;
    return items_of(group) <= kernel->most_items[width];
}

drua_status drua_kernel_fit_group(const drua_device *device, const drua_kernel *kernel, int width, int32_t group[3])
{
    if (drua_kernel_allows(device, kernel, width, group))
        return DRUA_OK;
    if (kernel->has_groups)
        return drua_fail(DRUA_E_DEVICE, "%s runs at most %zu work-items of kernel %.*s in a group, and %zu x %zu x %zu along its axes; the kernel needs %d x %d x %d, "
                         "so use another device", device->info.name, kernel->most_items[width], (int)kernel->length, kernel->name, device->most_along[0],
                         device->most_along[1], device->most_along[2], (int)group[0], (int)group[1], (int)group[2]);
    for (int i = 0; i < 3; i++)
        while ((size_t)group[i] > device->most_along[i])
            group[i] /= 2;
    for (int i = 2; i >= 0; i--)
        while (group[i] > 1 && items_of(group) > kernel->most_items[width])
            group[i] /= 2;
    return DRUA_OK;
}
