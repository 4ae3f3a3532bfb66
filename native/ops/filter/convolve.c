/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolution with an image of weights. Large kernels use a Fourier transform. */
#include "../fourier/box.h"
#include "plan_fft.h"
#include "../measure/reduction.h"
#include "../window/window.h"

/* With more weights than this, a float32 result is computed with a Fourier transform. */
enum { MAX_WEIGHTS = 1000 };

static drua_shape odd_shape(drua_shape s)
{
    return (drua_shape){s.width / 2 * 2 + 1, s.height / 2 * 2 + 1, s.depth / 2 * 2 + 1, 3};
}

/*
 * Returns the weights as float32 with odd extents. For an even extent, CLIJ2 reads one weight past the end and gets the
 * last weight a second time; the result here is the same.
 */
static drua_view weights_of(drua_plan *p)
{
    return window_copy(p, plan_image(p, "convolution_kernel"), odd_shape(plan_shape(p, "convolution_kernel")),
                       (const int32_t[3]){0, 0, 0});
}

/*
 * Whether all pixels are finite. A Fourier transform would spread one infinite pixel or NaN to all pixels. Waits for
 * the device.
 */
static bool is_finite(drua_plan *p, drua_view image)
{
    return isfinite(reduction_sum(p, image));
}

static drua_shape shape_of(drua_view image)
{
    return (drua_shape){image.layout.width, image.layout.height, image.layout.depth, 3};
}

static bool suits_transform(drua_plan *p, drua_view from, drua_view weights, drua_view to)
{
    const drua_shape box = fourier_box_around(shape_of(to), shape_of(weights), EDGES_REPEAT).shape;
    const uint64_t bytes = plan_fft_bytes(box);
    return to.layout.type == DRUA_FLOAT32 && drua_layout_count(&weights.layout) > MAX_WEIGHTS &&
           plan_fft_is_available(p) && bytes <= plan_device(p)->largest_allocation &&
           bytes <= plan_memory_left(p) / 4 && is_finite(p, from) && is_finite(p, weights);
}

static void by_transform(drua_plan *p, drua_view from, drua_view weights, drua_view to)
{
    const fourier_box box = fourier_box_around(shape_of(to), shape_of(weights), EDGES_REPEAT);
    plan_fft_prepare(p, box.shape, true);
    drua_view spectrum = fourier_kernel(p, box, weights, 1), filled = fourier_place(p, box, from, EDGES_REPEAT);
    plan_fft_convolve(p, filled, spectrum, filled, true);
    plan_copy(p, fourier_crop(filled, box, shape_of(to)), to, 0, 0, 0);
}

static void launch_convolve(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination"), weights = weights_of(p);
    if (plan_failed(p))
        return;
    if (suits_transform(p, from, weights, to))
        by_transform(p, from, weights, to);
    else
        window_weigh(p, false, from, weights, to);
}

static void parts_convolve(drua_plan *p, drua_parts *parts)
{
    const drua_shape s = plan_shape(p, "convolution_kernel");
    parts->columns = true;
    parts->halo[0] = s.width / 2;
    parts->halo[1] = s.height / 2;
    parts->halo[2] = s.depth / 2;
}

DRUA_OP(convolve) = {
    .name = "convolve",
    .category = "filter",
    .menu = true,
    .summary = "Weights the neighbours of each pixel with the pixels of a kernel image and sums them up; the kernel is "
               "not mirrored.",
    .source = "sum of pixel (p + i - c) times weight i, c half of the kernel's extent; borders repeated; for even "
              "extents, the last weight counts once more; float32 results of more than 1000 weights by a Fourier "
              "transform, within 1e-6 of the largest pixel times the sum of all weights' absolute values",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"),
                DRUA_IMAGE_WHOLE("convolution_kernel", "weights, their centre at half of the extent"),
                DRUA_IMAGE_OUT("destination", "filtered image", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2 convolve: source, convolution_kernel, &destination"),
    .numeric = DRUA_APPROXIMATE,
    .launch = launch_convolve,
    .parts = parts_convolve,
};
