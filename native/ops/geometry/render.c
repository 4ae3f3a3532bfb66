/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of a volume from any direction. */
#include "plan.h"

enum { AXES = 3 };

/* As in kernels/geometry/render.cl. */
enum { MAXIMUM, SURFACE, LABELS, LABEL_SURFACE };
typedef struct camera {
    float corner[AXES], right[AXES], down[AXES], step[AXES], view[AXES];
    float slice_distance;
} camera;

static void picture_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), 1, 2};
}

static drua_type picture_type(drua_plan *p)
{
    return plan_choice(p, "mode") == LABELS ? plan_type(p, "source") : DRUA_FLOAT32;
}

/* Rotates a direction about the vertical axis, then about the horizontal axis. */
static void turn_direction(drua_plan *p, double direction[AXES])
{
    const double degree = 3.14159265358979323846 / 180, x = plan_number(p, "angle_x") * degree,
                 y = plan_number(p, "angle_y") * degree;
    const double tilted[AXES] = {direction[0], cos(x) * direction[1] + sin(x) * direction[2],
                                 cos(x) * direction[2] - sin(x) * direction[1]};
    direction[0] = cos(y) * tilted[0] + sin(y) * tilted[2];
    direction[1] = tilted[1];
    direction[2] = cos(y) * tilted[2] - sin(y) * tilted[0];
}

/* Places the camera so that at zoom 1 the whole volume fits into the picture from every direction. */
static camera place_camera(drua_plan *p, int *samples)
{
    const drua_shape s = plan_shape(p, "source");
    const double distance = plan_number(p, "slice_distance"), apart = plan_number(p, "step"),
                 width = (double)plan_integer(p, "width"), height = (double)plan_integer(p, "height");
    const double size[AXES] = {(double)s.width, (double)s.height, (double)s.depth * distance};
    const double diagonal = sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]),
                 pixel = diagonal / (plan_number(p, "zoom") * (width < height ? width : height));
    double right[AXES] = {1, 0, 0}, down[AXES] = {0, 1, 0}, view[AXES] = {0, 0, 1};
    turn_direction(p, right);
    turn_direction(p, down);
    turn_direction(p, view);
    *samples = 2 * (int)ceil(diagonal / (2 * apart)) + 1;
    camera c = {.slice_distance = (float)distance};
    for (int axis = 0; axis < AXES; axis++) {
        const double voxel = axis == 2 ? distance : 1, centre = size[axis] / voxel / 2 - 0.5;
        c.corner[axis] = (float)(centre - (((width - 1) / 2 * right[axis] + (height - 1) / 2 * down[axis]) * pixel +
                                           (*samples - 1) / 2 * apart * view[axis]) /
                                              voxel);
        c.right[axis] = (float)(right[axis] * pixel / voxel);
        c.down[axis] = (float)(down[axis] * pixel / voxel);
        c.step[axis] = (float)(view[axis] * apart / voxel);
        c.view[axis] = (float)view[axis];
    }
    return c;
}

static void launch_render(drua_plan *p)
{
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    int samples;
    const camera c = place_camera(p, &samples);
    drua_grid grid = GRID(to.layout.width, to.layout.height, 1, 16, 16, 1);
    grid.turns = samples;
    LAUNCH(p, "render_volume", grid, ARG(from), ARG(to), TABLE(&c, sizeof c), INT(plan_choice(p, "mode")),
           REAL(plan_number(p, "level")), INT(samples));
}

DRUA_OP(render_volume) = {
    .name = "render_volume",
    .category = "geometry",
    .menu = true,
    .summary = "Renders a stack in 3-D from any direction: its brightest pixels, its surface, or its labels.",
    .source = "ray casting with parallel rays (Levoy 1988); brightness of surfaces by the angle between the surface "
              "and the view (Lambert)",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "stack; for labels and label_surface a label map"),
        DRUA_IMAGE_OUT("destination",
                       "picture: grey values, brightness from 0 to 255, or labels; 0 where rays meet nothing",
                       .shape = picture_shape, .type_rule = picture_type),
        DRUA_NUMBER("angle_x", "angle by which the volume is tilted about the horizontal axis", .unit = "degree",
                    DRUA_RANGE(-36000, 36000), .default_value = 20),
        DRUA_NUMBER("angle_y", "angle by which the volume is rotated about its vertical axis", .unit = "degree",
                    DRUA_RANGE(-36000, 36000), .default_value = 30),
        DRUA_CHOICE("mode",
                    "maximum: largest grey value along each ray; surface: brightness of the surface where the "
                    "grey value rises above level; labels: the first label along each ray; label_surface: "
                    "brightness of its surface",
                    .default_text = "maximum", DRUA_CHOICES("maximum", "surface", "labels", "label_surface")),
        DRUA_NUMBER("level", "grey value above which pixels belong to the object", .unit = "grey value",
                    DRUA_RANGE(0, 4294967040.0), .default_value = 0, .enabled_if = "mode=surface"),
        DRUA_NUMBER("slice_distance", "distance between slices, in pixel widths", DRUA_RANGE(0.001, 1000),
                    .default_value = 1),
        DRUA_NUMBER("zoom", "magnification; at 1, the whole volume fits into the picture from every direction",
                    DRUA_RANGE(0.01, 1000), .default_value = 1),
        DRUA_INTEGER("width", "width of the picture", .unit = "pixel", DRUA_RANGE(1, 16384), .default_value = 512),
        DRUA_INTEGER("height", "height of the picture", .unit = "pixel", DRUA_RANGE(1, 16384), .default_value = 512),
        DRUA_NUMBER("step", "distance between samples along a ray; larger steps are faster", .unit = "pixel",
                    DRUA_RANGE(0.1, 100), .default_value = 1)),
    .numeric = DRUA_APPROXIMATE,
    .traits = DRUA_WHOLE,
    .launch = launch_render,
};
