/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits a point spread function to an image: resamples it to the image's voxels and centres its light. */
#include "richardson_lucy.h"
#include "sampling.h"

#include <string.h>

/* ---- lengths */

/* Length of a unit in micrometres, from its usual names; 0: not a unit of length. */
static double micrometres_of(const char *unit)
{
    static const struct {
        const char *name;
        double length;
    } units[] = {{"um", 1},           {"\xc2\xb5m", 1},    {"\xce\xbcm", 1},    {"micron", 1},
                 {"microns", 1},      {"micrometer", 1},   {"micrometre", 1},   {"micrometers", 1},
                 {"nm", 1e-3},        {"nanometer", 1e-3}, {"nanometre", 1e-3}, {"mm", 1e3},
                 {"millimeter", 1e3}, {"cm", 1e4},         {"m", 1e6},          {"inch", 25400}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].name))
            return units[i].length;
    return 0;
}

static bool is_known(const char *unit, double size)
{
    return size > 0 && *unit && strcmp(unit, "pixel") && strcmp(unit, "pixels");
}

/*
 * Voxel sizes of the image and the psf in micrometres, or in their common unit. If the two cannot be compared, the
 * sizes of the psf are 0, and `advice` says why. Slice distances count only if both have more than one slice.
 */
static psf_sampling sampling_of(drua_plan *p, char *advice)
{
    static const char *const whose[] = {"image", "psf"};
    const char *unit[] = {plan_text(p, "image_unit"), plan_text(p, "psf_unit")};
    const double pixel[] = {plan_number(p, "image_pixel"), plan_number(p, "psf_pixel")},
                 slice[] = {plan_number(p, "image_slice"), plan_number(p, "psf_slice")};
    const bool known[] = {is_known(unit[0], pixel[0]), is_known(unit[1], pixel[1])},
               deep = plan_shape(p, "source").depth > 1 && plan_shape(p, "psf").depth > 1;
    const bool same_unit = known[0] && known[1] && !strcmp(unit[0], unit[1]);
    psf_sampling o = {.wavelength = plan_number(p, "wavelength"),
                      .aperture = plan_number(p, "numerical_aperture"),
                      .index = plan_number(p, "immersion_index")};
    double length[2];
    for (int i = 0; i < 2; i++)
        length[i] = known[i] ? micrometres_of(unit[i]) : 0;
    if (!known[0] && !known[1])
        psf_add_advice(advice,
                       "Neither the image nor the psf has a known voxel size: their voxels are assumed to be equal.\n");
    else if (!known[0] || !known[1])
        psf_add_advice(advice,
                       "The %s has a known voxel size and the %s does not: their voxels are assumed to be equal; set "
                       "the size in Image>Properties.\n",
                       whose[!known[0]], whose[known[0]]);
    else if (!same_unit && !(length[0] > 0 && length[1] > 0))
        psf_add_advice(advice,
                       "The voxel size of the image is in %s and that of the psf in %s, which cannot be compared: "
                       "their voxels are assumed to be equal; set both sizes in um.\n",
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

/* ---- resampling */

/* Sets the ratio of voxel sizes. Returns false if the psf needs no resampling. */
static bool needs_resampling(const psf_sampling *o, psf_ratios *r)
{
    const bool pixels = psf_differs(o->psf_pixel, o->image_pixel), slices = psf_differs(o->psf_slice, o->image_slice);
    const double pixel = pixels ? o->image_pixel / o->psf_pixel : 1;
    *r = (psf_ratios){{pixel, pixel, slices ? o->image_slice / o->psf_slice : 1}};
    return pixels || slices;
}

static void fitted_shape(drua_plan *p, drua_shape *shape)
{
    char advice[PSF_ADVICE] = "";
    psf_ratios r;
    const psf_sampling o = sampling_of(p, advice);
    *shape = plan_shape(p, "psf");
    if (needs_resampling(&o, &r))
        psf_resampled_shape(p, r, shape);
}

static void launch_fit_psf(drua_plan *p)
{
    char advice[PSF_ADVICE] = "";
    psf_ratios r;
    const drua_view psf = plan_image(p, "psf"), to = plan_image(p, "destination");
    const psf_sampling o = sampling_of(p, advice);
    rl_check_psf(p, psf);
    const psf_pixels a = psf_read(p, psf);
    const bool resampled = needs_resampling(&o, &r);
    psf_pixels target = a;
    if (resampled) {
        psf_add_advice(advice, "The psf is resampled from voxels of %g x %g %s to the image's %g x %g.\n",
                       plan_number(p, "psf_pixel"), plan_number(p, "psf_slice"), plan_text(p, "psf_unit"),
                       plan_number(p, "image_pixel"), plan_number(p, "image_slice"));
        psf_resample(p, &a, a.centre, r);
        target = psf_read(p, to);
    } else {
        plan_copy(p, psf, to, 0, 0, 0);
    }
    if (plan_failed(p))
        return;
    psf_check(&a, resampled ? &target : NULL, plan_shape(p, "source"), &o, advice);
    plan_set_text(p, "advice", advice);
}

#define KNOWN(name, doc) DRUA_NUMBER(name, doc ", 0: unknown", DRUA_RANGE(0, 1e12), .default_value = 0)
#define UNIT(name, doc)                                                                                                \
    DRUA_TEXT(name, "unit of the sizes of the " doc ": um, nm, micron, ...; pixel: unknown", .default_text = "um")

DRUA_OP(fit_psf) = {
    .name = "fit_psf",
    .category = "deconvolution",
    .summary = "Resamples a point spread function to the voxels of an image if both sizes are known and differ, and "
               "reports problems.",
    .source = "as resample_psf, with the centre of light in the middle, then check_psf; the program drua and ImageJ's "
              "commands do the same before they deconvolve files and windows",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to deconvolve"), DRUA_IMAGE_IN("psf", "point spread function"),
                DRUA_IMAGE_OUT("destination", "the psf to deconvolve with", .shape = fitted_shape,
                               .type = DRUA_FLOAT32),
                KNOWN("image_pixel", "pixel of the image"), KNOWN("image_slice", "slice distance of the image"),
                UNIT("image_unit", "image"), KNOWN("psf_pixel", "pixel of the psf"),
                KNOWN("psf_slice", "slice distance of the psf"), UNIT("psf_unit", "psf"), PSF_OBJECTIVE),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE | DRUA_READS_PART,
    .launch = launch_fit_psf,
};
