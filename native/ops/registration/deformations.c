/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies, inverts and checks deformations. */
#include "deformation.h"

#include "../measure/reduction.h"

#include <math.h>

/* As in kernels/registration/deformation_checks.cl. */
enum { CHECK_GROUP = 128, GROUPS = 64, COMPARED = 9, MEASURED = 4 };

deformation deformation_new(drua_plan *p, int32_t width, int32_t height, int32_t depth)
{
    deformation d = {.width = width, .height = height, .depth = depth};
    d.shifts = plan_scratch_bytes(p, deformation_pixels(&d) * 4 * sizeof(float));
    return d;
}

uint64_t deformation_pixels(const deformation *d)
{
    return (uint64_t)d->width * (uint64_t)d->height * (uint64_t)d->depth;
}

drua_shape deformation_shape(drua_shape image)
{
    image.depth *= image.depth > 1 ? 3 : 2;
    image.dimension = 3;
    return image;
}

/*
 * Sets `shape` to the extent of the pixels that an image of a deformation describes: a plane if it has two slices.
 * Fails if its number of slices is neither 2 nor a multiple of 3.
 */
static void find_extent(drua_plan *p, const char *image, drua_shape *shape)
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

static deformation read_deformation(drua_plan *p, const char *image)
{
    drua_shape extent;
    find_extent(p, image, &extent);
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
static double correlation_of_sums(double n, double sum_a, double sum_b, double squares_a, double squares_b,
                                  double products)
{
    const double min = 1e-6, a = squares_a - sum_a * sum_a / n, b = squares_b - sum_b * sum_b / n;
    if (!(a > min * squares_a && b > min * squares_b))
        return NAN;
    return fmax(-1, fmin(1, (products - sum_a * sum_b / n) / sqrt(a * b)));
}

/* The grid of a kernel that checks all pixels. */
static drua_grid grid_of_checks(const deformation *d)
{
    return grid_of_turns(GRID(GROUPS * CHECK_GROUP, 1, 1, CHECK_GROUP, 1, 1),
                         (int64_t)deformation_pixels(d) / (GROUPS * CHECK_GROUP) + 1);
}

deformation_fit deformation_compare(drua_plan *p, const deformation *d, drua_view reference, drua_view before,
                                    drua_view after)
{
    float numbers[GROUPS][COMPARED];
    const drua_view sent = plan_scratch_bytes(p, sizeof numbers);
    LAUNCH(p, "deformation_compare", grid_of_checks(d), POINTER(reference), POINTER(before), POINTER(after),
           POINTER(d->shifts), POINTER(sent), DEFORMATION_SIZE(*d));
    plan_read(p, sent, numbers, sizeof numbers);
    if (plan_failed(p))
        return (deformation_fit){0};
    double s[COMPARED] = {0};
    for (int i = 0; i < GROUPS; i++)
        for (int k = 0; k < COMPARED; k++)
            s[k] += (double)numbers[i][k];
    return (deformation_fit){.before = correlation_of_sums(s[0], s[1], s[2], s[4], s[5], s[7]),
                             .after = correlation_of_sums(s[0], s[1], s[3], s[4], s[6], s[8]),
                             .residual = sqrt(fmax(0, s[4] + s[6] - 2 * s[8]) / s[0])};
}

deformation_measures deformation_measure(drua_plan *p, const deformation *d)
{
    float numbers[GROUPS][MEASURED];
    const drua_view sent = plan_scratch_bytes(p, sizeof numbers);
    LAUNCH(p, "deformation_measure", grid_of_checks(d), POINTER(d->shifts), POINTER(sent), DEFORMATION_SIZE(*d));
    plan_read(p, sent, numbers, sizeof numbers);
    if (plan_failed(p))
        return (deformation_measures){0};
    deformation_measures m = {.jacobian = INFINITY};
    for (int i = 0; i < GROUPS; i++) {
        m.folded += (double)numbers[i][0];
        m.jacobian = fmin(m.jacobian, (double)numbers[i][1]);
        m.longest = fmax(m.longest, (double)numbers[i][2]);
        m.error = fmax(m.error, (double)numbers[i][3]);
    }
    return m;
}

double deformation_finite_mean(drua_plan *p, const char *image)
{
    const drua_view view = plan_image(p, image);
    const double mean = reduction_sum(p, view) / (double)drua_layout_count(&view.layout);
    if (!plan_failed(p) && !isfinite(mean))
        plan_fail(p, "%s holds pixels that are NaN or infinite; replace them first, for example with undefinedToZero",
                  image);
    return mean;
}

bool deformation_has_texture(drua_plan *p, const char *image)
{
    const reduction r =
        reduction_read(p, reduction_send_exactly(p, "reduce_extremes", plan_image(p, image), (drua_view){0}));
    return r.high > r.low;
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
    find_extent(p, "deformation", &extent);
    if (source.width != extent.width || source.height != extent.height || source.depth != extent.depth)
        plan_fail(p,
                  "source has %lld x %lld x %lld pixels, but deformation describes %lld x %lld x %lld; use the image "
                  "for which it was estimated, or another channel of it",
                  (long long)source.width, (long long)source.height, (long long)source.depth, (long long)extent.width,
                  (long long)extent.height, (long long)extent.depth);
    plan_return(p, "destination", deformation_applied(p, plan_operand(p, "deformation"), extent));
}

#define DEFORMED                                                                                                       \
    DRUA_IMAGE_OUT("destination", "deformed image; 0 where shifts lead outside the source, NaN where a shift is NaN")
#define FIELD    DRUA_IMAGE_WHOLE("deformation", "image of shifts, as estimateDeformation makes it")

DRUA_OP(apply_deformation) = {
    .name = "apply_deformation",
    .category = "transform",
    .summary = "Deforms an image, for example another channel, by an image of shifts.",
    .source = "each pixel looks up the source at its shifted position, linearly interpolated",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image or stack to deform"), FIELD, DEFORMED),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_apply_deformation,
};

/* ---- inverse and Jacobian */

static void launch_invert_deformation(drua_plan *p)
{
    enum { MAX_TURNS = 100 };
    static const char *const headings[] = {"Largest_Error", "Smallest_Jacobian", "Folded_Pixels", "Largest_Shift"};
    const deformation d = read_deformation(p, "deformation"), inverse = deformation_new(p, d.width, d.height, d.depth);
    if (!isfinite(deformation_measure(p, &d).longest))
        plan_fail(p, "deformation holds shifts that are NaN or infinite; use an image that estimateDeformation made");
    LAUNCH(p, "deformation_invert", grid_of_turns(DEFORMATION_GRID(d), MAX_TURNS), POINTER(d.shifts),
           POINTER(inverse.shifts), INT(MAX_TURNS), DEFORMATION_SIZE(d));
    const deformation_measures m = deformation_measure(p, &inverse);
    deformation_write(p, &inverse, "inverse");
    if (!plan_failed(p))
        plan_set_table(p, headings, 4, (const double[]){m.error, m.jacobian, m.folded, m.longest}, 1);
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
    .launch = launch_invert_deformation,
};

static void launch_jacobian(drua_plan *p)
{
    const deformation d = read_deformation(p, "deformation");
    LAUNCH(p, "deformation_jacobian", DEFORMATION_GRID(d), POINTER(d.shifts), DEFORMATION_SIZE(d),
           ARG(plan_image(p, "destination")));
}

static void shape_of_pixels(drua_plan *p, drua_shape *shape)
{
    find_extent(p, "deformation", shape);
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
    .launch = launch_jacobian,
};
