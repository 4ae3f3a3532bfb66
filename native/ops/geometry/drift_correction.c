/* SPDX-License-Identifier: BSD-3-Clause */
/* Images moved so that what they show stays in place. */
#include "../measure/reduction.h"

static void fix(drua_plan *p, drua_operand measured)
{
    drua_shape s = plan_shape(p, "source");
    double center[3];
    plan_call_numbers(p, "center_of_mass", &measured, 1, center, 3);
    double x = center[0] - (double)s.width * plan_number(p, "relative_x"), y = center[1] - (double)s.height * plan_number(p, "relative_y"), z = 0;
    if (s.depth > 1)
        z = center[2] - (double)s.depth * plan_number(p, "relative_z");
    if (!isfinite(x + y + z)) {
        plan_fail(p, "source has no centre of mass: its pixels add up to 0; look at the steps before");
        return;
    }
    plan_return(p, "destination", CALL(p, "translate", plan_type(p, "destination"), plan_operand(p, "source"), NUMBER(x), NUMBER(y), NUMBER(z)));
}

static void build_mass(drua_plan *p) { fix(p, plan_operand(p, "source")); }

static void build_centroid(drua_plan *p)
{
    fix(p, CALL(p, "greater_or_equal_constant", DRUA_UINT8, plan_operand(p, "source"), NUMBER(plan_number(p, "threshold"))));
}

/* ---- moved onto another image */

static void middle_of_bright(drua_plan *p, drua_operand image, double middle[3])
{
    const drua_operand mask = CALL(p, "automatic_threshold", DRUA_UINT8, image, TEXT("Default"));
    plan_call_numbers(p, "center_of_mass", &mask, 1, middle, 3);
    plan_forget(p, mask);
}

/* An image without bright pixels stays where it is. */
static drua_operand moved(drua_plan *p, drua_operand image, const double middle[3], const double target[3], drua_type type)
{
    double by[3];
    for (int axis = 0; axis < 3; axis++)
        by[axis] = isfinite(middle[axis] - target[axis]) ? middle[axis] - target[axis] : 0;
    return CALL(p, "translate", type, image, NUMBER(by[0]), NUMBER(by[1]), NUMBER(by[2]));
}

static void build_registration(drua_plan *p)
{
    double target[3], middle[3];
    middle_of_bright(p, plan_operand(p, "source1"), target);
    middle_of_bright(p, plan_operand(p, "source2"), middle);
    plan_return(p, "destination", moved(p, plan_operand(p, "source2"), middle, target, plan_type(p, "destination")));
}

static void shape_of_sums(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){REDUCTION_POSITIONS, 1, 1, 2};
}

static void add_up(drua_plan *p)
{
    plan_copy(p, reduce_positions(p, plan_image(p, "source"), false), plan_image(p, "destination"), 0, 0, 0);
}

static const drua_op adding_up = {
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"), DRUA_IMAGE_OUT("destination", "the bits of its sums", .shape = shape_of_sums, .type = DRUA_UINT32)),
    .numeric = DRUA_EXACT,
    .plan = add_up,
};

/* Those of the bright pixels of each slice, on the device. */
static drua_view sums_of_slices(drua_plan *p, int64_t count)
{
    const drua_view all = plan_scratch(p, (drua_shape){REDUCTION_POSITIONS, 1, count, 3}, DRUA_UINT32);
    for (int32_t z = 0; z < count && !plan_failed(p); z++) {
        const drua_operand slice = CALL(p, "copy_slice", DRUA_NO_TYPE, plan_operand(p, "source"), NUMBER(z));
        const drua_operand mask = CALL(p, "automatic_threshold", DRUA_UINT8, slice, TEXT("Default"));
        const drua_operand sums = plan_call_private(p, &adding_up, NULL, DRUA_NO_TYPE, &mask, 1);
        plan_copy(p, plan_operand_image(p, sums), plan_slices(all, z, 1), 0, 0, 0);
        plan_forget(p, slice);
        plan_forget(p, mask);
        plan_forget(p, sums);
    }
    return all;
}

/* Three numbers a slice. The device is waited for once, when all slices are sent. */
static const double (*middles_of_slices(drua_plan *p, int64_t count))[3]
{
    const drua_view sums = sums_of_slices(p, count);
    float(*found)[REDUCTION_POSITIONS] = plan_host(p, (size_t)count * sizeof *found);
    double(*middles)[3] = plan_host(p, (size_t)count * sizeof *middles);
    plan_read(p, sums, found, (size_t)count * sizeof *found);
    for (int64_t z = 0; z < count && !plan_failed(p); z++)
        reduction_center(found[z], middles[z]);
    plan_drop(p, sums);
    return (const double(*)[3])middles;
}

/* Slices from `first` on, each moved to the middle of the first one; halves are joined, so that no slice is copied often. */
static drua_operand moved_slices(drua_plan *p, const double (*middles)[3], int64_t first, int64_t count)
{
    if (count > 1) {
        const drua_operand left = moved_slices(p, middles, first, count / 2), right = moved_slices(p, middles, first + count / 2, count - count / 2);
        const drua_operand both = CALL(p, "concatenate_stacks", DRUA_NO_TYPE, left, right);
        plan_forget(p, left);
        plan_forget(p, right);
        return both;
    }
    const drua_operand slice = CALL(p, "copy_slice", DRUA_NO_TYPE, plan_operand(p, "source"), NUMBER((double)first));
    return first == 0 || plan_failed(p) ? slice : moved(p, slice, middles[first], middles[0], DRUA_NO_TYPE);
}

static void build_slice_registration(drua_plan *p)
{
    const int64_t count = plan_shape(p, "source").depth;
    plan_return(p, "destination", moved_slices(p, middles_of_slices(p, count), 0, count));
}

#define IMAGES DRUA_IMAGE_IN("source", "image to move"), DRUA_IMAGE_OUT("destination", "moved image; 0 where nothing came to lie")
#define SHARE(axis) DRUA_NUMBER("relative_" axis, "where the centre comes to lie, as a share of the image", .preset = 0.5)
#define SHARES SHARE("x"), SHARE("y"), SHARE("z")

const drua_op drua_op_drift_correction_by_center_of_mass = {
    .name = "drift_correction_by_center_of_mass",
    .category = "transform",
    .summary = "Moves an image so that its centre of mass comes to lie at a given place.",
    .source = "centerOfMass, then translate with linear interpolation",
    DRUA_PARAMS(IMAGES, SHARES),
    DRUA_ALIASES("CLIJx driftCorrectionByCenterOfMassFixation: source, &destination, relative_x, relative_y, relative_z"),
    .numeric = DRUA_DEVICE,
    .build = build_mass,
};

const drua_op drua_op_drift_correction_by_centroid = {
    .name = "drift_correction_by_centroid",
    .category = "transform",
    .summary = "Moves an image so that the middle of its bright pixels comes to lie at a given place.",
    .source = "centre of the pixels at or above the threshold, then translate with linear interpolation",
    DRUA_PARAMS(IMAGES, SHARES, DRUA_NUMBER("threshold", "smallest grey value that counts", .unit = "grey value", .preset = 0, .example = 40)),
    DRUA_ALIASES("CLIJx driftCorrectionByCentroidFixation: source, &destination, relative_x, relative_y, relative_z, threshold"),
    .numeric = DRUA_DEVICE,
    .build = build_centroid,
};

#define BRIGHT "centres of the pixels above the Default threshold, then translate with linear interpolation"

const drua_op drua_op_translation_registration = {
    .name = "translation_registration",
    .category = "transform",
    .summary = "Moves a second image so that the middle of its bright pixels comes to lie on that of the first.",
    .source = BRIGHT,
    DRUA_PARAMS(DRUA_IMAGE_IN("source1", "image that stays"), DRUA_IMAGE_IN("source2", "image to move"),
                DRUA_IMAGE_OUT("destination", "moved image; 0 where nothing came to lie")),
    DRUA_ALIASES("CLIJx translationRegistration: source1, source2, &destination"),
    .numeric = DRUA_DEVICE,
    .build = build_registration,
};

const drua_op drua_op_translation_registration_of_slices = {
    .name = "translation_registration_of_slices",
    .category = "transform",
    .summary = "Moves each slice of a stack so that the middle of its bright pixels comes to lie on that of the first slice.",
    .source = BRIGHT,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack, such as a time-lapse"), DRUA_IMAGE_OUT("destination", "stack of the moved slices; 0 where nothing came to lie")),
    DRUA_ALIASES("CLIJx translationTimelapseRegistration: source, &destination"),
    .numeric = DRUA_DEVICE,
    .build = build_slice_registration,
};
