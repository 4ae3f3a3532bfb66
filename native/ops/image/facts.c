/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about an image or the device that do not depend on pixel values, so no deferred operation has to run. */
#include "plan.h"

static void image_size(drua_plan *p)
{
    static const char *const headings[] = {"Width", "Height", "Depth"};
    drua_shape shape = plan_shape(p, "source");
    const double row[] = {(double)shape.width, (double)shape.height, (double)shape.depth};
    plan_set_table(p, headings, shape.dimension == 3 ? 3 : 2, row, 1);
}

DRUA_OP(image_size) = {
    .name = "image_size",
    .category = "measurement",
    .summary = "Writes the width and height of an image, and the depth of a stack, into a table.",
    .source = "the extent of the image",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"),
                DRUA_TABLE_OUT("table", "one row: Width, Height and for a stack Depth")),
    DRUA_ALIASES("CLIJ2/CLIJx getSize: source"),
    .numeric = DRUA_EXACT,
    .build = image_size,
};

static void get_dimensions(drua_plan *p)
{
    drua_shape shape = plan_shape(p, "source");
    plan_set_number(p, "width", (double)shape.width);
    plan_set_number(p, "height", (double)shape.height);
    plan_set_number(p, "depth", (double)shape.depth);
}

DRUA_OP(get_dimensions) = {
    .name = "get_dimensions",
    .category = "measurement",
    .summary = "Returns the width, height and depth of an image; the depth of a plane is 1.",
    .source = "the extent of the image",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"), DRUA_NUMBER_OUT("width", "columns"),
                DRUA_NUMBER_OUT("height", "rows"), DRUA_NUMBER_OUT("depth", "slices")),
    DRUA_ALIASES("CLIJ2/CLIJx getDimensions: source, &width, &height, &depth"),
    .numeric = DRUA_EXACT,
    .build = get_dimensions,
};

static void get_gpu_properties(drua_plan *p)
{
    const drua_device_info *device = plan_device(p);
    plan_set_text(p, "name", device->name);
    plan_set_number(p, "global_memory", (double)device->global_memory);
    plan_set_number(p, "opencl_version", device->opencl_version);
}

DRUA_OP(get_gpu_properties) = {
    .name = "get_gpu_properties",
    .category = "measurement",
    .summary = "Returns the device's name, its memory and its version of OpenCL.",
    .source = "properties that the OpenCL driver reports",
    DRUA_PARAMS(DRUA_TEXT_OUT("name", "name of the device"), DRUA_NUMBER_OUT("global_memory", "memory in bytes"),
                DRUA_NUMBER_OUT("opencl_version", "version of OpenCL, such as 1.2 or 3")),
    DRUA_ALIASES("CLIJ2/CLIJx getGPUProperties: &name, &global_memory, &opencl_version"),
    .numeric = DRUA_EXACT,
    .build = get_gpu_properties,
};

static void memory_used(drua_plan *p) { plan_set_number(p, "bytes", (double)plan_statistics(p)->device_bytes); }
static void memory_budget(drua_plan *p) { plan_set_number(p, "bytes", (double)plan_statistics(p)->budget_bytes); }
static void memory_on_host(drua_plan *p) { plan_set_number(p, "bytes", (double)plan_statistics(p)->host_bytes); }

#define MEMORY(name_, summary_)                                                                                        \
    {                                                                                                                  \
        .name = #name_, .category = "memory", .summary = summary_, .source = "the engine's own count",                 \
        .numeric = DRUA_EXACT, .build = name_, DRUA_PARAMS(DRUA_NUMBER_OUT("bytes", "number of bytes")),               \
        .aliases = (const char *const[])                                                                               \
        {                                                                                                              \
            NULL                                                                                                       \
        }                                                                                                              \
    }

DRUA_OP(memory_used) = MEMORY(memory_used,
                              "Returns the bytes of device memory that Drua holds, including memory kept for reuse.");
DRUA_OP(memory_budget) = MEMORY(memory_budget, "Tells how many bytes of device memory Drua may hold.");
DRUA_OP(memory_on_host) =
    MEMORY(memory_on_host, "Tells how many bytes of images are on the host because the device has no room for them.");
