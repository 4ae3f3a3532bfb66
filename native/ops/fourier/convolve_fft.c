/* SPDX-License-Identifier: BSD-3-Clause */
#include "box.h"
#include "plan_fft.h"

#include "../measure/reduction.h"

/* Returns the scale that gives a kernel the sum 1. Waits for the device. */
static double scale_of(drua_plan *p, drua_view kernel)
{
    if (!plan_flag(p, "normalize"))
        return 1;
    const double sum = reduction_sum(p, kernel);
    if (!isfinite(sum) || sum == 0)
        plan_fail(p, "convolution_kernel must have a sum that is not 0 to be normalised, got %g; set normalize = 0",
                  sum);
    return 1 / sum;
}

static void launch_convolve_fft(drua_plan *p)
{
    const drua_shape image = plan_shape(p, "source");
    const int edges = plan_choice(p, "edges");
    const fourier_box box = fourier_box_around(image, plan_shape(p, "convolution_kernel"), edges);
    drua_view source = plan_image(p, "source"), kernel = plan_image(p, "convolution_kernel");
    fourier_check_memory(p, box, 2);
    const double scale = plan_failed(p) ? 1 : scale_of(p, kernel);
    plan_fft_prepare(p, box.shape, true);
    drua_view spectrum = fourier_kernel(p, box, kernel, scale), filled = fourier_place(p, box, source, edges);
    plan_fft_convolve(p, filled, spectrum, filled, plan_flag(p, "correlate"));
    plan_copy(p, fourier_crop(filled, box, image), plan_image(p, "destination"), 0, 0, 0);
}

/* A tile reads half of the kernel's extent around it. At the edges of a periodic image, it reads the opposite side. */
static void parts_convolve_fft(drua_plan *p, drua_parts *parts)
{
    const drua_shape kernel = plan_shape(p, "convolution_kernel");
    const int64_t halo[] = {kernel.width / 2, kernel.height / 2, kernel.depth / 2};
    const bool periodic = plan_choice(p, "edges") == EDGES_PERIODIC;
    for (int axis = 0; axis < 3; axis++) {
        parts->halo[axis] = halo[axis];
        parts->axis[axis] = periodic ? -1 : axis;
    }
    parts->columns = !periodic;
    parts->equal_extents = true;
}

static drua_operand call_crop(drua_plan *p, drua_operand image, const int64_t first[3], const int64_t size[3])
{
    return CALL(p, "crop", DRUA_NO_TYPE, image, NUMBER((double)first[0]), NUMBER((double)first[1]),
                NUMBER((double)first[2]), NUMBER((double)size[0]), NUMBER((double)size[1]), NUMBER((double)size[2]));
}

/* A periodic image, once padded with its opposite sides, is convolved like any other image. */
static void large_convolve_fft(drua_plan *p)
{
    static const char *const joins[] = {"combine_horizontally", "combine_vertically", "concatenate_stacks"};
    const drua_shape s = plan_shape(p, "source"), k = plan_shape(p, "convolution_kernel");
    const int64_t *own = s.extent, room[] = {k.width / 2, k.height / 2, k.depth / 2};
    int64_t size[] = {s.width, s.height, s.depth};
    drua_operand image = plan_operand(p, "source");
    if (plan_choice(p, "edges") != EDGES_PERIODIC || room[0] > own[0] || room[1] > own[1] || room[2] > own[2])
        plan_fail_memory(p,
                         "needs room for convolution_kernel of %lld x %lld x %lld around each part of the image; crop "
                         "the kernel, or release images",
                         (long long)k.width, (long long)k.height, (long long)k.depth);
    for (int axis = 0; axis < 3 && !plan_failed(p); axis++) {
        int64_t first[3] = {0}, ends[] = {size[0], size[1], size[2]};
        if (room[axis] == 0)
            continue;
        ends[axis] = room[axis];
        const drua_operand after = call_crop(p, image, first, ends);
        first[axis] = own[axis] - room[axis];
        const drua_operand before = call_crop(p, image, first, ends);
        image = CALL(p, joins[axis], DRUA_NO_TYPE, CALL(p, joins[axis], DRUA_NO_TYPE, before, image), after);
        size[axis] += 2 * room[axis];
    }
    const drua_operand wide = CALL(p, "convolve_fft", DRUA_FLOAT32, image, plan_operand(p, "convolution_kernel"),
                                   NUMBER(plan_flag(p, "correlate")), NUMBER(plan_flag(p, "normalize")), TEXT("zero"));
    if (!plan_failed(p))
        plan_return(p, "destination", call_crop(p, wide, room, own));
}

DRUA_OP(convolve_fft) = {
    .name = "convolve_fft",
    .category = "fourier",
    .summary = "Convolves an image with a kernel of any size; by default, the image does not wrap around at its edges.",
    .source = "product of Fourier transforms; the kernel's centre is half of its extent, rounded down",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to convolve"),
                DRUA_IMAGE_WHOLE("convolution_kernel", "kernel, for example a point spread function"),
                DRUA_IMAGE_OUT("destination", "convolved image", .type = DRUA_FLOAT32),
                DRUA_BOOLEAN("correlate", "computes a correlation: the kernel is not mirrored", .default_value = 0),
                DRUA_BOOLEAN("normalize", "scales the kernel so that its sum is 1", .default_value = 1),
                DRUA_CHOICE("edges", "surroundings of the image", .default_text = "zero",
                            DRUA_CHOICES("zero", "repeat", "mirror", "periodic"))),
    DRUA_ALIASES("CLIJx convolveFFT: source, convolution_kernel, &destination, correlate, normalize=0",
                 "CLIJx convolveFFT: source, convolution_kernel, &destination, normalize=0"),
    .numeric = DRUA_APPROXIMATE,
    .launch = launch_convolve_fft,
    .parts = parts_convolve_fft,
    .build_large = large_convolve_fft,
};
