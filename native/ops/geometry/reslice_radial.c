/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays from a line through a stack, laid side by side. */
#include "plan.h"

typedef struct rays {
    double start, step;             /**< degrees; 0 points along y, 90 along x */
    double center[2], scale[2];
} rays;

/* Positions in 2^-32 pixels: added up along a ray they stay exact. */
static int64_t fixed(double pixels)
{
    const double most = 1 << 30;
    return (int64_t)llround(fmax(-most, fmin(pixels, most)) * 4294967296.0);
}

static void cast(drua_plan *p, drua_view from, drua_view to, rays r)
{
    const double degree = 3.14159265358979323846 / 180;
    const int32_t angles = to.layout.depth;
    const size_t bytes = 2 * (size_t)angles * sizeof(int64_t);
    drua_view directions = plan_memory(p, bytes);
    int64_t *numbers = plan_host(p, bytes);
    for (int32_t a = 0; numbers && a < angles; a++) {
        const double angle = (a * r.step + r.start) * degree, most = (double)(1 << 30) / to.layout.width;
        numbers[2 * a] = fixed(fmax(-most, fmin(sin(angle) * r.scale[0], most)));
        numbers[2 * a + 1] = fixed(fmax(-most, fmin(cos(angle) * r.scale[1], most)));
    }
    plan_write(p, directions, numbers);
    LAUNCH(p, "reslice_radial", plan_grid(to.layout), ARG(from), ARG(to), POINTER(directions), LONG(fixed(r.center[0])), LONG(fixed(r.center[1])));
}

static double half_diagonal(int64_t a, int64_t b)
{
    return floor(hypot((double)(a / 2), (double)(b / 2)));
}

static int64_t at_least_one(double extent)
{
    return extent < 1 ? 1 : (int64_t)extent;
}

/* ---- around z */

static void radial_shape(drua_plan *p, drua_shape *shape)
{
    double angles = plan_number(p, "number_of_angles") / plan_number(p, "angle_step");
    *shape = (drua_shape){at_least_one(half_diagonal(shape->width, shape->height)), shape->depth, at_least_one(angles), 3};
}

static void plan_radial(drua_plan *p)
{
    cast(p, plan_image(p, "source"), plan_image(p, "destination"),
         (rays){plan_number(p, "start_angle"), plan_number(p, "angle_step"), {plan_number(p, "center_x") - 0.5, plan_number(p, "center_y") - 0.5},
                {plan_number(p, "scale_x"), plan_number(p, "scale_y")}});
}

static void plan_centered(drua_plan *p)
{
    drua_shape s = plan_shape(p, "source");
    cast(p, plan_image(p, "source"), plan_image(p, "destination"),
         (rays){0, plan_number(p, "angle_step"), {(double)s.width / 2 - 0.5, (double)s.height / 2 - 0.5}, {1, 1}});
}

static void top_shape(drua_plan *p, drua_shape *shape)
{
    radial_shape(p, shape);
    *shape = (drua_shape){shape->width, shape->depth, shape->height, 3};
}

static void build_radial_top(drua_plan *p)
{
    static const char *const numbers[] = {"number_of_angles", "angle_step", "start_angle", "center_x", "center_y", "scale_x", "scale_y"};
    drua_operand operands[8] = {plan_operand(p, "source")};
    for (int i = 0; i < 7; i++)
        operands[i + 1] = NUMBER(plan_number(p, numbers[i]));
    drua_operand radial = plan_call(p, "reslice_radial", DRUA_FLOAT32, operands, 8);
    plan_return(p, "destination", CALL(p, "reslice_top", plan_type(p, "destination"), radial));
}

/* ---- around y: the same with other axes */

static void cylinder_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "number_of_angles"), shape->height, at_least_one(half_diagonal(shape->width, shape->depth)), 3};
}

static void plan_cylinder(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout f = from.layout, t = to.layout;
    from.layout.height = f.depth, from.layout.depth = f.height, from.layout.row = f.plane, from.layout.plane = f.row;
    to.layout.width = t.depth, to.layout.depth = t.width, to.layout.column = t.plane, to.layout.plane = t.column;
    cast(p, from, to, (rays){-90, plan_number(p, "angle_step"),
                             {trunc(f.width * plan_number(p, "center_x")) - 0.5, trunc(f.depth * plan_number(p, "center_z")) - 0.5}, {1, 1}});
}

#define SOURCE DRUA_IMAGE_IN("source", "stack")
#define RESULT(shape_, doc_) DRUA_IMAGE_OUT("destination", doc_, .shape = shape_, .type = DRUA_FLOAT32)
#define STEP DRUA_NUMBER("angle_step", "angle between rays", .unit = "degree", DRUA_RANGE(0.001, 360), .preset = 1)
#define ANGLES(doc_) DRUA_INTEGER("number_of_angles", doc_, DRUA_RANGE(1, 100000), .preset = 360)
#define SCALE(axis) DRUA_NUMBER("scale_" axis, "size of a step along " axis, .unit = "pixel", .preset = 1)
#define RADIAL_PARAMS                                                                                                            \
    ANGLES("range of angles; as many rays as steps fit into it"), STEP,                                                          \
        DRUA_NUMBER("start_angle", "angle of the first ray; 0 points along y, 90 along x", .unit = "degree", .preset = 0),       \
        DRUA_NUMBER("center_x", "where the rays start; 0 is the image's left edge", .unit = "pixel", .preset = 0, .example = 32), \
        DRUA_NUMBER("center_y", "where the rays start; 0 is the image's top edge", .unit = "pixel", .preset = 0, .example = 32), SCALE("x"), SCALE("y")
#define LINEAR "linear interpolation in slices, 0 outside"
#define ARGUMENTS "source, &destination, number_of_angles, angle_step, start_angle, center_x, center_y, scale_x, scale_y"

const drua_op drua_op_reslice_radial = {
    .name = "reslice_radial",
    .category = "geometry",
    .summary = "Lays rays from a line along z side by side: the result is radius x depth x angle.",
    .source = LINEAR,
    DRUA_PARAMS(SOURCE, RESULT(radial_shape, "radius x depth x angle"), RADIAL_PARAMS),
    DRUA_ALIASES("CLIJ2/CLIJx resliceRadial: " ARGUMENTS),
    .numeric = DRUA_DEVICE,
    .plan = plan_radial,
};

const drua_op drua_op_reslice_radial_around_center = {
    .name = "reslice_radial_around_center",
    .category = "geometry",
    .summary = "Lays rays from the line in the middle along z side by side: the result is radius x depth x angle.",
    .source = LINEAR,
    DRUA_PARAMS(SOURCE, RESULT(radial_shape, "radius x depth x angle"), ANGLES("range of angles; as many rays as steps fit into it"), STEP),
    DRUA_ALIASES("CLIJ resliceRadial: source, destination, number_of_angles, angle_step"),
    .numeric = DRUA_DEVICE,
    .plan = plan_centered,
};

const drua_op drua_op_reslice_radial_top = {
    .name = "reslice_radial_top",
    .category = "geometry",
    .summary = "Lays rays from a line along z side by side, slice by slice: the result is radius x angle x depth.",
    .source = "resliceRadial, then resliceTop",
    DRUA_PARAMS(SOURCE, RESULT(top_shape, "radius x angle x depth"), RADIAL_PARAMS),
    DRUA_ALIASES("CLIJ2 resliceRadialTop: " ARGUMENTS),
    .numeric = DRUA_DEVICE,
    .build = build_radial_top,
};

const drua_op drua_op_cylinder_transform = {
    .name = "cylinder_transform",
    .category = "geometry",
    .summary = "Unrolls a stack around a line along y: the result is angle x height x radius.",
    .source = LINEAR,
    DRUA_PARAMS(SOURCE, RESULT(cylinder_shape, "angle x height x radius"), ANGLES("number of rays"), STEP,
                DRUA_NUMBER("center_x", "where the line is, as a share of the width", .preset = 0.5),
                DRUA_NUMBER("center_z", "where the line is, as a share of the depth", .preset = 0.5)),
    DRUA_ALIASES("CLIJ2/CLIJx cylinderTransform: source, &destination, number_of_angles, angle_step, center_x, center_z"),
    .numeric = DRUA_DEVICE,
    .plan = plan_cylinder,
};
