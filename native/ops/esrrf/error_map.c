/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Error map of a super-resolved image. The image is blurred to the microscope's resolution and its brightness scaled;
 * it should then equal the wide-field image. The blur is chosen for the best fit.
 */
#include "../filter/gaussian_weights.h"
#include "quality.h"
#include "stream.h"

#include <math.h>

enum { SUMS = 5, GROUPS = 64, GROUP = 256, NEAR = 5, MAX_RADIUS = 1000, STEPS = 24 };

typedef struct comparison {
    drua_plan *p;
    drua_view seen, image, half_blurred, blurred, sums;
    double seen_mean, image_mean;
} comparison;

static void blur_image(comparison *c, double sigma)
{
    float weights[2 * MAX_RADIUS + 1];
    const int radius = (int)fmin(ceil(4 * sigma), MAX_RADIUS);
    gaussian_weights(sigma, radius, weights);
    const size_t bytes = (size_t)(2 * radius + 1) * sizeof *weights;
    const drua_grid grid = grid_of_turns(plan_grid(c->blurred.layout), 2 * radius + 1);
    LAUNCH(c->p, "esrrf_blur", grid, ARG(c->image), ARG(c->half_blurred), TABLE(weights, bytes), INT(radius), INT(1),
           INT(0));
    LAUNCH(c->p, "esrrf_blur", grid, ARG(c->half_blurred), ARG(c->blurred), TABLE(weights, bytes), INT(radius), INT(0),
           INT(1));
}

/* Fits the wide-field image as a linear function of the blurred image. */
static esrrf_fit fit_blurred(comparison *c, double sigma)
{
    float sums[GROUPS * SUMS] = {0};
    double s[SUMS] = {0}, count = (double)drua_layout_count(&c->seen.layout);
    blur_image(c, sigma);
    LAUNCH(c->p, "esrrf_moments", GRID((int64_t)GROUPS * GROUP, 1, 1, GROUP, 1, 1), ARG(c->blurred), ARG(c->seen),
           POINTER(c->sums), REAL(c->image_mean), REAL(c->seen_mean));
    plan_read(c->p, c->sums, sums, sizeof sums);
    for (int g = 0; g < GROUPS; g++)
        for (int k = 0; k < SUMS; k++)
            s[k] += sums[g * SUMS + k] / count;
    const double xx = s[2] - s[0] * s[0], xy = s[3] - s[0] * s[1], yy = s[4] - s[1] * s[1];
    const double from_x = (double)(float)c->image_mean, from_y = (double)(float)c->seen_mean;
    esrrf_fit f = {
        .sigma = sigma, .correlation = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0, .scale = xx > 0 ? xy / xx : 0};
    f.offset = from_y + s[1] - f.scale * (from_x + s[0]);
    f.error = sqrt(fmax(0, yy - (xx > 0 ? xy * xy / xx : 0)));
    c->image_mean = from_x + s[0];
    c->seen_mean = from_y + s[1];
    return f;
}

/* Golden-section search for the blur with the largest correlation. */
static double best_sigma(comparison *c, double max)
{
    const double golden = 0.6180339887498949;
    double low = 0, high = max, a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = fit_blurred(c, a).correlation, at_b = fit_blurred(c, b).correlation;
    for (int i = 0; i < STEPS && !plan_failed(c->p); i++) {
        if (at_a > at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = fit_blurred(c, a).correlation;
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = fit_blurred(c, b).correlation;
        }
    }
    return (low + high) / 2;
}

static void magnify_image(drua_plan *p, drua_view from, drua_view to, int m)
{
    float weights[ESRRF_MAX_MAGNIFICATION * NEAR];
    for (int phase = 0; phase < m; phase++)
        for (int k = 0; k < NEAR; k++)
            weights[phase * NEAR + k] = (float)esrrf_cubic((phase + 0.5) / m - (k - NEAR / 2 + 0.5));
    LAUNCH(p, "esrrf_magnify", GRID(to.layout.width, from.layout.height, 1, 32, 4, 1), ARG(from), ARG(to),
           TABLE(weights, (size_t)(m * NEAR) * sizeof *weights), INT(m), INT(NEAR), INT(1));
}

esrrf_fit esrrf_compare(drua_plan *p, drua_view wide_field, drua_view image, drua_view map)
{
    const int m = image.layout.width / (wide_field.layout.width > 0 ? wide_field.layout.width : 1);
    const drua_shape plane = {image.layout.width, image.layout.height, 1, 2};
    comparison c = {.p = p,
                    .seen = plan_scratch(p, plane, DRUA_FLOAT32),
                    .image = image,
                    .half_blurred = plan_scratch(p, plane, DRUA_FLOAT32),
                    .blurred = plan_scratch(p, plane, DRUA_FLOAT32),
                    .sums = plan_scratch_bytes(p, GROUPS * SUMS * sizeof(float))};
    magnify_image(p, wide_field, c.seen, m);
    fit_blurred(&c, 0); /* computes the means */
    const esrrf_fit f = fit_blurred(&c, best_sigma(&c, 4 * (double)m));
    if (map.buffer)
        LAUNCH(p, "esrrf_error", plan_grid(map.layout), ARG(c.seen), ARG(c.blurred), ARG(map), REAL(f.scale),
               REAL(f.offset));
    plan_free_scratch(p, c.seen);
    plan_free_scratch(p, c.half_blurred);
    plan_free_scratch(p, c.blurred);
    plan_free_scratch(p, c.sums);
    return f;
}

static void launch_error_map(drua_plan *p)
{
    const drua_shape seen = plan_shape(p, "wide_field"), image = plan_shape(p, "super_resolved");
    const int64_t m = image.width / seen.width;
    if (m < 1 || m > ESRRF_MAX_MAGNIFICATION || m * seen.width != image.width || m * seen.height != image.height) {
        plan_fail(p,
                  "super_resolved must be the size of wide_field times a whole number from 1 to %d, got %lld x %lld "
                  "for %lld x %lld",
                  ESRRF_MAX_MAGNIFICATION, (long long)image.width, (long long)image.height, (long long)seen.width,
                  (long long)seen.height);
        return;
    }
    const esrrf_fit f = esrrf_compare(p, plan_slices(plan_image(p, "wide_field"), 0, 1),
                                      plan_slices(plan_image(p, "super_resolved"), 0, 1), plan_image(p, "destination"));
    plan_set_number(p, "error", f.error);
    plan_set_number(p, "correlation", f.correlation);
    plan_set_number(p, "sigma", f.sigma);
}

static void as_image(drua_plan *p, drua_shape *shape)
{
    const drua_shape image = plan_shape(p, "super_resolved");
    *shape = (drua_shape){image.width, image.height, 1, 2};
}

DRUA_OP(error_map) = {
    .name = "error_map",
    .category = "super-resolution",
    .summary = "Compares a super-resolved image, blurred and scaled to fit best, with the wide-field image: the map "
               "shows where the two disagree.",
    .source = "resolution-scaled error and Pearson value of SQUIRREL (Culley et al. 2018); the blur is Gaussian, from "
              "0 to 4 pixels of the wide-field image",
    DRUA_PARAMS(DRUA_IMAGE_IN("wide_field", "wide-field image: the mean of the frames; first slice"),
                DRUA_IMAGE_IN("super_resolved",
                              "super-resolved image, larger than wide_field by a whole factor; first slice"),
                DRUA_IMAGE_OUT("destination", "absolute difference, in grey levels of the wide-field image",
                               .shape = as_image, .type = DRUA_FLOAT32),
                DRUA_NUMBER_OUT("error", "root mean square of the differences"),
                DRUA_NUMBER_OUT("correlation", "Pearson's correlation of the compared images; 1: perfect"),
                DRUA_NUMBER_OUT("sigma", "standard deviation of the blur, in pixels of super_resolved")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_error_map,
};
