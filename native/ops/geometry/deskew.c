/* SPDX-License-Identifier: BSD-3-Clause */
/* Straightens stacks of a light sheet that is tilted against the direction in which the stage moves. */
#include "plan.h"

/* The geometry of a call, in pixels of a plane. */
typedef struct skew {
    double sine, cosine, step; /* `step`: distance that the stage moves from plane to plane */
    int order;
    bool rotate;
    drua_shape source;
} skew;

static skew skew_of(drua_plan *p)
{
    int64_t origin[3];
    const double angle = plan_number(p, "angle") * 3.14159265358979323846 / 180;
    return (skew){.sine = sin(angle),
                  .cosine = cos(angle),
                  .step = plan_number(p, "step_size") / plan_number(p, "pixel_size"),
                  .order = plan_choice(p, "direction") == 0 ? 1 : -1,
                  .rotate = plan_flag(p, "rotate_to_coverslip"),
                  .source = plan_whole_shape(p, "source", origin)};
}

/* Returns the number of pixel centres from 0 to a position that rounding may have made a little too small. */
static double count_centres(double last)
{
    return floor(last + 1e-6) + 1;
}

static void deskewed_shape(drua_plan *p, drua_shape *shape)
{
    const skew s = skew_of(p);
    const double planes = (double)s.source.depth - 1, rows = (double)s.source.height - 1, max = 2147483647;
    const double height =
                     count_centres(s.rotate ? planes * s.step + rows * s.cosine : rows + planes * s.step * s.cosine),
                 depth = s.rotate ? count_centres(rows * s.sine) : planes + 1;
    if (!(height <= max && depth <= max)) {
        plan_fail(p,
                  "the result would have %g rows; check angle, pixel_size and step_size, which must have the same unit",
                  height);
        return;
    }
    *shape = (drua_shape){s.source.width, (int64_t)height, (int64_t)depth, 3};
}

static void launch_deskew(drua_plan *p)
{
    const skew s = skew_of(p);
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    int64_t read[3], made[3];
    plan_whole_shape(p, "source", read);
    plan_whole_shape(p, "destination", made);
    const double shift = s.step * s.cosine, whole = floor(shift);
    if (s.rotate)
        LAUNCH(p, "deskew_rotate", plan_grid(to.layout), ARG(from), ARG(to), REAL(s.step), REAL(s.sine), REAL(s.cosine),
               INT(s.order), INT(s.source.height), INT(s.source.depth), INT(made[1]), INT(made[2]), INT(read[1]),
               INT(read[2]));
    else
        LAUNCH(p, "deskew_shear", plan_grid(to.layout), ARG(from), ARG(to), INT(whole), REAL(shift - whole),
               INT(s.order), INT(s.source.height), INT(s.source.depth), INT(made[1]), INT(made[2]), INT(read[1]),
               INT(read[2]));
}

/* Sets the rows and planes that a box of the result needs, with a margin for rounding. */
static void region_of_deskew(drua_plan *p, const drua_box *made, drua_box *read)
{
    const skew s = skew_of(p);
    const double first_y = (double)made->first[1], last_y = (double)made->end[1] - 1, first_z = (double)made->first[2],
                 last_z = (double)made->end[2] - 1, shift = s.step * s.cosine, planes = (double)s.source.depth - 1;
    double plane[2] = {first_z, last_z}, row[2];
    if (s.rotate) {
        const double tilt = s.cosine / s.sine;
        plane[0] = floor((first_y - last_z * tilt) / s.step) - 1;
        plane[1] = floor((last_y - first_z * tilt) / s.step) + 2;
        row[0] = first_z / s.sine - shift;
        row[1] = last_z / s.sine + shift;
        if (s.order < 0) {
            const double from = planes - plane[1];
            plane[1] = planes - plane[0];
            plane[0] = from;
        }
    } else {
        const double min = s.order > 0 ? first_z : planes - last_z, max = s.order > 0 ? last_z : planes - first_z;
        row[0] = first_y - max * shift;
        row[1] = last_y - min * shift;
    }
    *read = *made;
    read->first[1] = (int64_t)floor(row[0]) - 1;
    read->end[1] = (int64_t)floor(row[1]) + 3;
    read->first[2] = (int64_t)plane[0];
    read->end[2] = (int64_t)plane[1] + 1;
}

/*
 * Sets the step along z. Planes of the source are one step of the stage apart. Planes of the result are nearer or,
 * after rotation, as far apart as pixels.
 */
static void steps_of_deskew(drua_plan *p, double steps[3][3])
{
    const skew s = skew_of(p);
    steps[2][2] = s.rotate ? 1 / s.step : s.sine;
}

DRUA_OP(deskew) = {
    .name = "deskew",
    .category = "geometry",
    .menu = true,
    .summary = "Straightens a stack of tilted planes, as light sheets record them while the stage moves.",
    .source = "linear interpolation in each plane; rotated into the coverslip's frame: between the two nearest planes, "
              "each at the foot of the perpendicular (Sapoznik et al. 2020)",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "planes, one per slice; y is the direction in which they are tilted"),
                DRUA_IMAGE_OUT("destination", "straight stack; 0 outside the recorded volume", .shape = deskewed_shape),
                DRUA_NUMBER("angle", "angle between the planes and the coverslip", .unit = "degree",
                            DRUA_RANGE(1, 89.999), .default_value = 30),
                DRUA_NUMBER("pixel_size", "pixel size in a plane", DRUA_RANGE(1e-6, 1e6), .default_value = 1),
                DRUA_NUMBER("step_size", "distance that the stage moves from plane to plane, in the unit of pixel_size",
                            DRUA_RANGE(1e-6, 1e6), .default_value = 1),
                DRUA_CHOICE("direction", "forward: later planes lie at larger y; backward: at smaller y",
                            .default_text = "forward", .example_text = "backward", DRUA_CHOICES("forward", "backward")),
                DRUA_BOOLEAN("rotate_to_coverslip",
                             "off: y of the result runs within the planes, and z perpendicular to them; on: z is the "
                             "height above the coverslip, and voxels are cubes of pixel_size",
                             .default_value = 0)),
    .numeric = DRUA_APPROXIMATE,
    .launch = launch_deskew,
    .region = region_of_deskew,
    .steps = steps_of_deskew,
};
