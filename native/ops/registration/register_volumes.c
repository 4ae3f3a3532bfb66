/* SPDX-License-Identifier: BSD-3-Clause */
/* Aligns a stack with another one by a shift, a rotation, a scale or an affine transform. */
#include "volume_poses.h"

#include <string.h>

/* Below this correlation, a user should look at the result. */
static const double weak_correlation = 0.3;

/* Below this ratio of peaks, an alignment may be chance, or one of several that fit. */
static const double doubtful_ratio = 1.6;

enum { TABLE_COLUMNS = 16, MATCH = 12 };
static const char *const headings[TABLE_COLUMNS] = {"XX",          "XY",       "XZ",      "Shift_X",   "YX", "YY",
                                                    "YZ",          "Shift_Y",  "ZX",      "ZY",        "ZZ", "Shift_Z",
                                                    "Correlation", "Residual", "Overlap", "Peak_Ratio"};

static void search_volumes(drua_plan *p, double cells[TABLE_COLUMNS])
{
    const volume_mode mode = (volume_mode)plan_choice(p, "mode");
    const volume_reach reach = (volume_reach)plan_choice(p, "search");
    if (reach == VOLUME_ROTATIONS && mode == VOLUME_TRANSLATION)
        plan_fail(p, "search must be near or shifts if mode is translation, got rotations; set mode to rigid_body");
    const volume_search s = volume_search_begin(p, mode, (volume_missing)plan_choice(p, "missing"));
    volume_map map = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    cells[MATCH + 3] = reach == VOLUME_NEAR ? NAN : volume_search_poses(&s, reach, &map);
    for (int level = s.levels.count - 1; reach == VOLUME_NEAR && level >= 0 && !plan_failed(p); level--) {
        volume_search_level(&s, level, &map);
        plan_progress(p, ldexp(1, -3 * level));
    }
    double totals[VOLUME_AXES * VOLUME_SUMS] = {0};
    if (!plan_failed(p))
        volume_compare(&s, 0, &map, totals);
    const volume *first = &s.levels.reference[0];
    const volume_match match = volume_match_of(totals, s.levels.difference);
    const volume_map pixels = volume_to_pixels(&map, &s.levels.reference[0], &s.levels.source[0]);
    memcpy(cells, pixels.at, sizeof pixels.at);
    cells[MATCH] = match.correlation;
    cells[MATCH + 1] = match.residual;
    cells[MATCH + 2] = match.number / ((double)first->extent[0] * first->extent[1] * first->extent[2]);
    drua_view sent = plan_scratch(p, (drua_shape){4, 3, 1, 2}, DRUA_FLOAT32);
    float numbers[12];
    for (int i = 0; i < 12; i++)
        numbers[i] = (float)cells[i];
    plan_write(p, sent, numbers);
    plan_copy(p, sent, plan_image(p, "transform"), 0, 0, 0);
}

static void report_transform(drua_plan *p, const double cells[TABLE_COLUMNS])
{
    if (plan_failed(p))
        return;
    plan_set_table(p, headings, TABLE_COLUMNS, cells, 1);
    if (isnan(cells[MATCH]))
        plan_add_message(p, "source or reference has the same value everywhere, so there is no transform to find");
    else if (cells[MATCH] < weak_correlation)
        plan_add_message(
            p,
            "the correlation after the transform is only %.2f; check whether both stacks show the same scene. If they "
            "are far apart, set search to shifts; if they are rotated by more than 20 degrees, set it to rotations",
            cells[MATCH]);
    else if (cells[MATCH + 3] < doubtful_ratio)
        plan_add_message(
            p,
            "the alignment may be chance: its peak is only %.2f times as high as those of other alignments "
            "(reliable from %.1f). Do both stacks show the same scene, without symmetric or repeating objects?",
            cells[MATCH + 3], doubtful_ratio);
}

static void launch_estimate_volume(drua_plan *p)
{
    double cells[TABLE_COLUMNS] = {0};
    search_volumes(p, cells);
    report_transform(p, cells);
}

static void shape_of_transform(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){4, 3, 1, 2};
    (void)p;
}

/* Both volumes and their coarser levels. */
static uint64_t scratch_of_search(drua_plan *p)
{
    const drua_shape a = plan_shape(p, "source"), b = plan_shape(p, "reference");
    return 6 * (uint64_t)(a.width * a.height * a.depth + b.width * b.height * b.depth) +
           volume_poses_bytes((volume_reach)plan_choice(p, "search"));
}

/* Whether the box around the mapped corners of the result lies outside the source. */
static bool leaves_image(const volume_map *m, drua_shape source, drua_shape result)
{
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 8; k++) {
            double at = m->at[axis][3];
            for (int j = 0; j < 3; j++)
                at += m->at[axis][j] * (k >> j & 1 ? (double)result.extent[j] - 1 : 0);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        if (high < -0.5 || low > (double)source.extent[axis] - 0.5)
            return true;
    }
    return false;
}

static void launch_apply_volume(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "transform");
    float numbers[VOLUME_MAP_NUMBERS] = {0};
    if (s.width != 4 || s.height != 3 || s.depth != 1)
        plan_fail(p,
                  "transform must have 3 rows of 4 numbers, as estimateRegistration3d makes them, got %lld x %lld x "
                  "%lld",
                  (long long)s.width, (long long)s.height, (long long)s.depth);
    if (plan_failed(p))
        return;
    plan_read_floats(p, plan_image(p, "transform"), numbers);
    volume_map m;
    for (int i = 0; i < 12; i++) {
        m.at[i / 4][i % 4] = (double)numbers[i];
        if (!(fabsf(numbers[i]) < 1e6f))
            plan_fail(p, "transform must hold numbers below a million, got %g", (double)numbers[i]);
    }
    if (!plan_failed(p) && fabs(volume_change(&m)) < 1e-6)
        plan_fail(p, "transform must not shrink the stack to a plane, a line or a point; use rows that "
                     "estimateRegistration3d made, or 1, 0, 0, 0, then 0, 1, 0, 0, then 0, 0, 1, 0");
    if (!plan_failed(p) && leaves_image(&m, plan_shape(p, "source"), plan_shape(p, "reference")))
        plan_add_message(p, "the stack moves out of the image; all pixels of the result are 0");
    drua_view sent = plan_scratch(p, (drua_shape){VOLUME_MAP_NUMBERS, 1, 1, 2}, DRUA_FLOAT32);
    plan_write(p, sent, numbers);
    const drua_view to = plan_image(p, "destination");
    LAUNCH(p, "volume_move", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(to), POINTER(sent));
}

static void shape_of_moved(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "reference");
}

#define VOLUMES                                                                                                        \
    DRUA_IMAGE_IN("source", "stack to move"),                                                                          \
        DRUA_IMAGE_IN("reference", "stack with which source is aligned; voxel sizes count if both stacks have them")
#define TRANSFORM                                                                                                      \
    "three rows XX, XY, XZ, Shift_X; YX, ...; ZX, ...: pixel x, y, z of the result lies at XX x + XY y + XZ z + "      \
    "Shift_X, ... of the source"
#define MODE                                                                                                           \
    DRUA_CHOICE(                                                                                                       \
        "mode",                                                                                                        \
        "movements to undo; rigid_body: shift and rotation; scaled_rotation: also one scale; affine: also shear",      \
        .default_text = "rigid_body", DRUA_CHOICES("translation", "rigid_body", "scaled_rotation", "affine"))
#define SEARCH                                                                                                         \
    DRUA_CHOICE("search",                                                                                              \
                "where the search begins; near: with the stacks as they are; shifts: with all shifts; rotations: "     \
                "with all rotations and shifts, for views from different sides",                                       \
                .default_text = "near", DRUA_CHOICES("near", "shifts", "rotations"))
#define MISSING                                                                                                        \
    DRUA_CHOICE("missing", "pixels of both stacks that do not count: those that are 0, or those that are NaN",         \
                .default_text = "none", DRUA_CHOICES("none", "zero", "nan"))
#define MATCHED                                                                                                        \
    DRUA_TABLE_OUT("registration",                                                                                     \
                   "one row: the transform, Correlation with the reference (1: equal up to "                           \
                   "brightness and contrast), Residual (root of the mean square difference), Overlap "                 \
                   "(part of the reference), Peak_Ratio (peak of the coarse correlation divided by the "               \
                   "highest one of other alignments; 0: nothing found; undefined if search is near)")
#define METHOD                                                                                                         \
    "Gauss-Newton steps with damping towards the largest correlation, on a pyramid of means of 2 x 2 x 2 pixels; "     \
    "Evangelidis and Psarakis 2008 describe this criterion. Wide searches begin with correlations by Fourier "         \
    "transforms, at 648 rotations as Karney 2007 describes"

DRUA_OP(estimate_registration_3d) = {
    .name = "estimate_registration_3d",
    .category = "transform",
    .summary = "Finds how a stack is shifted, rotated, scaled or sheared against another one.",
    .source = METHOD,
    DRUA_PARAMS(VOLUMES, DRUA_IMAGE_OUT("transform", TRANSFORM, .shape = shape_of_transform, .type = DRUA_FLOAT32),
                MODE, SEARCH, MISSING, MATCHED),
    DRUA_ALIASES("Drua estimateRegistration3d: source, reference, &transform, mode, search=near, missing=none"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .scratch = scratch_of_search,
    .launch = launch_estimate_volume,
};

DRUA_OP(apply_registration_3d) = {
    .name = "apply_registration_3d",
    .category = "transform",
    .summary = "Moves a stack by a transform, for example another channel by the transform of the first.",
    .source = "linear interpolation between the 8 nearest pixels; integers are rounded to the nearest",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack to move"),
                DRUA_IMAGE_IN("reference", "stack whose extent the result gets"),
                DRUA_IMAGE_WHOLE("transform", TRANSFORM),
                DRUA_IMAGE_OUT("destination", "moved stack; 0 outside the source", .shape = shape_of_moved)),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_apply_volume,
};

/* ---- estimating and applying in one call */

static void launch_searching(drua_plan *p)
{
    search_volumes(p, plan_state(p));
}

static const drua_op searching = {
    .name = "volume_search",
    DRUA_PARAMS(VOLUMES, DRUA_IMAGE_OUT("transform", TRANSFORM, .shape = shape_of_transform, .type = DRUA_FLOAT32),
                MODE, SEARCH, MISSING),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .scratch = scratch_of_search,
    .launch = launch_searching,
};

static void build_register_volumes(drua_plan *p)
{
    double cells[TABLE_COLUMNS] = {0};
    const drua_operand source = plan_operand(p, "source"), reference = plan_operand(p, "reference"),
                       operands[] = {source, reference, TEXT(plan_text(p, "mode")), TEXT(plan_text(p, "search")),
                                     TEXT(plan_text(p, "missing"))};
    const drua_operand transform = plan_call_private(p, &searching, cells, DRUA_FLOAT32, operands, 5);
    plan_operand_image(p, transform); /* computes it, and `cells` */
    report_transform(p, cells);
    if (!plan_failed(p))
        plan_return(p, "destination",
                    CALL(p, "apply_registration_3d", plan_type(p, "destination"), source, reference, transform));
}

DRUA_OP(register_volumes) = {
    .name = "register_volumes",
    .category = "transform",
    .menu = true,
    .summary = "Aligns a stack with another one, for example two views, time points or channels.",
    .source = METHOD,
    DRUA_PARAMS(VOLUMES,
                DRUA_IMAGE_OUT("destination", "moved stack of the reference's extent; 0 outside the source",
                               .shape = shape_of_moved),
                MODE, SEARCH, MISSING, MATCHED),
    DRUA_ALIASES("Drua registerVolumes: source, reference, &destination, mode, search=near, missing=none"),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .build = build_register_volumes,
};
