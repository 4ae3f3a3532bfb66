/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies, inverts and checks deformations. */
#include "deformation.h"

#include <math.h>

/* As in kernels/registration/deformation_checks.cl. */
enum { JUDGE_GROUP = 128, JUDGE_GROUPS = 64, JUDGE_SUMS = 10, JUDGE_NUMBERS = 13 };

deformation deformation_new(drua_plan *p, int32_t width, int32_t height, int32_t depth)
{
    deformation d = {.width = width, .height = height, .depth = depth};
    d.shifts = plan_memory(p, deformation_pixels(&d) * 4 * sizeof(float));
    return d;
}

uint64_t deformation_pixels(const deformation *d)
{
    return (uint64_t)d->width * (uint64_t)d->height * (uint64_t)d->depth;
}

void deformation_extent(drua_plan *p, const char *image, drua_shape *shape)
{
    *shape = plan_shape(p, image);
    const int64_t slices = shape->depth;
    if (slices != 2 && (slices < 6 || slices % 3 != 0))
        plan_fail(p,
                  "%s has %lld slices, but a deformation, as estimateDeformation makes it, has 2 for a plane and 3 for "
                  "each slice of a stack",
                  image, (long long)slices);
    shape->depth = slices == 2 ? 1 : slices / 3;
    shape->dimension = slices == 2 ? 2 : 3;
}

deformation deformation_read(drua_plan *p, const char *image)
{
    drua_shape extent;
    deformation_extent(p, image, &extent);
    const deformation d = deformation_new(p, (int32_t)extent.width, (int32_t)extent.height, (int32_t)extent.depth);
    LAUNCH(p, "deformation_from_image", DEFORMATION_GRID(d), ARG(plan_image(p, image)), POINTER(d.shifts),
           DEFORMATION_SIZE(d));
    return d;
}

void deformation_write(drua_plan *p, const deformation *d, const char *image)
{
    LAUNCH(p, "deformation_to_image", DEFORMATION_GRID(*d), POINTER(d->shifts), DEFORMATION_SIZE(*d),
           ARG(plan_image(p, image)));
}

/* Correlation from sums over n pixels; NaN if a variance is only rounding. */
static double correlation(double n, double sum_a, double sum_b, double squares_a, double squares_b, double products)
{
    const double min = 1e-6, a = squares_a - sum_a * sum_a / n, b = squares_b - sum_b * sum_b / n;
    if (!(a > min * squares_a && b > min * squares_b))
        return NAN;
    return fmax(-1, fmin(1, (products - sum_a * sum_b / n) / sqrt(a * b)));
}

deformation_quality deformation_judge(drua_plan *p, const deformation *d, drua_view reference, drua_view before,
                                      drua_view after)
{
    float *numbers = plan_host(p, JUDGE_GROUPS * JUDGE_NUMBERS * sizeof *numbers);
    const drua_view sent = plan_memory(p, JUDGE_GROUPS * JUDGE_NUMBERS * sizeof *numbers);
    const int64_t turns = (int64_t)deformation_pixels(d) / (JUDGE_GROUPS * JUDGE_GROUP) + 1;
    LAUNCH(p, "deformation_judge", grid_of_turns(GRID(JUDGE_GROUPS * JUDGE_GROUP, 1, 1, JUDGE_GROUP, 1, 1), turns),
           POINTER(reference), POINTER(before), POINTER(after), POINTER(d->shifts), POINTER(sent),
           DEFORMATION_SIZE(*d));
    plan_read(p, sent, numbers, JUDGE_GROUPS * JUDGE_NUMBERS * sizeof *numbers);
    if (plan_failed(p))
        return (deformation_quality){0};
    double s[JUDGE_NUMBERS] = {[JUDGE_SUMS] = INFINITY};
    for (int i = 0; i < JUDGE_GROUPS * JUDGE_NUMBERS; i++) {
        const int k = i % JUDGE_NUMBERS;
        const double one = (double)numbers[i];
        s[k] = k < JUDGE_SUMS ? s[k] + one : k == JUDGE_SUMS ? fmin(s[k], one) : fmax(s[k], one);
    }
    return (deformation_quality){.before = correlation(s[0], s[1], s[2], s[4], s[5], s[7]),
                                 .after = correlation(s[0], s[1], s[3], s[4], s[6], s[8]),
                                 .residual = sqrt(fmax(0, s[4] + s[6] - 2 * s[8]) / s[0]),
                                 .folded = s[9],
                                 .jacobian = s[JUDGE_SUMS],
                                 .longest = s[JUDGE_SUMS + 1],
                                 .error = s[JUDGE_SUMS + 2]};
}

/* ---- applying */

/* The shifts along one axis of a deformation of this extent. */
static drua_operand axis_of(drua_plan *p, drua_operand field, drua_shape extent, int axis)
{
    return CALL(p, "crop", DRUA_NO_TYPE, field, NUMBER(0), NUMBER(0), NUMBER((double)(axis * extent.depth)),
                NUMBER((double)extent.width), NUMBER((double)extent.height), NUMBER((double)extent.depth));
}

drua_operand deformation_applied(drua_plan *p, drua_operand field, drua_shape extent)
{
    const drua_operand source = plan_operand(p, "source"), x = axis_of(p, field, extent, 0),
                       y = axis_of(p, field, extent, 1);
    const drua_type type = plan_type(p, "destination");
    return extent.depth > 1 ? CALL(p, "apply_vector_field_3d", type, source, x, y, axis_of(p, field, extent, 2))
                            : CALL(p, "apply_vector_field_2d", type, source, x, y);
}

static void build_apply_deformation(drua_plan *p)
{
    drua_shape extent;
    const drua_shape source = plan_shape(p, "source");
    deformation_extent(p, "deformation", &extent);
    if (source.width != extent.width || source.height != extent.height || source.depth != extent.depth)
        plan_fail(p,
                  "source has %lld x %lld x %lld pixels, but deformation describes %lld x %lld x %lld; use the image "
                  "for which it was estimated, or another channel of it",
                  (long long)source.width, (long long)source.height, (long long)source.depth, (long long)extent.width,
                  (long long)extent.height, (long long)extent.depth);
    plan_return(p, "destination", deformation_applied(p, plan_operand(p, "deformation"), extent));
}

#define DEFORMED DRUA_IMAGE_OUT("destination", "deformed image; pixels that look outside the source are 0")
#define FIELD    DRUA_IMAGE_WHOLE("deformation", "image of shifts, as estimateDeformation makes it")

DRUA_OP(apply_deformation) = {
    .name = "apply_deformation",
    .category = "transform",
    .summary = "Deforms an image by an image of shifts, for example another channel.",
    .source = "each pixel looks up the source at its shifted position, linearly interpolated",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image or stack to deform"), FIELD, DEFORMED),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_apply_deformation,
};

/* ---- inverse and Jacobian */

static void plan_invert_deformation(drua_plan *p)
{
    enum { MAX_TURNS = 100 };
    static const char *const headings[] = {"Largest_Error", "Smallest_Jacobian", "Folded_Pixels", "Largest_Shift"};
    const deformation d = deformation_read(p, "deformation"), inverse = deformation_new(p, d.width, d.height, d.depth);
    const drua_view nothing = plan_memory(p, deformation_pixels(&d) * sizeof(float));
    plan_clear(p, nothing);
    LAUNCH(p, "deformation_invert", grid_of_turns(DEFORMATION_GRID(d), MAX_TURNS), POINTER(d.shifts),
           POINTER(inverse.shifts), INT(MAX_TURNS), DEFORMATION_SIZE(d));
    const deformation_quality q = deformation_judge(p, &inverse, nothing, nothing, nothing);
    deformation_write(p, &inverse, "inverse");
    if (!plan_failed(p))
        plan_set_table(p, headings, 4, (const double[]){q.error, q.jacobian, q.folded, q.longest}, 1);
}

DRUA_OP(invert_deformation) = {
    .name = "invert_deformation",
    .category = "transform",
    .summary = "Computes the inverse of a deformation, which moves the reference onto the source.",
    .source = "v(p) = -u(p + v(p)), solved by repeated insertion, at most 100 times",
    DRUA_PARAMS(DRUA_IMAGE_IN("deformation", "image of shifts, as estimateDeformation makes it"),
                DRUA_IMAGE_OUT("inverse", "image of shifts of the same extent", .type = DRUA_FLOAT32),
                DRUA_TABLE_OUT("quality", "one row: Largest_Error (error of the equation, in pixels; large where "
                                          "the deformation folds), Smallest_Jacobian, Folded_Pixels, Largest_Shift")),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .plan = plan_invert_deformation,
};

static void plan_jacobian(drua_plan *p)
{
    const deformation d = deformation_read(p, "deformation");
    LAUNCH(p, "deformation_jacobian", DEFORMATION_GRID(d), POINTER(d.shifts), DEFORMATION_SIZE(d),
           ARG(plan_image(p, "destination")));
}

static void shape_of_pixels(drua_plan *p, drua_shape *shape)
{
    deformation_extent(p, "deformation", shape);
}

DRUA_OP(jacobian_of_deformation) = {
    .name = "jacobian_of_deformation",
    .category = "transform",
    .summary = "Shows how a deformation changes area or volume: 1 keeps it, 2 doubles it, 0 or below means that it "
               "folds.",
    .source = "determinant of the derivatives of p + shift(p), by central differences, one-sided at borders",
    DRUA_PARAMS(DRUA_IMAGE_IN("deformation", "image of shifts, as estimateDeformation makes it"),
                DRUA_IMAGE_OUT("destination", "change of area or volume", .shape = shape_of_pixels,
                               .type = DRUA_FLOAT32)),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .plan = plan_jacobian,
};
