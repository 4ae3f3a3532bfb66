/* SPDX-License-Identifier: BSD-3-Clause */
/* The address of a device, which does not depend on its place in the list. Schedulers assign GPUs by such addresses. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

/* Queries of vendor extensions, which some systems' headers lack. */
enum { PCI_KHR = 0x410F, BUS_NV = 0x4008, SLOT_NV = 0x4009, DOMAIN_NV = 0x400A, TOPOLOGY_AMD = 0x4037 };

typedef struct place {
    cl_uint domain, bus, device, function;
} place;

static bool ask_khr(const drua_opencl *cl, cl_device_id id, place *at)
{
    return cl->clGetDeviceInfo(id, PCI_KHR, sizeof *at, at, NULL) == CL_SUCCESS;
}

static bool ask_nvidia(const drua_opencl *cl, cl_device_id id, place *at)
{
    cl_uint slot = 0;
    at->domain = 0;
    cl->clGetDeviceInfo(id, DOMAIN_NV, sizeof at->domain, &at->domain, NULL);
    if (cl->clGetDeviceInfo(id, BUS_NV, sizeof at->bus, &at->bus, NULL) != CL_SUCCESS ||
        cl->clGetDeviceInfo(id, SLOT_NV, sizeof slot, &slot, NULL) != CL_SUCCESS)
        return false;
    at->device = slot >> 3;
    at->function = slot & 7;
    return true;
}

static bool ask_amd(const drua_opencl *cl, cl_device_id id, place *at)
{
    enum { PCIE = 1, BUS = 21, DEVICE, FUNCTION, BYTES };
    union {
        cl_uint kind;
        unsigned char bytes[BYTES];
    } t = {0};
    if (cl->clGetDeviceInfo(id, TOPOLOGY_AMD, sizeof t, &t, NULL) != CL_SUCCESS || t.kind != PCIE)
        return false;
    *at = (place){0, t.bytes[BUS], t.bytes[DEVICE], t.bytes[FUNCTION]};
    return true;
}

void drua_device_find_address(const drua_opencl *cl, cl_device_id id, unsigned platform, unsigned number,
                              const drua_device_info *info, char *address, size_t size)
{
    const char *known = info->extensions;
    place at;
    if ((strstr(known, "cl_khr_pci_bus_info") && ask_khr(cl, id, &at)) ||
        (strstr(known, "cl_nv_device_attribute_query") && ask_nvidia(cl, id, &at)) ||
        (strstr(known, "cl_amd_device_attribute_query") && ask_amd(cl, id, &at)))
        snprintf(address, size, "%04x:%02x:%02x.%x", at.domain & 0xffff, at.bus & 0xff, at.device & 0xff,
                 at.function & 0xf);
    else
        snprintf(address, size, "cl:%02u.%02u", platform & 0xff, number & 0xff);
}
