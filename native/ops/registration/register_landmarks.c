/* SPDX-License-Identifier: BSD-3-Clause */
/* Deforms images so that landmarks come to given places. */
#include "deformation.h"
#include "point_pairs.h"

enum { MAX_PAIRS = 2000, AFFINE_MODE = 0, THIN_PLATE_MODE };

/* Columns of the table of residuals. */
enum { COLUMNS = 6 };
static const char *const headings[COLUMNS] = {"Landmark", "X", "Y", "Z", "Error", "Affine_Error"};

/* Results of a fit: a row for each pair, and how much the deformation folds. */
typedef struct landmark_result {
    double *cells;
    double jacobian, folded;
} landmark_result;

static point_pairs read_pairs(drua_plan *p, drua_shape image)
{
    const drua_shape s = plan_shape(p, "landmarks");
    if (!plan_failed(p) && ((s.width != 4 && s.width != 6) || s.depth != 1 || s.height > MAX_PAIRS))
        plan_fail(p,
                  "landmarks must have a row for each of at most %d pairs, with x, y (in stacks also z) in the source "
                  "and x, y (z) in the result, got %lld x %lld x %lld numbers",
                  MAX_PAIRS, (long long)s.width, (long long)s.height, (long long)s.depth);
    if (!plan_failed(p) && s.width == 6 && image.depth == 1)
        plan_fail(p, "landmarks has 6 columns, with z, but source is a plane; use 4 columns: x, y in the source, and "
                     "x, y in the result");
    point_pairs pairs = {.count = (int)s.height, .dimension = (int)s.width / 2};
    float *numbers = plan_host_memory(p, (size_t)(s.width * s.height) * sizeof *numbers);
    pairs.at = plan_host_memory(p, (size_t)s.height * sizeof *pairs.at);
    pairs.shift = plan_host_memory(p, (size_t)s.height * sizeof *pairs.shift);
    if (plan_failed(p))
        return pairs;
    plan_read_floats(p, plan_image(p, "landmarks"), numbers);
    for (int i = 0; i < pairs.count && !plan_failed(p); i++)
        for (int axis = 0; axis < pairs.dimension; axis++) {
            const float *row = numbers + (size_t)i * (size_t)s.width;
            const double from = (double)row[axis], to = (double)row[pairs.dimension + axis];
            if (!(fabs(from) < 1e6 && fabs(to) < 1e6))
                plan_fail(p, "landmarks must be positions within a million pixels, got %g for landmark %d",
                          fabs(from) < 1e6 ? to : from, i + 1);
            pairs.at[i][axis] = to;
            pairs.shift[i][axis] = from - to;
        }
    return pairs;
}

/* Sends rows of three numbers as rows of four. */
static drua_view send_rows(drua_plan *p, double (*rows)[3], int count)
{
    float *numbers = plan_host_memory(p, 4 * (size_t)count * sizeof *numbers);
    const drua_view sent = plan_scratch(p, (drua_shape){4, count, 1, 2}, DRUA_FLOAT32);
    if (plan_failed(p))
        return sent;
    for (int i = 0; i < 3 * count; i++)
        numbers[4 * (i / 3) + i % 3] = (float)rows[i / 3][i % 3];
    plan_write(p, sent, numbers);
    return sent;
}

/* Writes the shifts of all pixels, and measures where they fold. */
static void write_field(drua_plan *p, const point_fit *fit, const point_pairs *pairs, drua_shape s,
                        landmark_result *result)
{
    const deformation d = deformation_new(p, (int32_t)s.width, (int32_t)s.height, (int32_t)s.depth);
    const int count = fit->bends ? pairs->count : 0;
    double(*points)[3] = plan_host_memory(p, (size_t)(pairs->count + 1) * sizeof *points);
    if (plan_failed(p))
        return;
    for (int i = 0; i < 3 * count; i++)
        points[i / 3][i % 3] = (pairs->at[i / 3][i % 3] - fit->center[i % 3]) / fit->extent;
    const drua_view at = send_rows(p, points, count + 1), weights = send_rows(p, fit->rows, AFFINE_ROWS + count);
    LAUNCH(p, "landmark_shifts", grid_of_turns(DEFORMATION_GRID(d), count + 1), POINTER(at), POINTER(weights),
           INT(count), INT(pairs->dimension == 3), REAL(fit->center[0]), REAL(fit->center[1]), REAL(fit->center[2]),
           REAL(fit->extent), DEFORMATION_SIZE(d), POINTER(d.shifts));
    deformation_write(p, &d, "deformation");
    const deformation_measures q = deformation_measure(p, &d);
    result->folded = q.folded;
    result->jacobian = q.jacobian;
}

static void fit_landmarks(drua_plan *p, landmark_result *result)
{
    const drua_shape s = plan_shape(p, "source");
    const point_pairs pairs = read_pairs(p, s);
    const point_fit affine = point_fit_of(p, &pairs, false);
    const point_fit fit =
        plan_choice(p, "mode") == AFFINE_MODE || plan_failed(p) ? affine : point_fit_of(p, &pairs, true);
    if (plan_failed(p))
        return;
    write_field(p, &fit, &pairs, s, result);
    for (int i = 0; i < pairs.count; i++) {
        double *row = result->cells + (size_t)i * COLUMNS;
        row[0] = i + 1;
        for (int axis = 0; axis < 3; axis++)
            row[1 + axis] = pairs.at[i][axis];
        row[4] = point_error(&fit, &pairs, i);
        row[5] = point_error(&affine, &pairs, i);
    }
}

static landmark_result new_result(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "landmarks");
    return (landmark_result){.cells = plan_host_memory(p, (size_t)s.height * COLUMNS * sizeof(double))};
}

static void report_landmarks(drua_plan *p, const landmark_result *result)
{
    if (plan_failed(p))
        return;
    plan_set_table(p, headings, COLUMNS, result->cells, (size_t)plan_shape(p, "landmarks").height);
    if (result->folded > 0)
        plan_add_message(
            p,
            "the deformation folds at %.0f pixels (smallest Jacobian %.3g); look for landmarks with a large "
            "Affine_Error, whose two points may be swapped with those of others",
            result->folded, result->jacobian);
}

static void launch_deformation_from_landmarks(drua_plan *p)
{
    landmark_result result = new_result(p);
    if (plan_failed(p))
        return;
    fit_landmarks(p, &result);
    report_landmarks(p, &result);
}

static void shape_of_field(drua_plan *p, drua_shape *shape)
{
    *shape = deformation_shape(plan_shape(p, "source"));
}

/* Shifts with four floats per pixel. */
static uint64_t scratch_of_field(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "source");
    return 16 * (uint64_t)s.width * (uint64_t)s.height * (uint64_t)s.depth;
}

#define LANDMARKS                                                                                                      \
    DRUA_IMAGE_WHOLE("landmarks", "a row for each pair of points: x, y (in stacks also z) of a place in the source, "  \
                                  "then x, y (z) of the same place in the result, in pixels from the centre of the "   \
                                  "first one")
#define MODE                                                                                                           \
    DRUA_CHOICE(                                                                                                       \
        "mode",                                                                                                        \
        "affine: shift, rotation, scale and shear that fit all pairs best; thin_plate: bends the image, so that "      \
        "each point comes to its place exactly",                                                                       \
        .default_text = "affine", DRUA_CHOICES("affine", "thin_plate"))
#define FIELD                                                                                                          \
    DRUA_IMAGE_OUT("deformation",                                                                                      \
                   "for each pixel of the result, the shift to its place in the source, as "                           \
                   "estimateDeformation makes it",                                                                     \
                   .shape = shape_of_field, .type = DRUA_FLOAT32)
#define RESIDUALS                                                                                                      \
    DRUA_TABLE_OUT("residuals", "a row for each pair: Landmark, X, Y, Z in the result, Error (distance between both "  \
                                "points after the transform, in pixels), Affine_Error (the same for mode affine; a "   \
                                "large one may be a mistake)")
#define METHOD                                                                                                         \
    "affine: least squares; thin_plate: Bookstein 1989, with r^2 log r^2 in planes and r in stacks, where r is the "   \
    "distance to a landmark"

DRUA_OP(deformation_from_landmarks) = {
    .name = "deformation_from_landmarks",
    .category = "transform",
    .summary =
        "Makes the deformation that brings landmarks to given places; applyDeformation applies it to any channel.",
    .source = METHOD,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image or stack whose extent the deformation gets"), LANDMARKS, FIELD, MODE,
                RESIDUALS),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .scratch = scratch_of_field,
    .launch = launch_deformation_from_landmarks,
};

/* ---- fitting and applying in one call */

static void launch_fitting(drua_plan *p)
{
    fit_landmarks(p, plan_state(p));
}

static const drua_op fitting = {
    .name = "landmark_fit",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image or stack"), LANDMARKS, FIELD, MODE),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .scratch = scratch_of_field,
    .launch = launch_fitting,
};

static void build_register_landmarks(drua_plan *p)
{
    landmark_result result = new_result(p);
    if (plan_failed(p))
        return;
    const drua_operand operands[] = {plan_operand(p, "source"), plan_operand(p, "landmarks"),
                                     TEXT(plan_text(p, "mode"))};
    const drua_operand field = plan_call_private(p, &fitting, &result, DRUA_FLOAT32, operands, 3);
    plan_operand_image(p, field); /* computes it, and `result` */
    report_landmarks(p, &result);
    if (!plan_failed(p))
        plan_return(p, "destination", deformation_applied(p, field, plan_shape(p, "source")));
}

DRUA_OP(register_landmarks) = {
    .name = "register_landmarks",
    .category = "transform",
    .menu = true,
    .summary = "Moves or bends an image so that landmarks, such as beads, come to given places.",
    .source = METHOD,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image or stack"), LANDMARKS,
                DRUA_IMAGE_OUT("destination", "moved image; 0 outside the source"), MODE, RESIDUALS),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_register_landmarks,
};
