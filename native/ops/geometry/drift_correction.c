/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates images so that their drifting content stays in place. */
#include "plan.h"

static void move_center(drua_plan *p, drua_operand measured)
{
    drua_shape s = plan_shape(p, "source");
    double center[3];
    plan_call_numbers(p, "center_of_mass", &measured, 1, center, 3);
    double x = center[0] - (double)s.width * plan_number(p, "relative_x"),
           y = center[1] - (double)s.height * plan_number(p, "relative_y"), z = 0;
    if (s.depth > 1)
        z = center[2] - (double)s.depth * plan_number(p, "relative_z");
    if (!isfinite(x + y + z)) {
        plan_fail(p,
                  "source has no centre of mass, because its pixels add up to 0 or none reaches the threshold; check "
                  "the previous steps");
        return;
    }
    plan_return(
        p, "destination",
        CALL(p, "translate", plan_type(p, "destination"), plan_operand(p, "source"), NUMBER(x), NUMBER(y), NUMBER(z)));
}

static void build_mass(drua_plan *p)
{
    move_center(p, plan_operand(p, "source"));
}

static void build_centroid(drua_plan *p)
{
    move_center(p, CALL(p, "greater_or_equal_constant", DRUA_UINT8, plan_operand(p, "source"),
                        NUMBER(plan_number(p, "threshold"))));
}

/* ---- registration to another image */

static void middle_of_bright(drua_plan *p, drua_operand image, double middle[3])
{
    const drua_operand mask = CALL(p, "automatic_threshold", DRUA_UINT8, image, TEXT("Default"));
    plan_call_numbers(p, "center_of_mass", &mask, 1, middle, 3);
    plan_release_image(p, mask);
}

/*
 * Translates an image so that its bright pixels are centred at `target`. The image is not moved if it has no bright
 * pixels, or if the image that gave `target` has none.
 */
static drua_operand moved_to(drua_plan *p, drua_operand image, const double target[3], drua_type type)
{
    double middle[3], by[3];
    middle_of_bright(p, image, middle);
    for (int axis = 0; axis < 3; axis++)
        by[axis] = isfinite(middle[axis] - target[axis]) ? middle[axis] - target[axis] : 0;
    return CALL(p, "translate", type, image, NUMBER(by[0]), NUMBER(by[1]), NUMBER(by[2]));
}

static void build_registration(drua_plan *p)
{
    double target[3];
    middle_of_bright(p, plan_operand(p, "source1"), target);
    plan_return(p, "destination", moved_to(p, plan_operand(p, "source2"), target, plan_type(p, "destination")));
}

/*
 * Registers `count` slices from `first` on. Halves are registered recursively and then concatenated, so that each slice
 * is copied only a few times.
 */
static drua_operand moved_slices(drua_plan *p, const double target[3], int64_t first, int64_t count)
{
    if (count > 1) {
        const drua_operand left = moved_slices(p, target, first, count / 2),
                           right = moved_slices(p, target, first + count / 2, count - count / 2);
        const drua_operand both = CALL(p, "concatenate_stacks", DRUA_NO_TYPE, left, right);
        plan_release_image(p, left);
        plan_release_image(p, right);
        return both;
    }
    const drua_operand slice = CALL(p, "copy_slice", DRUA_NO_TYPE, plan_operand(p, "source"), NUMBER((double)first));
    return first == 0 ? slice : moved_to(p, slice, target, DRUA_NO_TYPE);
}

static void build_slice_registration(drua_plan *p)
{
    double target[3];
    middle_of_bright(p, CALL(p, "copy_slice", DRUA_NO_TYPE, plan_operand(p, "source"), NUMBER(0)), target);
    plan_return(p, "destination", moved_slices(p, target, 0, plan_shape(p, "source").depth));
}

#define IMAGES                                                                                                         \
    DRUA_IMAGE_IN("source", "image to move"),                                                                          \
        DRUA_IMAGE_OUT("destination", "moved image; pixels that no source pixel moved to are 0")
#define SHARE(axis)                                                                                                    \
    DRUA_NUMBER("relative_" axis, "new position of the centre, as a share of the image's extent", .default_value = 0.5)
#define SHARES SHARE("x"), SHARE("y"), SHARE("z")

DRUA_OP(drift_correction_by_center_of_mass) = {
    .name = "drift_correction_by_center_of_mass",
    .category = "transform",
    .summary = "Moves an image so that its centre of mass moves to a given place.",
    .source = "centerOfMass, then translate with linear interpolation",
    DRUA_PARAMS(IMAGES, SHARES),
    DRUA_ALIASES(
        "CLIJx driftCorrectionByCenterOfMassFixation: source, &destination, relative_x, relative_y, relative_z"),
    .numeric = DRUA_DEVICE,
    .build = build_mass,
};

DRUA_OP(drift_correction_by_centroid) = {
    .name = "drift_correction_by_centroid",
    .category = "transform",
    .summary = "Moves an image so that the middle of its bright pixels moves to a given place.",
    .source = "centre of the pixels at or above the threshold, then translate with linear interpolation",
    DRUA_PARAMS(IMAGES, SHARES,
                DRUA_NUMBER("threshold", "smallest grey value of a bright pixel", .unit = "grey value",
                            .default_value = 0, .example = 40)),
    DRUA_ALIASES(
        "CLIJx driftCorrectionByCentroidFixation: source, &destination, relative_x, relative_y, relative_z, threshold"),
    .numeric = DRUA_DEVICE,
    .build = build_centroid,
};

#define BRIGHT "centres of the pixels above the Default threshold, then translate with linear interpolation"

DRUA_OP(translation_registration) = {
    .name = "translation_registration",
    .category = "transform",
    .summary = "Moves a second image so that the middle of its bright pixels moves to that of the first.",
    .source = BRIGHT,
    DRUA_PARAMS(DRUA_IMAGE_IN("source1", "image that stays"), DRUA_IMAGE_IN("source2", "image to move"),
                DRUA_IMAGE_OUT("destination", "moved image; pixels that no source pixel moved to are 0")),
    DRUA_ALIASES("CLIJx translationRegistration: source1, source2, &destination"),
    .numeric = DRUA_DEVICE,
    .build = build_registration,
};

DRUA_OP(translation_registration_of_slices) = {
    .name = "translation_registration_of_slices",
    .category = "transform",
    .summary = "Moves each slice of a stack so that the middle of its bright pixels moves to that of the first slice.",
    .source = BRIGHT,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack, such as a time-lapse"),
                DRUA_IMAGE_OUT("destination", "stack of the moved slices; pixels that no source pixel moved to are 0")),
    DRUA_ALIASES("CLIJx translationTimelapseRegistration: source, &destination"),
    .numeric = DRUA_DEVICE,
    .build = build_slice_registration,
};
