/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether a point spread function fits an image. Each problem is a line that says what to do. */
#include "check_psf.h"

#include "width.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NEAR = 2, PLATEAU = 4 };

static void place_of(const psf_pixels *a, size_t i, int64_t at[3])
{
    at[0] = (int64_t)i % a->shape.width;
    at[1] = (int64_t)i / a->shape.width % a->shape.height;
    at[2] = (int64_t)i / a->shape.width / a->shape.height;
}

/*
 * Returns the index of the brightest pixel. If several pixels have the same value, as in a saturated image, returns the
 * one nearest to their centre.
 */
static size_t brightest_of(const psf_pixels *a)
{
    double middle[3] = {0}, equal = 0, nearest = INFINITY;
    size_t first = 0, best;
    int64_t at[3];
    for (size_t i = 0; i < a->count; i++)
        first = a->v[i] > a->v[first] ? i : first;
    for (size_t i = first; i < a->count; i++) {
        if (a->v[i] != a->v[first])
            continue;
        place_of(a, i, at);
        equal++;
        for (int n = 0; n < 3; n++)
            middle[n] += (double)at[n];
    }
    best = first;
    for (size_t i = first; i < a->count; i++) {
        if (a->v[i] != a->v[first])
            continue;
        double square = 0;
        place_of(a, i, at);
        for (int n = 0; n < 3; n++)
            square += pow((double)at[n] - middle[n] / equal, 2);
        best = square < nearest ? i : best;
        nearest = fmin(nearest, square);
    }
    return best;
}

psf_pixels psf_read(drua_plan *p, drua_view psf)
{
    psf_pixels a = {.shape = {psf.layout.width, psf.layout.height, psf.layout.depth, 3}};
    const drua_shape s = a.shape;
    a.count = (size_t)(s.width * s.height * s.depth);
    a.v = plan_host_memory(p, a.count * sizeof *a.v);
    plan_read_floats(p, psf, a.v);
    if (plan_failed(p))
        return a;
    const int64_t w = s.width, h = s.height;
    int64_t at[3];
    a.brightest = brightest_of(&a);
    place_of(&a, a.brightest, at);
    double all = 0, moment[3] = {0};
    for (int64_t z = at[2] - NEAR; z <= at[2] + NEAR; z++)
        for (int64_t y = at[1] - NEAR; y <= at[1] + NEAR; y++)
            for (int64_t x = at[0] - NEAR; x <= at[0] + NEAR; x++)
                if (x >= 0 && y >= 0 && z >= 0 && x < w && y < h && z < s.depth) {
                    const double light = fmax((double)a.v[(z * h + y) * w + x], 0);
                    const int64_t place[] = {x, y, z};
                    all += light;
                    for (int n = 0; n < 3; n++)
                        moment[n] += light * (double)(place[n] - at[n]);
                }
    for (int n = 0; n < 3; n++)
        a.centre[n] = (double)at[n] + (all > 0 ? moment[n] / all : 0);
    return a;
}

/* ---- checks */

void psf_add_advice(char *advice, const char *format, ...)
{
    const size_t used = strlen(advice);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(advice + used, PSF_ADVICE - used, format, arguments);
    va_end(arguments);
}

bool psf_differs(double psf, double image)
{
    return psf > 0 && image > 0 && fabs(psf / image - 1) > 0.01;
}

static void check_light(const psf_pixels *a, char *advice)
{
    const float max = a->v[a->brightest];
    size_t equal = 0;
    double rim = 0;
    const drua_shape s = a->shape;
    for (size_t i = 0; i < a->count; i++) {
        const int64_t n = (int64_t)i, x = n % s.width, y = n / s.width % s.height;
        equal += a->v[i] == max;
        if ((s.width > 1 && (x == 0 || x == s.width - 1)) || (s.height > 1 && (y == 0 || y == s.height - 1)))
            rim = fmax(rim, (double)a->v[i]);
    }
    if (equal >= PLATEAU)
        psf_add_advice(
            advice,
            "%zu pixels of the psf have its largest value, %g, so it is saturated: use a dimmer image of a bead.\n",
            equal, (double)max);
    if (rim > 0.02 * max)
        psf_add_advice(
            advice,
            "At its sides, the psf still has %.0f %% of its peak: subtract its background, or use a larger psf.\n",
            100 * rim / max);
}

static void check_centre(const psf_pixels *a, char *advice)
{
    const int64_t middle[] = {a->shape.width / 2, a->shape.height / 2, a->shape.depth / 2};
    for (int n = 0; n < 3; n++)
        if (fabs(a->centre[n] - (double)middle[n]) > 0.5) {
            psf_add_advice(advice,
                           "The psf's light is centred at %.1f, %.1f, %.1f and not at %lld, %lld, %lld: the result "
                           "would be shifted; centre it with resample_psf.\n",
                           a->centre[0], a->centre[1], a->centre[2], (long long)middle[0], (long long)middle[1],
                           (long long)middle[2]);
            return;
        }
}

/* The pixel size must be at most half of the finest detail that the objective passes. */
static void check_sampling(const psf_sampling *o, const psf_pixels *a, char *advice)
{
    const double wavelength = o->wavelength / 1000, min = wavelength / 4 / (o->aperture > 0 ? o->aperture : 1);
    if (wavelength > 0 && o->aperture > 0 && o->image_pixel > min)
        psf_add_advice(advice, "Pixels of %g um lose detail: with this objective they should be %.3g um or less.\n",
                       o->image_pixel, min);
    if (wavelength > 0 && o->aperture > 0 && o->index > o->aperture) {
        const double deep = wavelength / 2 / (o->index - sqrt(o->index * o->index - o->aperture * o->aperture));
        if (o->image_slice > deep)
            psf_add_advice(
                advice, "Slices %g um apart lose detail: with this objective they should be %.3g um apart or less.\n",
                o->image_slice, deep);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double width = a->shape.extent[axis] > 2 ? psf_width(a->v, a->shape, axis) : NAN;
        if (width < 2)
            psf_add_advice(advice,
                           "The psf is %.1f pixels wide along %c at half of its height: with less than 2 pixels, "
                           "deconvolution gains little.\n",
                           width, "xyz"[axis]);
    }
}

void psf_check(const psf_pixels *a, const psf_pixels *resampled, drua_shape image, const psf_sampling *o, char *advice)
{
    if (!(a->v[a->brightest] > 0)) {
        psf_add_advice(advice,
                       "The psf has no pixel above 0: use an image of the microscope's point spread function.\n");
        return;
    }
    check_light(a, advice);
    if (!resampled)
        check_centre(a, advice);
    check_sampling(o, resampled ? resampled : a, advice);
    if (a->shape.depth > 1 && image.depth == 1)
        psf_add_advice(
            advice, "The image has one slice and the psf has %lld slices: use the slice of the psf that is in focus.\n",
            (long long)a->shape.depth);
    if (a->shape.depth == 1 && image.depth > 1)
        psf_add_advice(advice,
                       "The psf has one slice and the image has %lld slices: the blur between slices remains; use a "
                       "psf with slices.\n",
                       (long long)image.depth);
}

static void launch_check_psf(drua_plan *p)
{
    char advice[PSF_ADVICE] = "";
    const psf_pixels a = psf_read(p, plan_image(p, "psf"));
    const psf_sampling o = {plan_number(p, "image_pixel"),    plan_number(p, "image_slice"),
                            plan_number(p, "psf_pixel"),      plan_number(p, "psf_slice"),
                            plan_number(p, "wavelength"),     plan_number(p, "numerical_aperture"),
                            plan_number(p, "immersion_index")};
    if (plan_failed(p))
        return;
    if (psf_differs(o.psf_pixel, o.image_pixel))
        psf_add_advice(
            advice,
            "The psf has pixels of %g um and the image has pixels of %g um: resample the psf with resample_psf.\n",
            o.psf_pixel, o.image_pixel);
    if (psf_differs(o.psf_slice, o.image_slice))
        psf_add_advice(
            advice,
            "The psf has a slice distance of %g um and the image has %g um: resample the psf with resample_psf.\n",
            o.psf_slice, o.image_slice);
    psf_check(&a, NULL, plan_shape(p, "source"), &o, advice);
    plan_set_text(p, "advice", advice);
}

DRUA_OP(check_psf) = {
    .name = "check_psf",
    .category = "deconvolution",
    .summary = "Checks whether a point spread function fits an image. Reports one line for each problem, and no line "
               "if it seems to fit.",
    .source = "pixel sizes, saturation, centre, brightness at the sides, and the sampling that Nyquist's theorem "
              "requires: wavelength / 4 NA, wavelength / 2 (n - sqrt(n^2 - NA^2))",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to deconvolve"), DRUA_IMAGE_IN("psf", "point spread function"),
                PSF_LENGTH("image_pixel", "pixel of the image"),
                PSF_LENGTH("image_slice", "slice distance of the image"), PSF_LENGTH("psf_pixel", "pixel of the psf"),
                PSF_LENGTH("psf_slice", "slice distance of the psf"), PSF_OBJECTIVE),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE | DRUA_READS_PART,
    .launch = launch_check_psf,
};
