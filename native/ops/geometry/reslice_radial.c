/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples a stack along rays from a line, and places the rays side by side. */
#include "plan.h"

typedef struct rays {
    double start, step;             /**< in degrees; 0 points along y, 90 along x */
    double center[2], scale[2];
} rays;

/* Converts a position to units of 2^-32 pixels, so that sums along a ray stay exact. */
static int64_t to_fixed_point(double pixels)
{
    const double max = 1 << 30;
    return (int64_t)llround(fmax(-max, fmin(pixels, max)) * 4294967296.0);
}

/* Step along ray `a` of a result of width `width`. */
static void direction_of_ray(rays r, int64_t a, int64_t width, int64_t step[2])
{
    const double degree = 3.14159265358979323846 / 180, angle = ((double)a * r.step + r.start) * degree,
                 max = (double)(1 << 30) / (double)width;
    step[0] = to_fixed_point(fmax(-max, fmin(sin(angle) * r.scale[0], max)));
    step[1] = to_fixed_point(fmax(-max, fmin(cos(angle) * r.scale[1], max)));
}

/*
 * Positions of the parts in their whole images. `rays`: in the result, as radius x slice x angle. `slices`: in the
 * source, as width x height x slice.
 */
typedef struct places {
    int64_t rays[3], slices[3], width;
} places;

/*
 * Samples the rays. Neighbouring work-items compute neighbouring pixels: pixels of one ray or, if angles are columns of
 * the result, pixels of neighbouring rays.
 */
static void cast_rays(drua_plan *p, drua_view from, drua_view to, rays r, places at, bool angles_are_columns)
{
    enum { ROWS = 8 };
    if (at.rays[1] > at.slices[2]) { /* the whole part lies after the last slice */
        plan_clear(p, plan_image(p, "destination"));
        return;
    }
    const int32_t angles = to.layout.depth;
    const size_t bytes = 4 * (size_t)angles * sizeof(int64_t);
    drua_view starts_and_steps = plan_scratch_bytes(p, bytes);
    int64_t *numbers = plan_host_memory(p, bytes);
    for (int32_t a = 0; numbers && a < angles; a++) {
        int64_t *start = numbers + 4 * a, *step = start + 2;
        direction_of_ray(r, a + at.rays[2], at.width, step);
        for (int axis = 0; axis < 2; axis++)
            start[axis] =
                to_fixed_point(r.center[axis]) + step[axis] * at.rays[0] - at.slices[axis] * (INT64_C(1) << 32);
    }
    plan_write(p, starts_and_steps, numbers);
    if (angles_are_columns)
        LAUNCH(p, "reslice_cylinder",
               GRID(angles, to.layout.width, ((int64_t)to.layout.height + ROWS - 1) / ROWS, 32, 8, 1), ARG(from),
               ARG(to), POINTER(starts_and_steps), INT(ROWS));
    else
        LAUNCH(p, "reslice_radial", plan_grid(to.layout), ARG(from), ARG(to), POINTER(starts_and_steps));
}

/*
 * Sets the box of the source that some rays read. Along two axes, the ends of the rays bound this box; along the third
 * axis, it has as many slices as the result.
 */
static void read_by(rays r, int64_t width, const drua_box *made, drua_box *read)
{
    for (int axis = 0; axis < 2; axis++)
        read->first[axis] = INT64_MAX, read->end[axis] = INT64_MIN;
    for (int64_t a = made->first[2]; a < made->end[2]; a++) {
        int64_t step[2];
        direction_of_ray(r, a, width, step);
        for (int i = 0; i < 4; i++) {
            const int axis = i % 2;
            const int64_t at =
                (to_fixed_point(r.center[axis]) + step[axis] * (i < 2 ? made->first[0] : made->end[0] - 1)) >> 32;
            read->first[axis] = at < read->first[axis] ? at : read->first[axis];
            read->end[axis] = at + 2 > read->end[axis] ? at + 2 : read->end[axis];
        }
    }
    read->first[2] = made->first[1];
    read->end[2] = made->end[1];
}

static double half_diagonal(int64_t a, int64_t b)
{
    return floor(sqrt((double)(a / 2) * (double)(a / 2) + (double)(b / 2) * (double)(b / 2)));
}

static int64_t at_least_one(double extent)
{
    return extent < 1 ? 1 : (int64_t)extent;
}

/* ---- around z */

static void radial_shape(drua_plan *p, drua_shape *shape)
{
    double angles = plan_number(p, "number_of_angles") / plan_number(p, "angle_step");
    *shape =
        (drua_shape){at_least_one(half_diagonal(shape->width, shape->height)), shape->depth, at_least_one(angles), 3};
}

static rays rays_of_line(drua_plan *p)
{
    return (rays){plan_number(p, "start_angle"),
                  plan_number(p, "angle_step"),
                  {plan_number(p, "center_x") - 0.5, plan_number(p, "center_y") - 0.5},
                  {plan_number(p, "scale_x"), plan_number(p, "scale_y")}};
}

static rays rays_from_centre(drua_plan *p)
{
    int64_t origin[3];
    const drua_shape s = plan_whole_shape(p, "source", origin);
    return (rays){0, plan_number(p, "angle_step"), {(double)s.width / 2 - 0.5, (double)s.height / 2 - 0.5}, {1, 1}};
}

static void cast_slices(drua_plan *p, rays r)
{
    places at;
    plan_whole_shape(p, "source", at.slices);
    at.width = plan_whole_shape(p, "destination", at.rays).width;
    cast_rays(p, plan_image(p, "source"), plan_image(p, "destination"), r, at, false);
}

static void launch_radial(drua_plan *p)
{
    cast_slices(p, rays_of_line(p));
}

static void launch_centered(drua_plan *p)
{
    cast_slices(p, rays_from_centre(p));
}

static void radial_region(drua_plan *p, const drua_box *made, drua_box *read)
{
    read_by(rays_of_line(p), plan_shape(p, "destination").width, made, read);
}

static void centered_region(drua_plan *p, const drua_box *made, drua_box *read)
{
    read_by(rays_from_centre(p), plan_shape(p, "destination").width, made, read);
}

static void top_shape(drua_plan *p, drua_shape *shape)
{
    radial_shape(p, shape);
    *shape = (drua_shape){shape->width, shape->depth, shape->height, 3};
}

static void build_radial_top(drua_plan *p)
{
    static const char *const numbers[] = {"number_of_angles", "angle_step", "start_angle", "center_x",
                                          "center_y",         "scale_x",    "scale_y"};
    drua_operand operands[8] = {plan_operand(p, "source")};
    for (int i = 0; i < 7; i++)
        operands[i + 1] = NUMBER(plan_number(p, numbers[i]));
    drua_operand radial = plan_call(p, "reslice_radial", DRUA_FLOAT32, operands, 8);
    plan_return(p, "destination", CALL(p, "reslice_top", plan_type(p, "destination"), radial));
}

/* ---- around y, with exchanged axes */

static void cylinder_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "number_of_angles"), shape->height,
                          at_least_one(half_diagonal(shape->width, shape->depth)), 3};
}

static rays rays_of_cylinder(drua_plan *p)
{
    int64_t origin[3];
    const drua_shape s = plan_whole_shape(p, "source", origin);
    return (rays){-90,
                  plan_number(p, "angle_step"),
                  {trunc((double)s.width * plan_number(p, "center_x")) - 0.5,
                   trunc((double)s.depth * plan_number(p, "center_z")) - 0.5},
                  {1, 1}};
}

static void swap_numbers(int64_t *a, int64_t *b)
{
    const int64_t was = *a;
    *a = *b;
    *b = was;
}

static void launch_cylinder(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout f = from.layout, t = to.layout;
    from.layout.height = f.depth, from.layout.depth = f.height, from.layout.row = f.plane, from.layout.plane = f.row;
    to.layout.width = t.depth, to.layout.depth = t.width, to.layout.column = t.plane, to.layout.plane = t.column;
    places at;
    plan_whole_shape(p, "source", at.slices);
    at.width = plan_whole_shape(p, "destination", at.rays).depth;
    swap_numbers(&at.slices[1], &at.slices[2]);
    swap_numbers(&at.rays[0], &at.rays[2]);
    cast_rays(p, from, to, rays_of_cylinder(p), at, true);
}

static void cylinder_region(drua_plan *p, const drua_box *made, drua_box *read)
{
    drua_box turned = *made;
    swap_numbers(&turned.first[0], &turned.first[2]);
    swap_numbers(&turned.end[0], &turned.end[2]);
    read_by(rays_of_cylinder(p), plan_shape(p, "destination").depth, &turned, read);
    swap_numbers(&read->first[1], &read->first[2]);
    swap_numbers(&read->end[1], &read->end[2]);
}

#define SOURCE DRUA_IMAGE_IN("source", "stack")
#define RESULT(shape_, doc_) DRUA_IMAGE_OUT("destination", doc_, .shape = shape_, .type = DRUA_FLOAT32)
#define STEP                                                                                                           \
    DRUA_NUMBER("angle_step", "angle between rays", .unit = "degree", DRUA_RANGE(0.001, 360), .default_value = 1)
#define ANGLES(doc_) DRUA_INTEGER("number_of_angles", doc_, DRUA_RANGE(1, 100000), .default_value = 360)
#define SCALE(axis)  DRUA_NUMBER("scale_" axis, "size of a step along " axis, .unit = "pixel", .default_value = 1)
#define RADIAL_PARAMS                                                                                                  \
    ANGLES("range of angles in degrees; as many rays as steps fit into it"), STEP,                                     \
        DRUA_NUMBER("start_angle", "angle of the first ray; 0 points along y, 90 along x", .unit = "degree",           \
                    .default_value = 0),                                                                               \
        DRUA_NUMBER("center_x", "where the rays start; 0 is the image's left edge", .unit = "pixel",                   \
                    .default_value = 0, .example = 32),                                                                \
        DRUA_NUMBER("center_y", "where the rays start; 0 is the image's top edge", .unit = "pixel",                    \
                    .default_value = 0, .example = 32),                                                                \
        SCALE("x"), SCALE("y")
#define LINEAR "linear interpolation in slices, 0 outside"
#define ARGUMENTS                                                                                                      \
    "source, &destination, number_of_angles, angle_step, start_angle, center_x, center_y, scale_x, scale_y"

DRUA_OP(reslice_radial) = {
    .name = "reslice_radial",
    .category = "geometry",
    .summary = "Samples a stack along rays from a line along z, and lays the rays side by side. The result is radius x "
               "depth x angle.",
    .source = LINEAR,
    DRUA_PARAMS(SOURCE, RESULT(radial_shape, "radius x depth x angle"), RADIAL_PARAMS),
    DRUA_ALIASES("CLIJ2/CLIJx resliceRadial: " ARGUMENTS),
    .numeric = DRUA_DEVICE,
    .launch = launch_radial,
    .region = radial_region,
};

DRUA_OP(reslice_radial_around_center) = {
    .name = "reslice_radial_around_center",
    .category = "geometry",
    .summary = "Samples a stack along rays from the line along z through its middle, and lays the rays side by side. "
               "The result is radius x depth x angle.",
    .source = LINEAR,
    DRUA_PARAMS(SOURCE, RESULT(radial_shape, "radius x depth x angle"),
                ANGLES("range of angles in degrees; as many rays as steps fit into it"), STEP),
    DRUA_ALIASES("CLIJ resliceRadial: source, destination, number_of_angles, angle_step"),
    .numeric = DRUA_DEVICE,
    .launch = launch_centered,
    .region = centered_region,
};

DRUA_OP(reslice_radial_top) = {
    .name = "reslice_radial_top",
    .category = "geometry",
    .summary = "Samples a stack along rays from a line along z, and lays the rays of each slice side by side. The "
               "result is radius x angle x depth.",
    .source = "resliceRadial, then resliceTop",
    DRUA_PARAMS(SOURCE, RESULT(top_shape, "radius x angle x depth"), RADIAL_PARAMS),
    DRUA_ALIASES("CLIJ2 resliceRadialTop: " ARGUMENTS),
    .numeric = DRUA_DEVICE,
    .build = build_radial_top,
};

DRUA_OP(cylinder_transform) = {
    .name = "cylinder_transform",
    .category = "geometry",
    .summary = "Unrolls a stack around a line along y: the result is angle x height x radius.",
    .source = LINEAR,
    DRUA_PARAMS(SOURCE, RESULT(cylinder_shape, "angle x height x radius"), ANGLES("number of rays"), STEP,
                DRUA_NUMBER("center_x", "position of the line, as a fraction of the width", .default_value = 0.5),
                DRUA_NUMBER("center_z", "position of the line, as a fraction of the depth", .default_value = 0.5)),
    DRUA_ALIASES(
        "CLIJ2/CLIJx cylinderTransform: source, &destination, number_of_angles, angle_step, center_x, center_z"),
    .numeric = DRUA_DEVICE,
    .launch = launch_cylinder,
    .region = cylinder_region,
};
