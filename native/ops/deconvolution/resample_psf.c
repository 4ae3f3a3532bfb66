/* SPDX-License-Identifier: BSD-3-Clause */
#include "sampling.h"

#include "richardson_lucy.h"

void psf_resampled_shape(drua_plan *p, psf_ratios r, drua_shape *shape)
{
    enum { LIMIT = 4096 };
    *shape = plan_shape(p, "psf");
    const drua_shape before = *shape;
    for (int axis = 0; axis < 3; axis++) {
        const double extent = 2 * floor((double)(before.extent[axis] / 2) / r.along[axis] + 0.5) + 1;
        if (!(extent <= LIMIT))
            plan_fail(
                p, "the psf would be %.10g pixels long, but the limit is %d; check that all sizes have the same unit",
                extent, LIMIT);
        shape->extent[axis] = extent <= LIMIT ? (int64_t)extent : 1;
    }
    if (plan_failed(p))
        return;
    if (before.width * before.height > 1 && shape->width * shape->height == 1)
        plan_fail(p, "the psf would be a single pixel of the image and could not remove any blur; check that all sizes "
                     "have the same unit");
    else if (before.depth > 1 && shape->depth == 1)
        plan_fail(p,
                  "the psf's %lld slices would become a single slice and could not remove blur along z; check that all "
                  "sizes have the same unit; if they have, pass one slice of the psf",
                  (long long)before.depth);
}

/* Sets negative values to 0 and restores the sum that the psf had before resampling. */
static void keep_light(drua_plan *p, const psf_pixels *before, drua_view image)
{
    const drua_layout *l = &image.layout;
    const size_t count = (size_t)l->width * (size_t)l->height * (size_t)l->depth;
    float *pixels = plan_host_memory(p, count * sizeof *pixels);
    double due = 0, sum = 0;
    plan_read(p, image, pixels, count * sizeof *pixels);
    if (plan_failed(p))
        return;
    for (size_t i = 0; i < before->count; i++)
        due += before->v[i];
    for (size_t i = 0; i < count; i++)
        sum += pixels[i] = fmaxf(pixels[i], 0);
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)(pixels[i] * (due / sum));
    plan_write(p, image, pixels);
}

void psf_resample(drua_plan *p, const psf_pixels *pixels, const double *centre, psf_ratios r)
{
    const drua_view to = plan_image(p, "destination");
    drua_view from = plan_image(p, "psf");
    drua_shape shape = pixels->shape;
    for (int axis = 0; axis < 3; axis++) {
        shape.extent[axis] = to.layout.extent[axis];
        const drua_view next = plan_scratch(p, shape, DRUA_FLOAT32);
        LAUNCH(p, "psf_resample", plan_grid(next.layout), ARG(from), ARG(next), INT(axis), REAL(centre[axis]),
               REAL(r.along[axis]));
        from = next;
    }
    keep_light(p, pixels, from);
    plan_copy(p, from, to, 0, 0, 0);
}

static psf_ratios given_ratios(drua_plan *p)
{
    const double pixel = plan_number(p, "image_pixel") / plan_number(p, "psf_pixel");
    return (psf_ratios){{pixel, pixel, plan_number(p, "image_slice") / plan_number(p, "psf_slice")}};
}

static void resampled_shape(drua_plan *p, drua_shape *shape)
{
    psf_resampled_shape(p, given_ratios(p), shape);
}

static void launch_resample_psf(drua_plan *p)
{
    const drua_view psf = plan_image(p, "psf");
    rl_check_psf(p, psf);
    const psf_pixels a = psf_read(p, psf);
    const drua_shape s = a.shape;
    const double middle[] = {(double)(s.width / 2), (double)(s.height / 2), (double)(s.depth / 2)};
    psf_resample(p, &a, plan_flag(p, "centre") ? a.centre : middle, given_ratios(p));
}

#define SIZE(name, doc) DRUA_NUMBER(name, doc, .unit = "um", DRUA_RANGE(0.0001, 1000), .default_value = 0.1)

DRUA_OP(resample_psf) = {
    .name = "resample_psf",
    .category = "deconvolution",
    .summary = "Resamples a point spread function from its pixel size to the image's, and centres its light.",
    .source = "sinc in Kaiser's window (beta 8, six zeros on each side), as wide as the coarser pixel, so that the psf "
              "keeps its width; pixels outside and negative values become 0; the psf keeps its sum",
    DRUA_PARAMS(DRUA_IMAGE_IN("psf", "point spread function"),
                DRUA_IMAGE_OUT("destination", "psf with the pixel size of the image; its extents are odd",
                               .shape = resampled_shape, .type = DRUA_FLOAT32),
                SIZE("psf_pixel", "pixel of the psf"), SIZE("psf_slice", "slice distance of the psf"),
                SIZE("image_pixel", "pixel of the image"), SIZE("image_slice", "slice distance of the image"),
                DRUA_BOOLEAN("centre", "moves the centre of light around the brightest pixel to the middle",
                             .default_value = 1)),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_resample_psf,
};
