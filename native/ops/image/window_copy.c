/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies images, and cuts boxes and slices out of them. */
#include "plan.h"

#define POSITION(name, doc_)                                                                                           \
    DRUA_INTEGER(name, doc_, .unit = "pixel", DRUA_RANGE(-2147483648.0, 2147483647), .default_value = 0)
#define EXTENT(name, default_)                                                                                         \
    DRUA_INTEGER(name, name " of the part", .unit = "pixel", DRUA_RANGE(1, 2147483647), .default_value = default_)
#define SOURCE DRUA_IMAGE_IN("source", "image to read")

/*
 * Fills the destination from a box of equal size in the source. If the box extends beyond the source, a kernel that
 * clamps positions copies it; otherwise a plain copy is enough.
 */
static void copy_window(drua_plan *p, int64_t x, int64_t y, int64_t z)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout *f = &from.layout, *t = &to.layout;
    int64_t source[3], part[3];
    plan_whole_shape(p, "source", source);
    plan_whole_shape(p, "destination", part);
    x += part[0] - source[0];
    y += part[1] - source[1];
    z += part[2] - source[2];
    if (x >= 0 && y >= 0 && z >= 0 && x + t->width <= f->width && y + t->height <= f->height &&
        z + t->depth <= f->depth)
        plan_copy(p, from, to, -x, -y, -z);
    else
        LAUNCH(p, "copy_window", plan_grid(*t), ARG(from), ARG(to), INT(x), INT(y), INT(z));
}

/* Maps layer i of the result to layer step * i + start of the source. */
static drua_affine_range range_of_layers(int64_t step, int64_t start)
{
    return (drua_affine_range){true, (double)step, (double)start, (double)start};
}

/* ---- the whole image */

/* A copy of the same type shares the source's memory until one of the two images changes. */
static bool whole_view(drua_plan *p)
{
    plan_share(p, "destination", "source", plan_image(p, "source").layout);
    return true;
}

static void launch_copy_image(drua_plan *p)
{
    copy_window(p, 0, 0, 0);
}

static void whole_parts(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->range[1] = parts->range[2] = range_of_layers(1, 0);
}

DRUA_OP(copy) = {
    .name = "copy",
    .category = "image",
    .summary = "Copies an image; an existing destination keeps its size and type.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to copy"), DRUA_IMAGE_OUT("destination", "copy")),
    DRUA_ALIASES("CLIJ2/CLIJx/CLIJ copy: source, &destination"),
    .numeric = DRUA_EXACT,
    .expression = "a",
    .view = whole_view,
    .launch = launch_copy_image,
    .parts = whole_parts,
};

/* ---- crop */

static void crop_shape(drua_plan *p, drua_shape *shape)
{
    int64_t depth = plan_integer(p, "depth");
    *shape = (drua_shape){plan_integer(p, "width"), plan_integer(p, "height"), depth, depth > 1 ? 3 : shape->dimension};
}

static bool crop_view(drua_plan *p)
{
    drua_layout l = plan_image(p, "source").layout;
    drua_shape part;
    crop_shape(p, &part);
    int64_t x = plan_integer(p, "start_x"), y = plan_integer(p, "start_y"), z = plan_integer(p, "start_z");
    if (x < 0 || y < 0 || z < 0 || x + part.width > l.width || y + part.height > l.height || z + part.depth > l.depth)
        return false;
    l.offset += x * l.column + y * l.row + z * l.plane;
    l.width = (int32_t)part.width;
    l.height = (int32_t)part.height;
    l.depth = (int32_t)part.depth;
    plan_share(p, "destination", "source", l);
    return true;
}

static void launch_crop(drua_plan *p)
{
    copy_window(p, plan_integer(p, "start_x"), plan_integer(p, "start_y"), plan_integer(p, "start_z"));
}

static void crop_parts(drua_plan *p, drua_parts *parts)
{
    parts->range[1] = range_of_layers(1, plan_integer(p, "start_y"));
    parts->range[2] = range_of_layers(1, plan_integer(p, "start_z"));
}

static void place_of_crop(drua_plan *p, double first[3])
{
    first[0] = plan_number(p, "start_x");
    first[1] = plan_number(p, "start_y");
    first[2] = plan_number(p, "start_z");
}

DRUA_OP(crop) = {
    .name = "crop",
    .category = "image",
    .summary = "Cuts a box out of an image; beyond the image its border is repeated.",
    .source = "pixels are copied",
    DRUA_PARAMS(SOURCE,
                DRUA_IMAGE_OUT("destination", "the part; an existing image keeps its size", .shape = crop_shape),
                POSITION("start_x", "leftmost column of the part"), POSITION("start_y", "topmost row of the part"),
                POSITION("start_z", "first slice of the part"), EXTENT("width", 100), EXTENT("height", 100),
                EXTENT("depth", 1)),
    DRUA_ALIASES("CLIJ2/CLIJx crop2D: source, &destination, start_x, start_y, start_z=0, width, height, depth=1",
                 "CLIJ crop2D: source, destination, start_x, start_y, start_z=0, width, height, depth=1",
                 "CLIJ2/CLIJx crop3D: source, &destination, start_x, start_y, start_z, width, height, depth",
                 "CLIJ crop3D: source, destination, start_x, start_y, start_z, width, height, depth"),
    .numeric = DRUA_EXACT,
    .view = crop_view,
    .launch = launch_crop,
    .parts = crop_parts,
    .steps = plan_same_voxels,
    .place = place_of_crop,
};

/* ---- slices */

static void range_shape(drua_plan *p, drua_shape *shape)
{
    shape->depth = plan_integer(p, "end_z") - plan_integer(p, "start_z") + 1;
    shape->dimension = 3;
    if (shape->depth < 1)
        plan_fail(p, "end_z must not be smaller than start_z, got %lld and %lld", (long long)plan_integer(p, "end_z"),
                  (long long)plan_integer(p, "start_z"));
}

static bool range_view(drua_plan *p)
{
    drua_view view = plan_image(p, "source");
    int64_t start = plan_integer(p, "start_z"), end = plan_integer(p, "end_z");
    if (start < 0 || end >= view.layout.depth)
        return false;
    plan_share(p, "destination", "source", plan_slices(view, (int32_t)start, (int32_t)(end - start + 1)).layout);
    return true;
}

static void launch_substack(drua_plan *p)
{
    copy_window(p, 0, 0, plan_integer(p, "start_z"));
}

static void range_parts(drua_plan *p, drua_parts *parts)
{
    parts->range[1] = range_of_layers(1, 0);
    parts->range[2] = range_of_layers(1, plan_integer(p, "start_z"));
}

static void place_of_range(drua_plan *p, double first[3])
{
    plan_same_place(p, first);
    first[2] = plan_number(p, "start_z");
}

DRUA_OP(sub_stack) = {
    .name = "sub_stack",
    .category = "image",
    .summary = "Takes the slices from one number to another.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_IMAGE_OUT("destination", "slices taken", .shape = range_shape),
                POSITION("start_z", "first slice, counted from 0"), POSITION("end_z", "last slice, included")),
    DRUA_ALIASES("CLIJ2/CLIJx subStack: source, &destination, start_z, end_z"),
    .numeric = DRUA_EXACT,
    .view = range_view,
    .launch = launch_substack,
    .parts = range_parts,
    .steps = plan_same_voxels,
    .place = place_of_range,
};

static void reduced_shape(drua_plan *p, drua_shape *shape)
{
    int64_t factor = plan_integer(p, "reduction_factor");
    if (shape->depth < factor)
        plan_fail(p, "reduction_factor must be 1 to %lld, the number of slices, got %lld", (long long)shape->depth,
                  (long long)factor);
    shape->depth /= factor;
}

static bool reduced_view(drua_plan *p)
{
    drua_layout l = plan_image(p, "source").layout;
    int64_t factor = plan_integer(p, "reduction_factor"), offset = plan_integer(p, "offset");
    l.depth /= (int32_t)factor;
    if (offset < 0 || offset + (l.depth - 1) * factor >= plan_shape(p, "source").depth)
        return false;
    l.offset += offset * l.plane;
    l.plane *= factor;
    plan_share(p, "destination", "source", l);
    return true;
}

static void launch_reduce_stack(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    int64_t factor = plan_integer(p, "reduction_factor"), offset = plan_integer(p, "offset"), source[3], part[3];
    plan_whole_shape(p, "source", source);
    plan_whole_shape(p, "destination", part);
    offset += part[2] * factor - source[2];
    for (int32_t z = 0; z < to.layout.depth; z++) {
        drua_view slice = plan_slices(to, z, 1);
        LAUNCH(p, "copy_window", plan_grid(slice.layout), ARG(from), ARG(slice), INT(0), INT(0),
               INT(offset + z * factor));
    }
}

static void reduced_parts(drua_plan *p, drua_parts *parts)
{
    parts->range[1] = range_of_layers(1, 0);
    parts->range[2] = range_of_layers(plan_integer(p, "reduction_factor"), plan_integer(p, "offset"));
}

static void reduced_steps(drua_plan *p, double steps[3][3])
{
    steps[2][2] = plan_number(p, "reduction_factor");
}

static void place_of_reduced(drua_plan *p, double first[3])
{
    plan_same_place(p, first);
    first[2] = plan_number(p, "offset");
}

DRUA_OP(reduce_stack) = {
    .name = "reduce_stack",
    .category = "image",
    .summary = "Takes every n-th slice of a stack.",
    .source = "every n-th slice is copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"), DRUA_IMAGE_OUT("destination", "slices taken", .shape = reduced_shape),
                DRUA_INTEGER("reduction_factor", "n: every n-th slice is copied", .unit = "slice",
                             DRUA_RANGE(1, 2147483647), .default_value = 2),
                POSITION("offset", "first slice taken, counted from 0")),
    DRUA_ALIASES("CLIJ2 reduceStack: source, &destination, reduction_factor, offset"),
    .numeric = DRUA_EXACT,
    .view = reduced_view,
    .launch = launch_reduce_stack,
    .parts = reduced_parts,
    .steps = reduced_steps,
    .place = place_of_reduced,
};

static void slice_shape(drua_plan *p, drua_shape *shape)
{
    bool plane = shape->dimension == 2;
    shape->depth = plane ? plan_integer(p, "slice_index") + 1 : 1;
    shape->dimension = plane ? 3 : 2;
    if (shape->depth < 1)
        plan_fail(p, "slice_index must be at least 0, got %lld", (long long)plan_integer(p, "slice_index"));
}

/*
 * Copies a slice. The result is not a view, because loops over slices usually write each slice back into the same
 * stack.
 */
static void launch_copy_slice(drua_plan *p)
{
    int from_dimension = plan_shape(p, "source").dimension, to_dimension = plan_shape(p, "destination").dimension;
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    int64_t index = plan_integer(p, "slice_index");
    if (from_dimension == 2 && to_dimension == 3)
        plan_copy(p, from, to, 0, 0, index);
    else
        copy_window(p, 0, 0, from_dimension == to_dimension ? 0 : index);
}

/*
 * Where the first pixel of the result lies in the source: at slice_index for stack to plane, and slice_index slices
 * before the plane for plane to stack. Copies of the same dimension ignore slice_index, as in launch_copy_slice.
 */
static void place_of_slice(drua_plan *p, double first[3])
{
    const int from = plan_shape(p, "source").dimension, to = plan_shape(p, "destination").dimension;
    plan_same_place(p, first);
    first[2] = (from - to) * plan_number(p, "slice_index");
}

DRUA_OP(copy_slice) = {
    .name = "copy_slice",
    .category = "image",
    .summary = "Copies one slice of a stack to a plane, or a plane into one slice of a stack.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack or plane"),
                DRUA_IMAGE_OUT("destination", "plane or stack; a new stack ends with the slice", .shape = slice_shape,
                               .partial = true),
                POSITION("slice_index", "slice, counted from 0")),
    DRUA_ALIASES("CLIJ2/CLIJx copySlice: source, &destination, slice_index",
                 "CLIJ copySlice: source, destination, slice_index"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_READS_PART | DRUA_COPIES,
    .launch = launch_copy_slice,
    .steps = plan_same_voxels,
    .place = place_of_slice,
};
