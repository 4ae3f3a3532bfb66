/* SPDX-License-Identifier: BSD-3-Clause */
/* A stack in polar coordinates around a point inside it: angles along x and y, distance along z. */
#include "plan.h"

typedef struct sphere {
    double step, first_inclination, first_azimuth; /**< in degrees */
    bool inclinations_along_x;
    double place[3][4]; /**< maps a direction times a distance to pixels */
} sphere;

static void write_angles(drua_plan *p, drua_view view, double first, double step, int32_t count)
{
    float *pairs = plan_host_memory(p, 2 * (size_t)count * sizeof *pairs);
    for (int32_t i = 0; pairs && i < count; i++) {
        const double angle = (first + i * step) / 180 * 3.14159265358979323846;
        pairs[2 * i] = (float)sin(angle);
        pairs[2 * i + 1] = (float)cos(angle);
    }
    plan_write(p, view, pairs);
}

static void cast_rays(drua_plan *p, const sphere *s)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const int32_t inclinations = s->inclinations_along_x ? to.layout.width : to.layout.height;
    const int32_t azimuths = s->inclinations_along_x ? to.layout.height : to.layout.width;
    drua_view down = plan_scratch_bytes(p, 8 * (uint64_t)inclinations),
              around = plan_scratch_bytes(p, 8 * (uint64_t)azimuths);
    float place[3][4];
    for (int i = 0; i < 12; i++)
        place[i / 4][i % 4] = (float)s->place[i / 4][i % 4];
    write_angles(p, down, s->first_inclination, s->step, inclinations);
    write_angles(p, around, s->first_azimuth, s->step, azimuths);
    LAUNCH(p, "reslice_polar", plan_grid(to.layout), ARG(from), ARG(to), POINTER(down), POINTER(around),
           INT(s->inclinations_along_x), TABLE(place, sizeof place));
}

/* Rotates columns `a` and `b` of a matrix by an angle. */
static void rotate_columns(double m[3][3], int a, int b, double angle)
{
    for (int column = 0; column < 3; column++) {
        const double first = m[a][column], second = m[b][column];
        m[a][column] = cos(angle) * first - sin(angle) * second;
        m[b][column] = sin(angle) * first + cos(angle) * second;
    }
}

static double radius_of(drua_shape s)
{
    return fmax(1, floor(sqrt((double)((s.width / 2) * (s.width / 2) + (s.height / 2) * (s.height / 2) +
                                       (s.depth / 2) * (s.depth / 2)))));
}

/* ---- pole along x */

static void polar_shape(drua_plan *p, drua_shape *shape)
{
    const double angles = fmax(1, floor(plan_number(p, "number_of_angles") / plan_number(p, "angle_step")));
    *shape = (drua_shape){(int64_t)angles, angles < 2 ? 1 : (int64_t)angles / 2, (int64_t)radius_of(*shape), 3};
}

static void launch_polar(drua_plan *p)
{
    static const char *const centers[] = {"center_x", "center_y", "center_z"},
                             *const scales[] = {"scale_x", "scale_y", "scale_z"},
                             *const shifts[] = {"translation_x", "translation_y", "translation_z"};
    sphere s = {plan_number(p, "angle_step"),
                plan_number(p, "start_inclination"),
                plan_number(p, "start_azimuth"),
                true,
                {{0}}};
    double m[3][3] = {{0}};
    for (int axis = 0; axis < 3; axis++)
        m[axis][(axis + 2) % 3] = plan_number(p, scales[axis]);
    rotate_columns(m, 1, 2, plan_number(p, "rotation_x"));
    rotate_columns(m, 2, 0, plan_number(p, "rotation_y"));
    rotate_columns(m, 0, 1, plan_number(p, "rotation_z"));
    for (int axis = 0; axis < 3; axis++) {
        for (int column = 0; column < 3; column++)
            s.place[axis][column] = m[axis][column];
        s.place[axis][3] = plan_number(p, centers[axis]) + plan_number(p, shifts[axis]);
    }
    cast_rays(p, &s);
}

/* ---- pole along z */

static void sphere_shape(drua_plan *p, drua_shape *shape)
{
    const int64_t angles = plan_integer(p, "number_of_angles");
    *shape = (drua_shape){angles, angles < 2 ? 1 : angles / 2, (int64_t)radius_of(*shape), 3};
}

static void launch_sphere(drua_plan *p)
{
    const drua_shape of = plan_shape(p, "source");
    const sphere s = {plan_number(p, "angle_step"),
                      0,
                      0,
                      false,
                      {{1, 0, 0, plan_number(p, "center_x") * (double)of.width - 0.5},
                       {0, 1, 0, plan_number(p, "center_y") * (double)of.height - 0.5},
                       {0, 0, 1, plan_number(p, "center_z") * (double)of.depth - 0.5}}};
    cast_rays(p, &s);
}

#define SOURCE                 DRUA_IMAGE_IN("source", "stack")
#define RESULT(shape_, doc_)   DRUA_IMAGE_OUT("destination", doc_, .shape = shape_, .type = DRUA_FLOAT32)
#define ANGLES(doc_)           DRUA_INTEGER("number_of_angles", doc_, DRUA_RANGE(1, 100000), .default_value = 360)
#define STEP                                                                                                           \
    DRUA_NUMBER("angle_step", "angle between neighbouring pixels", .unit = "degree", DRUA_RANGE(0.001, 360),           \
                .default_value = 1)
#define CENTER(axis, example_)                                                                                         \
    DRUA_NUMBER("center_" axis, "where distances begin along " axis, .unit = "pixel", .default_value = 0,              \
                .example = example_)
#define SHARE(axis, extent)                                                                                            \
    DRUA_NUMBER("center_" axis, "centre from which distances are measured, as a fraction of the " extent,              \
                .default_value = 0.5)
#define SCALE(axis) DRUA_NUMBER("scale_" axis, "size of a step along " axis, .unit = "pixel", .default_value = 1)
#define SHIFT(axis)                                                                                                    \
    DRUA_NUMBER("translation_" axis, "moves the centre along " axis, .unit = "pixel", .default_value = 0)

#define TURN(axis) DRUA_NUMBER("rotation_" axis, "rotation about " axis, .unit = "radian", .default_value = 0)

#define LINEAR                 "linear interpolation, 0 outside; "
#define NUMBERS                                                                                                        \
    "number_of_angles, angle_step, start_inclination, start_azimuth, center_x, center_y, center_z, scale_x, "          \
    "scale_y, scale_z, "                                                                                               \
    "translation_x, translation_y, translation_z, rotation_x, rotation_y, rotation_z, ~unused"

DRUA_OP(reslice_polar) = {
    .name = "reslice_polar",
    .category = "geometry",
    .summary = "Unrolls a stack around a point. The result is inclination (angle to the x axis) x azimuth (angle "
               "around the x axis) x distance.",
    .source = LINEAR "x = cos(inclination) z, y = sin(inclination) cos(azimuth) z, z = sin(inclination) sin(azimuth) z",
    DRUA_PARAMS(SOURCE, RESULT(polar_shape, "inclination x azimuth x distance"),
                ANGLES("range of inclinations in degrees; azimuths cover half of it"), STEP,
                DRUA_NUMBER("start_inclination", "first inclination; 0 points along x", .unit = "degree",
                            .default_value = 0),
                DRUA_NUMBER("start_azimuth", "first azimuth; 0 points along y, 90 along z", .unit = "degree",
                            .default_value = 0),
                CENTER("x", 32), CENTER("y", 32), CENTER("z", 8), SCALE("x"), SCALE("y"), SCALE("z"), SHIFT("x"),
                SHIFT("y"), SHIFT("z"), TURN("x"), TURN("y"), TURN("z")),
    DRUA_ALIASES("CLIJ2/CLIJx reslicePolar: source, &destination, " NUMBERS),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_polar,
};

DRUA_OP(sphere_transform) = {
    .name = "sphere_transform",
    .category = "geometry",
    .summary = "Unrolls a stack around a point: the result is azimuth x inclination x distance.",
    .source = LINEAR "azimuths run around z from x to y, inclinations from z on",
    DRUA_PARAMS(SOURCE, RESULT(sphere_shape, "azimuth x inclination x distance"),
                ANGLES("number of azimuths; there are half as many inclinations"), STEP, SHARE("x", "width"),
                SHARE("y", "height"), SHARE("z", "depth")),
    DRUA_ALIASES("CLIJ2/CLIJx sphereTransform: source, &destination, number_of_angles, angle_step, center_x, center_y, "
                 "center_z"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_sphere,
};
