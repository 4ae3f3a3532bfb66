/* SPDX-License-Identifier: BSD-3-Clause */
/* A device of another computer, described by its memory: pipelines can be planned for it, but it computes nothing. */
#include "internal.h"

#include "alloc.h"
#include "error.h"

drua_status drua_device_describe_absent(uint64_t memory, drua_device **out)
{
    enum { LEAST_SHARE = 4 }; /* OpenCL lets one allocation take at least this part of the memory */
    drua_device *device = drua_alloc(sizeof *device);
    if (!device)
        return drua_fail_memory(sizeof *device);
    device->info = (drua_device_info){.name = "a device of another computer",
                                      .platform = "",
                                      .driver = "",
                                      .version = "",
                                      .extensions = "",
                                      .address = "",
                                      .is_gpu = 1,
                                      .global_memory = memory,
                                      .largest_allocation = memory / LEAST_SHARE};
    drua_device_init(device);
    drua_status status = drua_device_set_budget(device, NULL);
    if (status == DRUA_OK)
        status = drua_device_index_sources(device);
    if (status == DRUA_OK)
        *out = device;
    else
        drua_device_close(device);
    return status;
}

drua_status drua_device_check_present(const drua_device *device)
{
    return device->cl
               ? DRUA_OK
               : drua_fail(DRUA_E_NO_DEVICE, "this step computes pixels, but this computer has no OpenCL device; "
                                             "run it on a computer with a device");
}
