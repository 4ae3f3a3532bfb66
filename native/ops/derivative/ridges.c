/* SPDX-License-Identifier: BSD-3-Clause */
/* Ridge filters: second derivatives at several scales. Each pixel keeps its largest result. */
#include "plan.h"

enum { SATO, FRANGI, STRENGTH }; /* as in kernels/derivative/ridges.cl */

/* A ridge filter at one scale. */
typedef struct scale {
    int kind;
    bool bright, has_best;
    double sigma, alpha, beta, gamma;
} scale;

static void launch_scale(drua_plan *p)
{
    const scale *s = plan_state(p);
    const drua_view to = plan_image(p, "destination");
    LAUNCH(p, "ridges", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(plan_image(p, "best")), ARG(to),
           INT(s->has_best), INT(s->kind), INT(s->bright), REAL(s->sigma * s->sigma), REAL(s->alpha), REAL(s->beta),
           REAL(s->gamma));
}

static const drua_op at_scale = {
    .name = "ridges_at_scale",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "smoothed image"), DRUA_IMAGE_IN("best", "result of smaller scales"),
                DRUA_IMAGE_OUT("destination", "result of this scale too", .type = DRUA_FLOAT32)),
    .numeric = DRUA_DEVICE,
    .launch = launch_scale,
    .parts = plan_parts_neighbours,
};

/* Half of the largest strength of the second derivatives; 1 if all are 0. */
static double half_strength(drua_plan *p, scale s, drua_operand smooth)
{
    s.kind = STRENGTH;
    s.has_best = false;
    const drua_operand images[] = {smooth, smooth};
    const drua_operand strength = plan_call_private(p, &at_scale, &s, DRUA_FLOAT32, images, 2);
    const double largest = plan_call_number(p, "maximum_of_all_pixels", &strength, 1);
    plan_release_image(p, strength);
    return largest > 0 ? largest / 2 : 1;
}

static void build_ridges(drua_plan *p, scale s, bool finds_gamma)
{
    enum { MOST_SCALES = 100 };
    const double first = plan_number(p, "sigma_min"), last = plan_number(p, "sigma_max"),
                 step = plan_number(p, "sigma_step");
    const bool flat = plan_shape(p, "source").depth == 1;
    const drua_operand source = CALL(p, "convert_float", DRUA_FLOAT32, plan_operand(p, "source"));
    drua_operand best = source;
    if (last < first)
        plan_fail(p, "sigma_max is %g and sigma_min is %g; sigma_max must be at least sigma_min", last, first);
    if (last - first > (MOST_SCALES - 1) * step)
        plan_fail(p, "sigma_min, sigma_max and sigma_step give more than %d scales; use a larger sigma_step",
                  MOST_SCALES);
    s.bright = plan_flag(p, "bright");
    for (int i = 0; (s.sigma = first + i * step) <= last * (1 + 1e-9) && !plan_failed(p); i++) {
        const drua_operand sigma = NUMBER(s.sigma), smooth = CALL(p, "gaussian_blur", DRUA_FLOAT32, source, sigma,
                                                                  sigma, flat ? NUMBER(0) : sigma);
        s.has_best = i > 0;
        if (finds_gamma)
            s.gamma = half_strength(p, s, smooth);
        const drua_operand images[] = {smooth, s.has_best ? best : smooth};
        const drua_operand result = plan_call_private(p, &at_scale, &s, DRUA_FLOAT32, images, 2);
        plan_release_image(p, smooth);
        if (s.has_best)
            plan_release_image(p, best);
        best = result;
    }
    plan_return(p, "destination", best);
}

static void build_sato(drua_plan *p)
{
    build_ridges(p, (scale){.kind = SATO, .alpha = 1, .beta = 1, .gamma = 1}, false);
}

static void build_frangi(drua_plan *p)
{
    const scale s = {.kind = FRANGI,
                     .alpha = plan_number(p, "alpha"),
                     .beta = plan_number(p, "beta"),
                     .gamma = plan_number(p, "gamma")};
    build_ridges(p, s, s.gamma == 0);
}

#define SIGMA(name, doc_, default_)                                                                                    \
    DRUA_NUMBER(name, doc_, .unit = "pixel", DRUA_RANGE(0.1, 100), .default_value = default_)
#define SCALES                                                                                                         \
    SIGMA("sigma_min", "standard deviation of the first Gaussian, about half the width of the thinnest ridge", 1),     \
        SIGMA("sigma_max", "standard deviation of the last Gaussian", 3),                                              \
        SIGMA("sigma_step", "difference between successive standard deviations", 1),                                   \
        DRUA_BOOLEAN("bright", "on: bright ridges; off: dark ridges", .default_value = 1)
#define HESSIAN                                                                                                        \
    "second differences of the image smoothed with a Gaussian, times sigma squared; the largest result of all scales"

DRUA_OP(sato_ridges) = {
    .name = "sato_ridges",
    .category = "filter",
    .menu = true,
    .summary = "Shows lines in planes and tubes in stacks, such as vessels, neurites and fibres.",
    .source =
        "Sato 1998: the eigenvalue across a line, in stacks the geometric mean of the two across a tube; " HESSIAN,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                DRUA_IMAGE_OUT("destination", "strength of ridges, 0 elsewhere", .type = DRUA_FLOAT32), SCALES),
    .numeric = DRUA_DEVICE,
    .build = build_sato,
};

DRUA_OP(frangi_vesselness) = {
    .name = "frangi_vesselness",
    .category = "filter",
    .menu = true,
    .summary = "Shows how much each pixel looks like a part of a vessel, from 0 to 1.",
    .source = "Frangi 1998; " HESSIAN,
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "image"), DRUA_IMAGE_OUT("destination", "vesselness from 0 to 1", .type = DRUA_FLOAT32),
        SCALES,
        DRUA_NUMBER("alpha", "in stacks, how strictly plates are rejected; smaller values accept more of them",
                    DRUA_RANGE(0.001, 1000), .default_value = 0.5),
        DRUA_NUMBER("beta", "tolerance for blobs; larger values accept more of them", DRUA_RANGE(0.001, 1000),
                    .default_value = 0.5),
        DRUA_NUMBER(
            "gamma",
            "second derivatives much smaller than this count as noise; 0: half of the largest strength at each scale",
            .unit = "grey value", DRUA_RANGE(0, 1e9), .default_value = 0)),
    .numeric = DRUA_DEVICE,
    .build = build_frangi,
};
