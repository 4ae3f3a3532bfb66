/* SPDX-License-Identifier: BSD-3-Clause */
#include "esrrf_options.h"

static double read_setting(drua_plan *p, const char *name)
{
    return plan_setting(p, "options", name);
}

esrrf_options esrrf_read_options(drua_plan *p)
{
    esrrf_options o = {.magnification = (int)read_setting(p, "magnification"),
                       .radius = read_setting(p, "radius"),
                       .sensitivity = read_setting(p, "sensitivity"),
                       .frames_per_timepoint = (int64_t)read_setting(p, "frames_per_timepoint"),
                       .projection = (esrrf_projection)read_setting(p, "projection"),
                       .intensity_weighting = read_setting(p, "intensity_weighting") != 0,
                       .macro_pixel_correction = read_setting(p, "macro_pixel_correction") != 0,
                       .registration = (esrrf_registration)read_setting(p, "registration"),
                       .drift_correction = read_setting(p, "drift_correction") != 0,
                       .drift_frames = (int64_t)read_setting(p, "drift_frames"),
                       .keep_partial = read_setting(p, "keep_partial") != 0};
    plan_setting_text(p, "options", "devices", o.devices);
    return o;
}

int32_t esrrf_projections(const esrrf_options *options)
{
    return options->projection == ESRRF_ALL ? 3 : 1;
}

void esrrf_steps(drua_plan *p, double steps[3][3])
{
    steps[0][0] = steps[1][1] = 1.0 / esrrf_read_options(p).magnification;
}
