/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

static drua_type type_of_bit_depth(drua_plan *p)
{
    const int64_t bits = plan_integer(p, "bit_depth");
    return bits == 8 ? DRUA_UINT8 : bits == 16 ? DRUA_UINT16 : DRUA_FLOAT32;
}

static void shape_of_plane(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), 1, 2};
}

static void shape_of_stack(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), plan_integer(p, "depth"), 3};
}

/* Does nothing: the engine has created the image and filled it with zeros. An existing image stays unchanged. */
static void nothing_more(drua_plan *p)
{
    (void)p;
}

#define EXTENT(name)                                                                                                   \
    DRUA_INTEGER(name, name " of the image", .unit = "pixel", DRUA_RANGE(1, 2147483647), .default_value = 1)
#define BIT_DEPTH                                                                                                      \
    DRUA_INTEGER("bit_depth", "8: uint8, 16: uint16, 32: float32", .unit = "bit", DRUA_RANGE_ANY,                      \
                 DRUA_ONLY(8, 16, 32), .default_value = 32)

DRUA_OP(create_2d) = {
    .name = "create_2d",
    .category = "image",
    .summary = "Creates a plane of zeros; nothing happens if the image exists.",
    .source = "memory set to 0",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "new image", .shape = shape_of_plane, .type_rule = type_of_bit_depth,
                               .partial = true),
                EXTENT("width"), EXTENT("height"), BIT_DEPTH),
    DRUA_ALIASES("CLIJ2/CLIJx/CLIJ create2D: &destination, width, height, bit_depth"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_COPIES,
    .launch = nothing_more,
};

DRUA_OP(create_3d) = {
    .name = "create_3d",
    .category = "image",
    .summary = "Creates a stack of zeros; nothing happens if the image exists.",
    .source = "memory set to 0",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "new image", .shape = shape_of_stack, .type_rule = type_of_bit_depth,
                               .partial = true),
                EXTENT("width"), EXTENT("height"), EXTENT("depth"), BIT_DEPTH),
    DRUA_ALIASES("CLIJ2/CLIJx/CLIJ create3D: &destination, width, height, depth, bit_depth"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_COPIES,
    .launch = nothing_more,
};

/* Uploads the caller's array, which has one number for each pixel. */
static void launch_push_array(drua_plan *p)
{
    size_t length;
    const double *array = plan_array(p, "array", &length);
    drua_shape shape = plan_shape(p, "destination");
    size_t count = (size_t)(shape.width * shape.height * shape.depth);
    if (length != count) {
        plan_fail(p, "array must have %zu numbers, one for each pixel, got %zu", count, length);
        return;
    }
    float *pixels = plan_host_memory(p, count * sizeof *pixels);
    for (size_t i = 0; pixels && i < count; i++)
        pixels[i] = (float)array[i];
    const int64_t layers = shape.depth > 1 ? shape.depth : shape.height,
                  thick = 1 + layers / plan_part_count(p, (int64_t)(count * sizeof *pixels));
    for (drua_tiles t = {.output = "destination", .thickness = thick, .separate = true};
         pixels && plan_next_tile(p, &t);) {
        const drua_layout l = t.to.layout;
        const int64_t *first = t.at.wanted.first;
        drua_view some = plan_scratch(p, (drua_shape){l.width, l.height, l.depth, 3}, DRUA_FLOAT32);
        plan_write(p, some, pixels + (first[2] * shape.height + first[1]) * shape.width);
        LAUNCH(p, "copy_region", plan_grid(some.layout), ARG(some), ARG(t.to), LONG(0), LONG(0), LONG(0));
        plan_free_scratch(p, some);
    }
}

DRUA_OP(push_array) = {
    .name = "push_array",
    .category = "image",
    .summary = "Makes a stack from the numbers of an array, x fastest.",
    .source = "numbers are copied, x fastest",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "image of the numbers", .shape = shape_of_stack, .type = DRUA_FLOAT32,
                               .by_tiles = true),
                DRUA_ARRAY_IN("array", "one number for each pixel"), EXTENT("width"), EXTENT("height"),
                EXTENT("depth")),
    DRUA_ALIASES("CLIJ2/CLIJx pushArray: &destination, array, width, height, depth"),
    .numeric = DRUA_EXACT,
    .launch = launch_push_array,
};

DRUA_OP(push_array_2d) = {
    .name = "push_array_2d",
    .category = "image",
    .summary = "Makes a plane from the numbers of an array, x fastest.",
    .source = "numbers are copied, x fastest",
    DRUA_PARAMS(DRUA_IMAGE_OUT("destination", "image of the numbers", .shape = shape_of_plane, .type = DRUA_FLOAT32,
                               .by_tiles = true),
                DRUA_ARRAY_IN("array", "one number for each pixel"), EXTENT("width"), EXTENT("height")),
    DRUA_ALIASES("CLIJ2/CLIJx pushArray2D: &destination, array, width, height"),
    .numeric = DRUA_EXACT,
    .launch = launch_push_array,
};
