/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of eSRRF as separate operations. */
#include "stream.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

#define MAGNIFICATION                                                                                                  \
    DRUA_INTEGER("magnification", "magnified pixels along one pixel", DRUA_RANGE(1, 20), .default_value = 5,           \
                 .example = 2)
#define REGISTRATION(words)                                                                                            \
    {                                                                                                                  \
        .name = "registration",                                                                                        \
        .doc = "registered: structures keep their position; nanopyx: as in NanoPyx, each magnified pixel takes the "   \
               "value at its upper left corner",                                                                       \
        .kind = DRUA_KIND_CHOICE, .default_text = "registered", words                                                  \
    }

static void magnified_shape(drua_plan *p, drua_shape *shape)
{
    const int64_t m = plan_integer(p, "magnification");
    shape->width *= m;
    shape->height *= m;
}

static void magnified_steps(drua_plan *p, double steps[3][3])
{
    steps[0][0] = steps[1][1] = 1 / plan_number(p, "magnification");
}

/* Frames are independent of each other. */
static void parts_of_frames(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[0] = parts->axis[1] = -1;
    parts->range[2] = (drua_affine_range){true, 1, 0, 0};
}

/* ---- interpolation */

enum { CATMULL_ROM, BICUBIC, LANCZOS, CUBIC_NEAR = 5, LANCZOS_NEAR = 9, LOBES = 4, MAX_MAGNIFICATION = 20 };

static double lanczos_weight(double t)
{
    return t == 0 ? 1 : fabs(t) < LOBES ? LOBES * sin(PI * t) * sin(PI * t / LOBES) / (PI * PI * t * t) : 0;
}

double esrrf_cubic(double distance)
{
    double t = fabs(distance);
    return t < 1 ? (1.5 * t - 2.5) * t * t + 1 : t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
}

static void launch_magnify(drua_plan *p)
{
    const int m = (int)plan_integer(p, "magnification"), method = plan_choice(p, "interpolation");
    const int near = method == LANCZOS ? LANCZOS_NEAR : CUBIC_NEAR;
    const double shift = plan_choice(p, "registration") == ESRRF_REGISTERED ? 0.5 : 0;
    float weights[MAX_MAGNIFICATION * LANCZOS_NEAR];
    for (int phase = 0; phase < m; phase++)
        for (int k = 0; k < near; k++) {
            const double away = (phase + shift) / m - (k - near / 2 + 0.5);
            weights[phase * near + k] = (float)(method == LANCZOS ? lanczos_weight(away) : esrrf_cubic(away));
        }
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    LAUNCH(p, "esrrf_magnify", GRID(to.layout.width, from.layout.height, to.layout.depth, 32, 4, 1), ARG(from), ARG(to),
           TABLE(weights, (size_t)(m * near) * sizeof *weights), INT(m), INT(near), INT(method != CATMULL_ROM));
}

DRUA_OP(magnify) = {
    .name = "magnify",
    .category = "super-resolution",
    .summary = "Enlarges each slice by a whole number with smooth interpolation.",
    .source = "Keys' cubic with a = -1/2 (Catmull-Rom) or Lanczos' window of 4 lobes",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to enlarge"),
                DRUA_IMAGE_OUT("destination", "enlarged image", .shape = magnified_shape, .type = DRUA_FLOAT32),
                MAGNIFICATION,
                {.name = "interpolation",
                 .doc = "catmull_rom: neighbours outside count as 0, so borders get darker; bicubic: the same, but "
                        "neighbours outside do not count; lanczos: sharper, but may overshoot",
                 .kind = DRUA_KIND_CHOICE,
                 .default_text = "bicubic",
                 DRUA_CHOICES("catmull_rom", "bicubic", "lanczos")},
                REGISTRATION(DRUA_CHOICES("registered", "nanopyx"))),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_magnify,
    .parts = parts_of_frames,
    .steps = magnified_steps,
};

/* ---- radial gradient convergence */

static void launch_convergence(drua_plan *p)
{
    const esrrf_options o = {.magnification = (int)plan_integer(p, "magnification"),
                             .radius = plan_number(p, "radius"),
                             .sensitivity = plan_number(p, "sensitivity"),
                             .projection = ESRRF_FRAMES,
                             .registration = (esrrf_registration)plan_choice(p, "registration")};
    drua_view source = plan_image(p, "source"), destination = plan_image(p, "destination");
    esrrf_stream s = esrrf_measure(p, &o, source.layout.width, source.layout.height, 1);
    esrrf_open(p, &s);
    for (int32_t z = 0; z < source.layout.depth && !plan_failed(p); z++) {
        esrrf_add(p, &s, plan_slices(source, z, 1), (drua_view){0});
        esrrf_project(p, &s, plan_slices(destination, z, 1));
    }
}

DRUA_OP(radial_gradient_convergence) = {
    .name = "radial_gradient_convergence",
    .category = "super-resolution",
    .summary = "Measures for each pixel of a magnified grid how much the gradients around the pixel point towards it, "
               "from 0 to 1. Brightness has no effect.",
    .source = "the second step of eSRRF; a gradient of exactly 0 has no direction and adds nothing",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames, one per slice"),
                DRUA_IMAGE_OUT("destination", "magnified map; its border of radius pixels is 0",
                               .shape = magnified_shape, .type = DRUA_FLOAT32),
                MAGNIFICATION,
                DRUA_NUMBER("radius", "full width at half maximum of the Gaussian that weights the gradients",
                            .unit = "pixel", DRUA_RANGE(0.1, 20), .default_value = 1.5),
                DRUA_NUMBER("sensitivity", "power of the map", DRUA_RANGE(0.1, 100), .default_value = 1),
                REGISTRATION(DRUA_CHOICES("registered", "nanopyx", "nanoj"))),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_convergence,
    .parts = parts_of_frames,
    .steps = magnified_steps,
};

/* ---- time */

static int64_t group_of(drua_plan *p)
{
    const int64_t frames = plan_shape(p, "source").depth, group = plan_integer(p, "frames_per_timepoint");
    return group == 0 || group > frames ? frames : group;
}

static void time_points(drua_plan *p, drua_shape *shape)
{
    const int64_t group = group_of(p);
    shape->depth = (shape->depth + group - 1) / group;
    shape->dimension = shape->depth > 1 ? 3 : 2;
}

static void launch_projection(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    LAUNCH(p, "esrrf_project_slices", plan_grid(to.layout), ARG(from), ARG(to), INT(group_of(p)),
           INT(plan_choice(p, "projection")));
}

static void parts_of_projection(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->axis[2] = -1;
}

DRUA_OP(temporal_projection) = {
    .name = "temporal_projection",
    .category = "super-resolution",
    .summary = "Takes the mean, variance or autocorrelation of each pixel over groups of slices.",
    .source = "Welford's recurrence, also for the products of neighbouring frames",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "frames, one per slice"),
        DRUA_IMAGE_OUT("destination", "one slice for each group", .shape = time_points, .type = DRUA_FLOAT32),
        {.name = "projection",
         .doc = "AVG: mean; VAR: variance (divided by the number of frames); TAC2: mean product of deviations of "
                "neighbouring frames, NaN for one frame",
         .kind = DRUA_KIND_CHOICE,
         .default_text = "AVG",
         DRUA_CHOICES("AVG", "VAR", "TAC2")},
        DRUA_INTEGER("frames_per_timepoint", "slices of a group; 0: all. The last group may be shorter",
                     DRUA_RANGE(0, 2147483647), .default_value = 0)),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT,
    .launch = launch_projection,
    .parts = parts_of_projection,
    .steps = plan_same_voxels,
};

/* ---- macro-pixels */

static void launch_correction(drua_plan *p)
{
    const int m = (int)plan_integer(p, "magnification");
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = from.layout;
    if (l.width % m || l.height % m)
        plan_fail(p, "magnification must divide the image's width and height, got %d for %d x %d", m, l.width,
                  l.height);
    drua_view means = esrrf_phase_means(p, from, l.width / m, l.height / m, m * m * l.depth, m);
    LAUNCH(p, "esrrf_divide_phases", plan_grid(to.layout), ARG(from), ARG(to), POINTER(means), INT(m));
}

DRUA_OP(macro_pixel_correction) = {
    .name = "macro_pixel_correction",
    .category = "super-resolution",
    .summary = "Removes the pattern of magnified pixels from each slice: divides each magnified pixel by the mean of "
               "all those at the same position within a pixel of the movie. The mean becomes 1.",
    .source = "the last step of eSRRF",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "magnified image"),
                DRUA_IMAGE_OUT("destination", "corrected image", .type = DRUA_FLOAT32), MAGNIFICATION),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_correction,
};
