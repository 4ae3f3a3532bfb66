/* SPDX-License-Identifier: BSD-3-Clause */
/* A point spread function in the voxels of an image, its light in the middle. */
#include "doubts.h"

#include "richardson_lucy.h"

#include <string.h>

/* ---- lengths */

/* Micrometres of a unit as people write it; 0: it is none of length. */
static double micrometres(const char *unit)
{
    static const struct {
        const char *name;
        double length;
    } units[] = {{"um", 1},      {"\xc2\xb5m", 1},    {"\xce\xbcm", 1},    {"micron", 1}, {"microns", 1},   {"micrometer", 1}, {"micrometre", 1}, {"micrometers", 1},
                 {"nm", 1e-3},   {"nanometer", 1e-3}, {"nanometre", 1e-3}, {"mm", 1e3},   {"millimeter", 1e3}, {"cm", 1e4},    {"m", 1e6},        {"inch", 25400}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].name))
            return units[i].length;
    return 0;
}

static bool is_known(const char *unit, double size)
{
    return size > 0 && *unit && strcmp(unit, "pixel") && strcmp(unit, "pixels");
}

/* Sizes in micrometres, or in the unit of both; where they cannot be compared 0, and a sentence. Slices count where both have some. */
static psf_sampling sampling_of(drua_plan *p, char *advice)
{
    static const char *const whose[] = {"image", "psf"};
    const char *unit[] = {plan_text(p, "image_unit"), plan_text(p, "psf_unit")};
    const double pixel[] = {plan_number(p, "image_pixel"), plan_number(p, "psf_pixel")}, slice[] = {plan_number(p, "image_slice"), plan_number(p, "psf_slice")};
    const bool known[] = {is_known(unit[0], pixel[0]), is_known(unit[1], pixel[1])}, deep = plan_shape(p, "source").depth > 1 && plan_shape(p, "psf").depth > 1;
    const bool same_unit = known[0] && known[1] && !strcmp(unit[0], unit[1]);
    psf_sampling o = {.wavelength = plan_number(p, "wavelength"), .aperture = plan_number(p, "numerical_aperture"), .index = plan_number(p, "immersion_index")};
    double length[2];
    for (int i = 0; i < 2; i++)
        length[i] = known[i] ? micrometres(unit[i]) : 0;
    if (!known[0] && !known[1])
        psf_say(advice, "Neither the image nor the psf says how large its voxels are: they are taken to be equal.\n");
    else if (!known[0] || !known[1])
        psf_say(advice, "The %s says how large its voxels are and the %s does not: they are taken to be equal; set the size in Image>Properties.\n", whose[!known[0]],
                whose[known[0]]);
    else if (!same_unit && !(length[0] > 0 && length[1] > 0))
        psf_say(advice, "The voxels of the image are told in %s and those of the psf in %s, which cannot be compared: they are taken to be equal; tell both in um.\n",
                unit[0], unit[1]);
    else {
        for (int i = 0; i < 2; i++)
            length[i] = length[i] > 0 ? length[i] : 1;
        o.psf_pixel = pixel[1] * length[1];
        o.psf_slice = deep ? slice[1] * length[1] : 0;
    }
    o.image_pixel = pixel[0] * length[0];
    o.image_slice = plan_shape(p, "source").depth > 1 ? slice[0] * length[0] : 0;
    return o;
}

/* ---- another sampling */

/* How many source pixels one pixel of the result is wide, along x, y, z. */
typedef struct ratios {
    double along[3];
} ratios;

static void resample_shape(drua_plan *p, ratios r, drua_shape *shape)
{
    enum { MOST = 4096 };
    *shape = plan_shape(p, "psf");
    int64_t *const extents[] = {&shape->width, &shape->height, &shape->depth};
    for (int axis = 0; axis < 3; axis++) {
        *extents[axis] = 2 * (int64_t)((double)(*extents[axis] / 2) / r.along[axis] + 0.5) + 1;
        if (*extents[axis] > MOST)
            plan_fail(p, "the psf would be %lld pixels long, more than %d; are the sizes in one unit?", (long long)*extents[axis], MOST);
    }
}

/* `centre` of the psf comes to the middle. */
static void resample_around(drua_plan *p, const double *centre, ratios r)
{
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "psf_resample", plan_grid(to.layout), ARG(plan_image(p, "psf")), ARG(to), REAL(centre[0]), REAL(centre[1]), REAL(centre[2]), REAL(r.along[0]),
           REAL(r.along[1]), REAL(r.along[2]));
}

static ratios given_ratios(drua_plan *p)
{
    const double pixel = plan_number(p, "image_pixel") / plan_number(p, "psf_pixel");
    return (ratios){{pixel, pixel, plan_number(p, "image_slice") / plan_number(p, "psf_slice")}};
}

static void resampled(drua_plan *p, drua_shape *shape)
{
    resample_shape(p, given_ratios(p), shape);
}

static void resample(drua_plan *p)
{
    const psf_pixels a = psf_read(p, plan_image(p, "psf"));
    const drua_shape s = a.shape;
    const double middle[] = {(double)(s.width / 2), (double)(s.height / 2), (double)(s.depth / 2)};
    resample_around(p, plan_flag(p, "centre") ? a.centre : middle, given_ratios(p));
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

/* ---- what an image needs */

/* False: as it is. */
static bool needs(const psf_sampling *o, ratios *r)
{
    const bool pixels = psf_differs(o->psf_pixel, o->image_pixel), slices = psf_differs(o->psf_slice, o->image_slice);
    const double pixel = pixels ? o->image_pixel / o->psf_pixel : 1;
    *r = (ratios){{pixel, pixel, slices ? o->image_slice / o->psf_slice : 1}};
    return pixels || slices;
}

static void fitted(drua_plan *p, drua_shape *shape)
{
    char advice[PSF_ADVICE] = "";
    ratios r;
    const psf_sampling o = sampling_of(p, advice);
    *shape = plan_shape(p, "psf");
    if (needs(&o, &r))
        resample_shape(p, r, shape);
}

static void fit(drua_plan *p)
{
    char advice[PSF_ADVICE] = "";
    ratios r;
    const drua_view psf = plan_image(p, "psf"), to = plan_image(p, "destination");
    const psf_sampling o = sampling_of(p, advice);
    rl_check_psf(p, psf);
    if (needs(&o, &r)) {
        const psf_pixels a = psf_read(p, psf);
        psf_say(advice, "The psf of %g x %g %s is brought to the image's %g x %g.\n", plan_number(p, "psf_pixel"), plan_number(p, "psf_slice"), plan_text(p, "psf_unit"),
                plan_number(p, "image_pixel"), plan_number(p, "image_slice"));
        resample_around(p, a.centre, r);
    } else {
        plan_copy(p, psf, to, 0, 0, 0);
    }
    const psf_pixels there = psf_read(p, to);
    if (plan_failed(p))
        return;
    psf_doubt(&there, plan_shape(p, "source"), &o, advice);
    plan_set_text(p, "advice", advice);
}

#define KNOWN(name, doc) DRUA_NUMBER(name, doc ", 0: unknown", DRUA_RANGE(0, 1e12), .preset = 0)
#define UNIT(name, doc) DRUA_TEXT(name, "of the sizes of the " doc ": um, nm, micron, ...; pixel: unknown", .preset_text = "um")

const drua_op drua_op_fit_psf = {
    .name = "fit_psf",
    .category = "deconvolution",
    .summary = "Brings a point spread function to the voxels of an image where both are known to differ, and says what is doubtful about it.",
    .source = "as resample_psf, with the light in the middle, and check_psf; the tool and ImageJ's commands do so before they deconvolve files and windows",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to deconvolve"), DRUA_IMAGE_IN("psf", "point spread function"),
                DRUA_IMAGE_OUT("destination", "the psf to deconvolve with", .shape = fitted, .type = DRUA_FLOAT32), KNOWN("image_pixel", "pixel of the image"),
                KNOWN("image_slice", "slice distance of the image"), UNIT("image_unit", "image"), KNOWN("psf_pixel", "pixel of the psf"),
                KNOWN("psf_slice", "slice distance of the psf"), UNIT("psf_unit", "psf"), PSF_OBJECTIVE),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .plan = fit,
};
