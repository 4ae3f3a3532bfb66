/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves pixels to other positions: slices as tiles, circular shifts, slices along other axes, and splitting of stacks.
 */
#include "plan.h"

/* ---- tiles */

static void tiles_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width * plan_integer(p, "tiles_x"), shape->height * plan_integer(p, "tiles_y"), 1, 2};
}

static void launch_tiles(drua_plan *p)
{
    drua_view to = plan_image(p, "destination");
    int64_t from[3], at[3];
    const drua_shape tile = plan_whole_shape(p, "source", from);
    plan_whole_shape(p, "destination", at);
    LAUNCH(p, "stack_to_tiles", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(to),
           INT(plan_integer(p, "tiles_y")), INT(tile.width), INT(tile.height), INT(tile.depth), INT(at[0]), INT(at[1]),
           INT(from[0]), INT(from[1]), INT(from[2]));
}

/*
 * Sets the box of the source. If the box of the result spans several tiles, whole rows or columns of tiles are read,
 * and all slices up to the last tile.
 */
static void tiles_region(drua_plan *p, const drua_box *made, drua_box *read)
{
    const drua_shape tile = plan_shape(p, "source");
    const int64_t *extent = tile.extent;
    int64_t first[2], last[2];
    for (int axis = 0; axis < 2; axis++) {
        first[axis] = made->first[axis] / extent[axis];
        last[axis] = (made->end[axis] - 1) / extent[axis];
        const bool one = first[axis] == last[axis];
        read->first[axis] = one ? made->first[axis] - first[axis] * extent[axis] : 0;
        read->end[axis] = one ? made->end[axis] - first[axis] * extent[axis] : extent[axis];
    }
    read->first[2] = first[0] * plan_integer(p, "tiles_y") + first[1];
    read->end[2] = last[0] * plan_integer(p, "tiles_y") + last[1] + 1;
}

/* ---- shifts */

static int32_t remainder_of(drua_plan *p, const char *name, int64_t extent)
{
    return (int32_t)(plan_integer(p, name) % extent);
}

static void launch_shift(drua_plan *p)
{
    enum { SHIFTED_ROWS = 8 };      /* as in kernels/image/rearrange.cl */
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    drua_layout l = from.layout;
    LAUNCH(p, "circular_shift",
           GRID(to.layout.width, (to.layout.height + SHIFTED_ROWS - 1) / SHIFTED_ROWS, to.layout.depth, 32, 8, 1),
           ARG(from), ARG(to), INT(remainder_of(p, "shift_x", l.width)), INT(remainder_of(p, "shift_y", l.height)),
           INT(remainder_of(p, "shift_z", l.depth)));
}

/*
 * Shifts one axis at a time: the pixels that leave at the end are placed in front of the others. For host images, the
 * copies are on the host, too.
 */
static void large_shift(drua_plan *p)
{
    static const char *const shifts[] = {"shift_x", "shift_y", "shift_z"};
    static const char *const joins[] = {"combine_horizontally", "combine_vertically", "concatenate_stacks"};
    const drua_shape s = plan_shape(p, "source");
    drua_operand image = plan_operand(p, "source");
    for (int axis = 0; axis < 3 && !plan_failed(p); axis++) {
        const int64_t shift = remainder_of(p, shifts[axis], s.extent[axis]),
                      leaves = shift < 0 ? shift + s.extent[axis] : shift;
        double first[3] = {0}, size[3] = {(double)s.width, (double)s.height, (double)s.depth};
        if (!leaves)
            continue;
        size[axis] = (double)(s.extent[axis] - leaves);
        drua_operand rest = CALL(p, "crop", DRUA_NO_TYPE, image, NUMBER(0), NUMBER(0), NUMBER(0), NUMBER(size[0]),
                                 NUMBER(size[1]), NUMBER(size[2]));
        first[axis] = size[axis];
        size[axis] = (double)leaves;
        drua_operand moved = CALL(p, "crop", DRUA_NO_TYPE, image, NUMBER(first[0]), NUMBER(first[1]), NUMBER(first[2]),
                                  NUMBER(size[0]), NUMBER(size[1]), NUMBER(size[2]));
        image = CALL(p, joins[axis], DRUA_NO_TYPE, moved, rest);
    }
    if (!plan_failed(p))
        plan_return(p, "destination", image);
}

/* ---- multiplication of slices by factors */

static void launch_scale(drua_plan *p)
{
    size_t length;
    const double *scalars = plan_array(p, "scalars", &length);
    int64_t origin[3], depth = plan_whole_shape(p, "source", origin).depth;
    if ((int64_t)length < depth) {
        plan_fail(p, "scalars must have %lld numbers, one for each slice, got %zu", (long long)depth, length);
        return;
    }
    scalars += origin[2];
    length = (size_t)plan_shape(p, "source").depth;
    drua_view factors = plan_scratch(p, (drua_shape){(int64_t)length, 1, 1, 2}, DRUA_FLOAT32),
              to = plan_image(p, "destination");
    float *numbers = plan_host_memory(p, length * sizeof *numbers);
    for (size_t i = 0; numbers && i < length; i++)
        numbers[i] = (float)scalars[i];
    plan_write(p, factors, numbers);
    LAUNCH(p, "scale_slices", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(to), POINTER(factors),
           INT(length));
}

/* ---- removal of a border */

static void less_border(drua_plan *p, drua_shape *shape)
{
    const int64_t two = 2 * plan_integer(p, "border");
    for (int axis = 0; axis < shape->dimension; axis++)
        shape->extent[axis] = shape->extent[axis] > two ? shape->extent[axis] - two : 1;
}

static void build_crop_border(drua_plan *p)
{
    drua_shape all = plan_shape(p, "source"), left = all;
    less_border(p, &left);
    plan_return(p, "destination",
                CALL(p, "crop", plan_type(p, "destination"), plan_operand(p, "source"),
                     NUMBER((double)((all.width - left.width) / 2)), NUMBER((double)((all.height - left.height) / 2)),
                     NUMBER((double)((all.depth - left.depth) / 2)), NUMBER((double)left.width),
                     NUMBER((double)left.height), NUMBER((double)left.depth)));
}

/* ---- splitting of stacks: each part has every n-th slice */

static void split_stack(drua_plan *p, int parts)
{
    static const char *const names[] = {"destination1", "destination2",  "destination3",  "destination4",
                                        "destination5", "destination6",  "destination7",  "destination8",
                                        "destination9", "destination10", "destination11", "destination12"};
    for (int i = 0; i < parts; i++)
        plan_return(
            p, names[i],
            CALL(p, "reduce_stack", plan_type(p, names[i]), plan_operand(p, "source"), NUMBER(parts), NUMBER(i)));
}

static void part_shape(drua_plan *p, drua_shape *shape, int parts)
{
    if (shape->depth < parts)
        plan_fail(p, "source must have at least %d slices, got %lld", parts, (long long)shape->depth);
    shape->depth /= parts;
}

#define PIXELS "pixels are copied"
#define SOURCE DRUA_IMAGE_IN("source", "image to read")
#define STACK DRUA_IMAGE_IN("source", "stack")
#define COUNT(name, doc_) DRUA_INTEGER(name, doc_, DRUA_RANGE(1, 100000), .default_value = 1, .example = 2)
#define SHIFT(axis)                                                                                                    \
    DRUA_INTEGER("shift_" axis, "distance along " axis, .unit = "pixel", DRUA_RANGE(-2147483648.0, 2147483647),        \
                 .default_value = 0, .example = 20)

DRUA_OP(stack_to_tiles) = {
    .name = "stack_to_tiles",
    .category = "image",
    .summary = "Lays the slices of a stack side by side as tiles of one plane, column by column.",
    .source = PIXELS,
    DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination", "plane of tiles", .shape = tiles_shape),
                COUNT("tiles_x", "number of tiles side by side"), COUNT("tiles_y", "number of tiles below each other")),
    DRUA_ALIASES("CLIJ2/CLIJx stackToTiles: source, &destination, tiles_x, tiles_y"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_READS_PART,
    .launch = launch_tiles,
    .region = tiles_region,
};

DRUA_OP(circular_shift) = {
    .name = "circular_shift",
    .category = "image",
    .summary = "Moves an image; pixels that leave on one side come in on the other.",
    .source = PIXELS,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "moved image"), SHIFT("x"), SHIFT("y"), SHIFT("z")),
    .numeric = DRUA_EXACT,
    .launch = launch_shift,
    .build_large = large_shift,
};

DRUA_OP(multiply_slices_with_scalars) = {
    .name = "multiply_slices_with_scalars",
    .category = "math",
    .summary = "Multiplies each slice of a stack by one number from a list.",
    .source = "pixel x number of its slice",
    DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination", "stack of products"),
                DRUA_ARRAY_IN("scalars", "one number for each slice")),
    DRUA_ALIASES("CLIJ2/CLIJx multiplyImageStackWithScalars: source, &destination, scalars"),
    .numeric = DRUA_EXACT,
    .launch = launch_scale,
    .parts = plan_parts_pixels,
};

DRUA_OP(crop_border) = {
    .name = "crop_border",
    .category = "image",
    .summary = "Removes a border on all sides, in stacks also the first and last slices; at least one pixel stays.",
    .source = PIXELS,
    DRUA_PARAMS(SOURCE, DRUA_IMAGE_OUT("destination", "image without its border", .shape = less_border),
                DRUA_INTEGER("border", "width of the border", .unit = "pixel", DRUA_RANGE(0, 2147483647),
                             .default_value = 1)),
    .numeric = DRUA_EXACT,
    .build = build_crop_border,
    .steps = plan_same_voxels,
};

#define PART(n, parts)                                                                                                 \
    DRUA_IMAGE_OUT("destination" #n, "slices " #n ", " #n " + " #parts " and so on", .shape = part_shape_##parts)
#define SPLIT_INTO(parts)                                                                                              \
    static void part_shape_##parts(drua_plan *p, drua_shape *shape)                                                    \
    {                                                                                                                  \
        part_shape(p, shape, parts);                                                                                   \
    }                                                                                                                  \
    static void split_##parts(drua_plan *p)                                                                            \
    {                                                                                                                  \
        split_stack(p, parts);                                                                                         \
    }
#define SPLIT(name_, parts, more_, ...)                                                                                \
    {                                                                                                                  \
        .name = #name_, .category = "image", .source = PIXELS, .numeric = DRUA_EXACT,                                  \
        .summary = "Splits a stack of " #parts " interleaved channels or frames into " #parts " stacks.",              \
        .build = split_##parts, .steps = plan_same_voxels, DRUA_PARAMS(STACK, __VA_ARGS__),                            \
        DRUA_ALIASES("CLIJx splitStackInto" #parts ": source, destination1, destination2" more_)                       \
    }

SPLIT_INTO(2)
DRUA_OP(split_stack_into_2) = SPLIT(split_stack_into_2, 2, "", PART(1, 2), PART(2, 2));
SPLIT_INTO(3)
DRUA_OP(split_stack_into_3) = SPLIT(split_stack_into_3, 3, ", destination3", PART(1, 3), PART(2, 3), PART(3, 3));
SPLIT_INTO(4)
DRUA_OP(split_stack_into_4) = SPLIT(split_stack_into_4, 4, ", destination3, destination4", PART(1, 4), PART(2, 4),
                                    PART(3, 4), PART(4, 4));
SPLIT_INTO(5)
DRUA_OP(split_stack_into_5) = SPLIT(split_stack_into_5, 5, ", destination3, destination4, destination5", PART(1, 5),
                                    PART(2, 5), PART(3, 5), PART(4, 5), PART(5, 5));
SPLIT_INTO(6)
DRUA_OP(split_stack_into_6) = SPLIT(split_stack_into_6, 6, ", destination3, destination4, destination5, destination6",
                                    PART(1, 6), PART(2, 6), PART(3, 6), PART(4, 6), PART(5, 6), PART(6, 6));
SPLIT_INTO(7)
DRUA_OP(split_stack_into_7) = SPLIT(split_stack_into_7, 7,
                                    ", destination3, destination4, destination5, destination6, destination7",
                                    PART(1, 7), PART(2, 7), PART(3, 7), PART(4, 7), PART(5, 7), PART(6, 7), PART(7, 7));
SPLIT_INTO(8)
DRUA_OP(split_stack_into_8) =
    SPLIT(split_stack_into_8, 8, ", destination3, destination4, destination5, destination6, destination7, destination8",
          PART(1, 8), PART(2, 8), PART(3, 8), PART(4, 8), PART(5, 8), PART(6, 8), PART(7, 8), PART(8, 8));
SPLIT_INTO(9)
DRUA_OP(split_stack_into_9) =
    SPLIT(split_stack_into_9, 9,
          ", destination3, destination4, destination5, destination6, destination7, destination8, destination9",
          PART(1, 9), PART(2, 9), PART(3, 9), PART(4, 9), PART(5, 9), PART(6, 9), PART(7, 9), PART(8, 9), PART(9, 9));
SPLIT_INTO(10)
DRUA_OP(split_stack_into_10) = SPLIT(
    split_stack_into_10, 10,
    ", destination3, destination4, destination5, destination6, destination7, destination8, destination9, destination10",
    PART(1, 10), PART(2, 10), PART(3, 10), PART(4, 10), PART(5, 10), PART(6, 10), PART(7, 10), PART(8, 10), PART(9, 10),
    PART(10, 10));
SPLIT_INTO(11)
DRUA_OP(split_stack_into_11) =
    SPLIT(split_stack_into_11, 11,
          ", destination3, destination4, destination5, destination6, destination7, destination8, destination9, "
          "destination10, destination11",
          PART(1, 11), PART(2, 11), PART(3, 11), PART(4, 11), PART(5, 11), PART(6, 11), PART(7, 11), PART(8, 11),
          PART(9, 11), PART(10, 11), PART(11, 11));
SPLIT_INTO(12)
DRUA_OP(split_stack_into_12) =
    SPLIT(split_stack_into_12, 12,
          ", destination3, destination4, destination5, destination6, destination7, destination8, destination9, "
          "destination10, destination11, destination12",
          PART(1, 12), PART(2, 12), PART(3, 12), PART(4, 12), PART(5, 12), PART(6, 12), PART(7, 12), PART(8, 12),
          PART(9, 12), PART(10, 12), PART(11, 12), PART(12, 12));
