/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a point spread function suits an image: each doubt is one sentence that says what to do. And bringing it there. */
#include "plan.h"

#include "width.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ADVICE = 2048, NEAR = 2, PLATEAU = 4 };

typedef struct psf_pixels {
    drua_shape shape;
    size_t count, brightest;
    float *v;
    double centre[3];       /* of the light around the brightest pixel */
} psf_pixels;

static psf_pixels pull(drua_plan *p, const char *name)
{
    psf_pixels a = {.shape = plan_shape(p, name)};
    const drua_shape s = a.shape;
    a.count = (size_t)(s.width * s.height * s.depth);
    a.v = plan_host(p, a.count * sizeof *a.v);
    drua_view dense = plan_scratch(p, s, DRUA_FLOAT32);
    plan_copy(p, plan_image(p, name), dense, 0, 0, 0);
    plan_read(p, dense, a.v, a.count * sizeof *a.v);
    if (plan_failed(p))
        return a;
    for (size_t i = 0; i < a.count; i++)
        a.brightest = a.v[i] > a.v[a.brightest] ? i : a.brightest;
    const int64_t w = s.width, h = s.height, at[] = {(int64_t)a.brightest % w, (int64_t)a.brightest / w % h, (int64_t)a.brightest / w / h};
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

/* ---- doubts */

static void say(char *advice, const char *format, ...)
{
    const size_t used = strlen(advice);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(advice + used, ADVICE - used, format, arguments);
    va_end(arguments);
}

static void check_voxels(drua_plan *p, char *advice)
{
    static const char *const of_psf[] = {"psf_pixel", "psf_slice"}, *const of_image[] = {"image_pixel", "image_slice"}, *const what[] = {"pixel", "slice distance"};
    for (int i = 0; i < 2; i++) {
        const double psf = plan_number(p, of_psf[i]), image = plan_number(p, of_image[i]);
        if (psf > 0 && image > 0 && fabs(psf / image - 1) > 0.01)
            say(advice, "The psf has a %s of %g um and the image one of %g um: bring it there with resample_psf.\n", what[i], psf, image);
    }
}

static void check_light(const psf_pixels *a, char *advice)
{
    const float most = a->v[a->brightest];
    size_t equal = 0;
    double rim = 0;
    const drua_shape s = a->shape;
    for (size_t i = 0; i < a->count; i++) {
        const int64_t n = (int64_t)i, x = n % s.width, y = n / s.width % s.height;
        equal += a->v[i] == most;
        if ((s.width > 1 && (x == 0 || x == s.width - 1)) || (s.height > 1 && (y == 0 || y == s.height - 1)))
            rim = fmax(rim, (double)a->v[i]);
    }
    if (equal >= PLATEAU)
        say(advice, "%zu pixels of the psf have its largest value, %g: it is saturated; take a dimmer image of a bead.\n", equal, (double)most);
    if (rim > 0.02 * most)
        say(advice, "The psf is still at %.0f %% of its peak at its sides: subtract its background, or take a larger one.\n", 100 * rim / most);
}

static void check_centre(const psf_pixels *a, char *advice)
{
    const int64_t middle[] = {a->shape.width / 2, a->shape.height / 2, a->shape.depth / 2};
    for (int n = 0; n < 3; n++)
        if (fabs(a->centre[n] - (double)middle[n]) > 0.5) {
            say(advice, "The psf's light is centred at %.1f, %.1f, %.1f and not at %lld, %lld, %lld: the result would be shifted; centre it with resample_psf.\n",
                a->centre[0], a->centre[1], a->centre[2], (long long)middle[0], (long long)middle[1], (long long)middle[2]);
            return;
        }
}

/* The finest detail that the objective passes needs two pixels. */
static void check_sampling(drua_plan *p, const psf_pixels *a, char *advice)
{
    const double wavelength = plan_number(p, "wavelength") / 1000, aperture = plan_number(p, "numerical_aperture"), index = plan_number(p, "immersion_index");
    const double pixel = plan_number(p, "image_pixel"), slice = plan_number(p, "image_slice"), least = wavelength / 4 / (aperture > 0 ? aperture : 1);
    if (wavelength > 0 && aperture > 0 && pixel > least)
        say(advice, "Pixels of %g um lose detail: with this objective they should be %.3g um or less.\n", pixel, least);
    if (wavelength > 0 && aperture > 0 && index > aperture) {
        const double deep = wavelength / 2 / (index - sqrt(index * index - aperture * aperture));
        if (slice > deep)
            say(advice, "Slices %g um apart lose detail: with this objective they should be %.3g um apart or less.\n", slice, deep);
    }
    const int64_t extents[] = {a->shape.width, a->shape.height, a->shape.depth};
    for (int axis = 0; axis < 3; axis++) {
        const double width = extents[axis] > 2 ? psf_width(a->v, a->shape, axis) : NAN;
        if (width < 2)
            say(advice, "The psf is %.2g pixels wide along %c at half of its height: less than 2 is too coarse a sampling to gain much.\n", width, "xyz"[axis]);
    }
}

static void check(drua_plan *p)
{
    char advice[ADVICE] = "";
    const psf_pixels a = pull(p, "psf");
    const drua_shape image = plan_shape(p, "source");
    if (plan_failed(p))
        return;
    check_voxels(p, advice);
    check_light(&a, advice);
    check_centre(&a, advice);
    check_sampling(p, &a, advice);
    if (a.shape.depth > 1 && image.depth == 1)
        say(advice, "The image is one slice and the psf has %lld: give the slice of the psf that is in focus.\n", (long long)a.shape.depth);
    plan_set_text(p, "advice", advice);
}

#define LENGTH(name, doc) DRUA_NUMBER(name, doc ", 0: unknown", .unit = "um", DRUA_RANGE(0, 1000), .preset = 0)

const drua_op drua_op_check_psf = {
    .name = "check_psf",
    .category = "deconvolution",
    .summary = "Says what is doubtful about a point spread function for an image, one sentence each; nothing if it seems to fit.",
    .source = "pixel sizes, saturation, centre, rim, and the sampling that Nyquist asks for: wavelength / 4 NA, wavelength / 2 (n - sqrt(n^2 - NA^2))",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to deconvolve"), DRUA_IMAGE_IN("psf", "point spread function"), LENGTH("image_pixel", "pixel of the image"),
                LENGTH("image_slice", "slice distance of the image"), LENGTH("psf_pixel", "pixel of the psf"), LENGTH("psf_slice", "slice distance of the psf"),
                DRUA_NUMBER("wavelength", "of the light that is seen, 0: unknown", .unit = "nm", DRUA_RANGE(0, 5000), .preset = 0),
                DRUA_NUMBER("numerical_aperture", "of the objective, 0: unknown", DRUA_RANGE(0, 2), .preset = 0),
                DRUA_NUMBER("immersion_index", "refractive index, 0: unknown", DRUA_RANGE(0, 2), .preset = 0),
                DRUA_TEXT_OUT("advice", "sentences, each with a line of its own")),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .plan = check,
};

/* ---- another sampling */

/* Source pixels that one pixel of the result is wide. */
static double ratio(drua_plan *p, int axis)
{
    return axis == 2 ? plan_number(p, "image_slice") / plan_number(p, "psf_slice") : plan_number(p, "image_pixel") / plan_number(p, "psf_pixel");
}

static void resampled(drua_plan *p, drua_shape *shape)
{
    enum { MOST = 4096 };
    *shape = plan_shape(p, "psf");
    int64_t *const extents[] = {&shape->width, &shape->height, &shape->depth};
    for (int axis = 0; axis < 3; axis++) {
        *extents[axis] = 2 * (int64_t)((double)(*extents[axis] / 2) / ratio(p, axis) + 0.5) + 1;
        if (*extents[axis] > MOST)
            plan_fail(p, "the psf would be %lld pixels long, more than %d; are the sizes in one unit?", (long long)*extents[axis], MOST);
    }
}

static void resample(drua_plan *p)
{
    const psf_pixels a = pull(p, "psf");
    const drua_shape s = a.shape;
    const double middle[] = {(double)(s.width / 2), (double)(s.height / 2), (double)(s.depth / 2)}, *c = plan_flag(p, "centre") ? a.centre : middle;
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "psf_resample", plan_grid(to.layout), ARG(plan_image(p, "psf")), ARG(to), REAL(c[0]), REAL(c[1]), REAL(c[2]), REAL(ratio(p, 0)),
           REAL(ratio(p, 1)), REAL(ratio(p, 2)));
}

#define SIZE(name, doc) DRUA_NUMBER(name, doc, .unit = "um", DRUA_RANGE(0.0001, 1000), .preset = 0.1)

const drua_op drua_op_resample_psf = {
    .name = "resample_psf",
    .category = "deconvolution",
    .summary = "Brings a point spread function from its own pixel size to that of an image, and its light to the middle.",
    .source = "linear interpolation; the mean over a pixel where pixels become larger; outside is 0",
    DRUA_PARAMS(DRUA_IMAGE_IN("psf", "point spread function"),
                DRUA_IMAGE_OUT("destination", "the same in pixels of the image, of odd extent", .shape = resampled, .type = DRUA_FLOAT32),
                SIZE("psf_pixel", "pixel of the psf"), SIZE("psf_slice", "slice distance of the psf"), SIZE("image_pixel", "pixel of the image"),
                SIZE("image_slice", "slice distance of the image"),
                DRUA_BOOLEAN("centre", "the centre of light around the brightest pixel comes to the middle", .preset = 1)),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .plan = resample,
};
