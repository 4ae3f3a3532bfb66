/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins two images side by side, one below the other, or one behind the other. The gap beside a smaller image is 0. */
#include "plan.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static drua_shape joined_shape(drua_plan *p, int axis)
{
    const drua_shape a = plan_shape(p, "stack1"), b = plan_shape(p, "stack2");
    drua_shape both = {larger(a.width, b.width), larger(a.height, b.height), larger(a.depth, b.depth),
                       larger(a.dimension, b.dimension)};
    both.extent[axis] = a.extent[axis] + b.extent[axis];
    both.dimension = axis == 2 ? 3 : both.dimension;
    return both;
}

static int64_t pixels_of(drua_shape shape)
{
    return shape.width * shape.height * shape.depth;
}

static void join_images(drua_plan *p, int axis)
{
    drua_shape a = plan_shape(p, "stack1"), b = plan_shape(p, "stack2"), all = joined_shape(p, axis),
               has = plan_shape(p, "destination");
    drua_view first = plan_image(p, "stack1"), second = plan_image(p, "stack2"), to = plan_image(p, "destination");
    bool covered = pixels_of(a) + pixels_of(b) == pixels_of(all) && has.width <= all.width &&
                   has.height <= all.height && has.depth <= all.depth;
    if (!covered)
        plan_clear(p, to);
    plan_copy(p, first, to, 0, 0, 0);
    int64_t at[3] = {0};
    at[axis] = a.extent[axis];
    plan_copy(p, second, to, at[0], at[1], at[2]);
}

#define SOURCE "pixels are copied"
#define JOIN_ALONG(name_, axis)                                                                                        \
    static void name_##_shape(drua_plan *p, drua_shape *shape)                                                         \
    {                                                                                                                  \
        *shape = joined_shape(p, axis);                                                                                \
    }                                                                                                                  \
    static void name_(drua_plan *p)                                                                                    \
    {                                                                                                                  \
        join_images(p, axis);                                                                                          \
    }
#define COMBINATION(name_, summary_, ...)                                                                              \
    {                                                                                                                  \
        .name = #name_, .category = "image", .summary = summary_, .source = SOURCE, .numeric = DRUA_EXACT,             \
        .traits = DRUA_COPIES, .launch = name_, .steps = plan_same_voxels,                                             \
        DRUA_PARAMS(DRUA_IMAGE_IN("stack1", "first image"), DRUA_IMAGE_IN("stack2", "second image"),                   \
                    DRUA_IMAGE_OUT("destination", "both", .shape = name_##_shape)),                                    \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }

JOIN_ALONG(combine_horizontally, 0)
DRUA_OP(combine_horizontally) = COMBINATION(combine_horizontally, "Puts one image to the right of another.",
                                            "CLIJ2 combineHorizontally: stack1, stack2, &destination");
JOIN_ALONG(combine_vertically, 1)
DRUA_OP(combine_vertically) = COMBINATION(combine_vertically, "Puts one image below another.",
                                          "CLIJ2 combineVertically: stack1, stack2, &destination");
JOIN_ALONG(concatenate_stacks, 2)
DRUA_OP(concatenate_stacks) = COMBINATION(concatenate_stacks, "Appends the slices of one image to those of another.",
                                          "CLIJ2/CLIJx concatenateStacks: stack1, stack2, &destination");

static void repeated_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width, shape->height, plan_integer(p, "num_slices"), 3};
}

/* Repeats the first slice with a view whose stride along z is 0. */
static void launch_repeat(drua_plan *p)
{
    drua_view plane = plan_image(p, "source"), to = plan_image(p, "destination");
    plane.layout.depth = to.layout.depth;
    plane.layout.plane = 0;
    plan_copy(p, plane, to, 0, 0, 0);
}

DRUA_OP(image_to_stack) = {
    .name = "image_to_stack",
    .category = "image",
    .summary = "Makes a stack that has the first plane of the image in every slice.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "plane to repeat, or stack whose first slice is repeated"),
                DRUA_IMAGE_OUT("destination", "stack of equal slices", .shape = repeated_shape, .partial = true),
                DRUA_INTEGER("num_slices", "number of slices", .unit = "slice", DRUA_RANGE(1, 2147483647),
                             .default_value = 2)),
    DRUA_ALIASES("CLIJ2/CLIJx imageToStack: source, &destination, num_slices"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_READS_PART | DRUA_COPIES,
    .launch = launch_repeat,
    .steps = plan_same_voxels,
};
