/* SPDX-License-Identifier: BSD-3-Clause */
#include "stream.h"

static int64_t group_of(const esrrf_options *o, int64_t frames)
{
    if (o->projection == ESRRF_FRAMES)
        return 1;
    return o->frames_per_timepoint == 0 || o->frames_per_timepoint > frames ? frames : o->frames_per_timepoint;
}

static void magnified(drua_plan *p, drua_shape *shape)
{
    const esrrf_options o = esrrf_read_options(p);
    const drua_shape source = plan_shape(p, "source");
    const int64_t group = group_of(&o, source.depth), depth = (source.depth + group - 1) / group * esrrf_projections(&o);
    *shape = (drua_shape){source.width * o.magnification, source.height * o.magnification, depth, depth > 1 ? 3 : 2};
}

static void plan(drua_plan *p)
{
    const esrrf_options o = esrrf_read_options(p);
    drua_view source = plan_image(p, "source"), destination = plan_image(p, "destination");
    const int32_t frames = source.layout.depth, group = (int32_t)group_of(&o, frames), slices = esrrf_projections(&o);
    esrrf_stream s = esrrf_open(p, &o, source.layout.width, source.layout.height, group);
    for (int32_t first = 0, t = 0; first < frames && !plan_failed(p); first += group, t++) {
        esrrf_add(p, &s, source, first, frames - first < group ? frames - first : group);
        esrrf_project(p, &s, plan_slices(destination, t * slices, slices));
    }
}

const drua_op drua_op_esrrf = {
    .name = "esrrf",
    .category = "super-resolution",
    .summary = "Makes one sharper, magnified image from many frames of a scene whose fluorophores fluctuate (eSRRF). Slices are frames.",
    .source = "enhanced super-resolution radial fluctuations (Laine et al. 2023): gradients by Roberts' cross, radial gradient convergence on "
              "the magnified grid, projection over time",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one a slice"),
                DRUA_IMAGE_OUT("destination", "magnified image, one slice for each time point; with projection=all three: AVG, VAR, TAC2",
                               .shape = magnified, .type = DRUA_FLOAT32),
                ESRRF_OPTIONS),
    DRUA_ALIASES("Drua eSRRF: source, &destination, options"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = plan,
};
