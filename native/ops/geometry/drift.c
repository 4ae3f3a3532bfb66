/* SPDX-License-Identifier: BSD-3-Clause */
/* Images moved so that what they show stays in place. */
#include "plan.h"

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
