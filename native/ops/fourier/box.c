/* SPDX-License-Identifier: BSD-3-Clause */
#include "box.h"
#include "plan_fft.h"

#include "../measure/reduction.h"

static int64_t padded_extent(int64_t image, int64_t kernel)
{
    return plan_fft_extent(image + 2 * (kernel / 2));
}

/* Rounds up to an even width, which halves the work of transforming the rows. */
static int64_t padded_row(int64_t image, int64_t kernel)
{
    const int64_t min = image + 2 * (kernel / 2);
    return min == 1 ? 1 : 2 * plan_fft_extent((min + 1) / 2);
}

fourier_box fourier_box_around(drua_shape image, drua_shape kernel, int edges)
{
    if (edges == EDGES_PERIODIC)
        return (fourier_box){.shape = {image.width, image.height, image.depth, 3}};
    fourier_box box = {.shape = {padded_row(image.width, kernel.width), padded_extent(image.height, kernel.height),
                                 padded_extent(image.depth, kernel.depth), 3}};
    for (int axis = 0; axis < 3; axis++)
        box.at[axis] = (box.shape.extent[axis] - image.extent[axis]) / 2;
    return box;
}

drua_view fourier_place(drua_plan *plan, fourier_box box, drua_view image, int edges)
{
    drua_view filled = plan_fft_scratch(plan, box.shape);
    LAUNCH(plan, "fourier_place", plan_grid(filled.layout), ARG(image), ARG(filled), INT(box.at[0]), INT(box.at[1]),
           INT(box.at[2]), INT(edges));
    return filled;
}

drua_view fourier_kernel(drua_plan *plan, fourier_box box, drua_view kernel, double scale)
{
    const drua_layout l = kernel.layout;
    drua_view spectrum = plan_fft_scratch(plan, box.shape);
    LAUNCH(plan, "fourier_place_kernel", plan_grid(spectrum.layout), ARG(kernel), ARG(spectrum), INT(l.width / 2),
           INT(l.height / 2), INT(l.depth / 2), REAL(scale));
    plan_fft_forward(plan, spectrum);
    return spectrum;
}

drua_view fourier_crop(drua_view filled, fourier_box box, drua_shape image)
{
    drua_layout *l = &filled.layout;
    for (int axis = 0; axis < 3; axis++) {
        l->offset += box.at[axis] * l->stride[axis];
        l->extent[axis] = (int32_t)image.extent[axis];
    }
    return filled;
}

void fourier_check_numbers(drua_plan *plan, const char *name)
{
    if (!isfinite(reduction_sum(plan, plan_image(plan, name))))
        plan_fail(plan, "%s has pixels that are NaN or infinite; replace them first", name);
}

void fourier_check_memory(drua_plan *plan, fourier_box box, int boxes)
{
    const drua_device_info *device = plan_device(plan);
    const uint64_t each = plan_fft_bytes(box.shape), left = plan_memory_left(plan);
    if (each > device->largest_allocation)
        plan_fail_memory(plan,
                         "needs memory blocks of %.1f MB for the image padded for its kernel, %lld x %lld x %lld, but "
                         "%s allows at most %.1f MB; crop the image or the kernel",
                         (double)each / 1e6, (long long)box.shape.width, (long long)box.shape.height,
                         (long long)box.shape.depth, device->name, (double)device->largest_allocation / 1e6);
    else if (each > left / (uint64_t)boxes)
        plan_fail_memory(plan,
                         "needs %.1f MB for %d images of %lld x %lld x %lld, padded for the kernel, but %s has %.1f MB "
                         "left; crop the image or the kernel, or release images",
                         (double)each / 1e6 * boxes, boxes, (long long)box.shape.width, (long long)box.shape.height,
                         (long long)box.shape.depth, device->name, (double)left / 1e6);
}
