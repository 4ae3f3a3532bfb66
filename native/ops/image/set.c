/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes an image in place. Some operations touch a few pixels, others follow a sequence over all pixels. */
#include "plan.h"

#define CHANGED DRUA_IMAGE_INOUT("source", "image to change")
#define VALUE                 DRUA_NUMBER("value", "new grey value", .default_value = 0)
#define NUMBER_OF(name, doc_) DRUA_INTEGER(name, doc_, .unit = "pixel", DRUA_RANGE_ANY, .default_value = 0)

/* Fills one layer across an axis; work-items lie along the layer. A layer outside the image or part has no pixels. */
static void fill_layer(drua_plan *p, int axis, int64_t at)
{
    int64_t origin[3];
    plan_whole_shape(p, "source", origin);
    drua_view view = plan_image(p, "source");
    drua_layout *l = &view.layout, all = view.layout;
    if (at < origin[axis] || at - origin[axis] >= all.extent[axis])
        return;
    const int x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
    *l = (drua_layout){.extent = {all.extent[x], all.extent[y], 1},
                       .type = all.type,
                       .offset = all.offset + (at - origin[axis]) * all.stride[axis],
                       .stride = {all.stride[x], all.stride[y]}};
    LAUNCH(p, "fill_box", plan_grid(*l), ARG(view), REAL(plan_number(p, "value")));
}

static void set_column(drua_plan *p)
{
    fill_layer(p, 0, plan_integer(p, "column_index"));
}

static void set_row(drua_plan *p)
{
    fill_layer(p, 1, plan_integer(p, "row_index"));
}

static void set_plane(drua_plan *p)
{
    fill_layer(p, 2, plan_integer(p, "plane_index"));
}

/* Declares that only one layer of an axis changes. */
static void set_changed_layer(drua_parts *parts, int axis, int64_t at)
{
    parts->first[axis] = at;
    parts->end[axis] = at + 1;
}

static void parts_of_row(drua_plan *p, drua_parts *parts)
{
    set_changed_layer(parts, 1, plan_integer(p, "row_index"));
}

static void parts_of_plane(drua_plan *p, drua_parts *parts)
{
    set_changed_layer(parts, 2, plan_integer(p, "plane_index"));
}

/* Fills all borders in a single operation, because an image must not be left partly changed. */
static void set_image_borders(drua_plan *p)
{
    int64_t origin[3];
    const drua_shape shape = plan_whole_shape(p, "destination", origin);
    const drua_view view = plan_image(p, "destination");
    const drua_layout *l = &view.layout;
    const int layers = 2 * shape.dimension, last_y = (int)(shape.height - 1 - origin[1]),
              last_z = (int)(shape.depth - 1 - origin[2]);
    const int64_t along = l->width > l->height ? l->width : l->height,
                  across = shape.dimension > 2 && l->height > l->depth ? l->height : l->depth;
    LAUNCH(p, "fill_borders", GRID(along, across, layers, 32, across > 1 ? 8 : 1, 1), ARG(view),
           REAL(plan_number(p, "value")), INT(layers), INT(-origin[1]), INT(last_y), INT(-origin[2]), INT(last_z));
}

DRUA_OP(set_column) = {
    .name = "set_column",
    .category = "image",
    .summary = "Sets the pixels of one column (one x position) to a grey value.",
    .source = "pixels are overwritten",
    DRUA_PARAMS(CHANGED, NUMBER_OF("column_index", "column, counted from 0"), VALUE),
    DRUA_ALIASES("CLIJ2/CLIJx setColumn: source, column_index, value"),
    .numeric = DRUA_EXACT,
    .launch = set_column,
    .parts = plan_parts_pixels,
};

DRUA_OP(set_row) = {
    .name = "set_row",
    .category = "image",
    .summary = "Sets the pixels of one row (one y position) to a grey value.",
    .source = "pixels are overwritten",
    DRUA_PARAMS(CHANGED, NUMBER_OF("row_index", "row, counted from 0"), VALUE),
    DRUA_ALIASES("CLIJ2/CLIJx setRow: source, row_index, value"),
    .numeric = DRUA_EXACT,
    .launch = set_row,
    .parts = parts_of_row,
};

DRUA_OP(set_plane) = {
    .name = "set_plane",
    .category = "image",
    .summary = "Sets the pixels of one slice to a grey value.",
    .source = "pixels are overwritten",
    DRUA_PARAMS(CHANGED, NUMBER_OF("plane_index", "slice, counted from 0"), VALUE),
    DRUA_ALIASES("CLIJ2/CLIJx setPlane: source, plane_index, value"),
    .numeric = DRUA_EXACT,
    .launch = set_plane,
    .parts = parts_of_plane,
};

DRUA_OP(set_image_borders) = {
    .name = "set_image_borders",
    .category = "image",
    .summary = "Sets the outermost pixels to a grey value; in a stack also its first and last slice.",
    .source = "pixels are overwritten",
    DRUA_PARAMS(DRUA_IMAGE_INOUT("destination", "image to change"), VALUE),
    DRUA_ALIASES("CLIJ2/CLIJx setImageBorders: destination, value"),
    .numeric = DRUA_EXACT,
    .launch = set_image_borders,
    .parts = plan_parts_pixels,
};

static void index_pixels(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, "destination", origin);
    LAUNCH(p, "nonzero_to_index", plan_grid(to.layout), ARG(from), ARG(to), LONG(whole.height), LONG(whole.depth),
           LONG(origin[1] * whole.depth + origin[2]));
}

DRUA_OP(set_nonzero_pixels_to_pixel_index) = {
    .name = "set_nonzero_pixels_to_pixel_index",
    .category = "image",
    .summary = "Numbers pixels by their position, z fastest, then y, then x, from 1; pixels that are 0 stay 0.",
    .source = "positions are counted with z fastest, then y, then x",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to read"), DRUA_IMAGE_OUT("destination", "numbered pixels")),
    DRUA_ALIASES("CLIJ2/CLIJx setNonZeroPixelsToPixelIndex: source, destination"),
    .numeric = DRUA_EXACT,
    .launch = index_pixels,
    .parts = plan_parts_pixels,
};

/* ---- random numbers: one step of java.util.Random is state * factor + summand, modulo 2^48 */

typedef struct jump {
    uint64_t factor, summand;
} jump;

static const uint64_t mask = (UINT64_C(1) << 48) - 1, scramble = UINT64_C(0x5DEECE66D);

/* Returns the jump that performs both jumps, one after the other. */
static jump join_jumps(jump first, jump second)
{
    return (jump){first.factor * second.factor & mask, (first.summand * second.factor + second.summand) & mask};
}

/* Returns the jump by `count` steps. */
static jump jump_of(int64_t count)
{
    jump all = {1, 0};
    for (jump step = {scramble, 0xB}; count > 0; count >>= 1, step = join_jumps(step, step))
        if (count & 1)
            all = join_jumps(all, step);
    return all;
}

static uint64_t state_after(jump made, uint64_t state)
{
    return (state * made.factor + made.summand) & mask;
}

/*
 * A tile must cover a contiguous part of the sequence, so tiles have complete slices or, with one slice, complete rows.
 */
static void parts_of_random(drua_plan *p, drua_parts *parts)
{
    if (plan_shape(p, "source").depth > 1)
        parts->axis[1] = -1;
}

/*
 * Layout of the work-items. Rows have `pixels` pixels and, with the gap, `across` positions. Each work-item advances by
 * `lines` rows, which are `stride` positions.
 */
typedef struct stride {
    int64_t pixels, across, lines, stride;
} stride;

/* Work-items also cover the gaps between rows, so that each work-group writes whole memory lines. */
static stride stride_of(drua_layout l)
{
    enum { ITEMS = 1 << 18 };
    if (drua_layout_is_dense(&l))
        return (stride){ITEMS, ITEMS, 1, ITEMS};
    const bool even = l.depth == 1 || l.plane == l.height * l.row,
               padded = even && l.column == 1 && l.row > l.width && l.row < 2 * (int64_t)l.width;
    const int64_t rows = even ? 1 : l.height, across = padded ? l.row : l.width, wanted = ITEMS / (rows * across),
                  count = wanted > 1 ? wanted : 1;
    return (stride){l.width, across, count * rows, count * (even ? l.row : l.plane)};
}

static void set_random(drua_plan *p)
{
    enum { STEPS = 63, GROUP = 256 };
    jump step[STEPS] = {{scramble, 0xB}};
    for (int k = 1; k < STEPS; k++)
        step[k] = join_jumps(step[k - 1], step[k - 1]);
    const drua_view to = plan_image(p, "source");
    const stride s = stride_of(to.layout);
    const jump next = jump_of(s.lines * s.pixels);
    float min = (float)plan_number(p, "minimum_value"), max = (float)plan_number(p, "maximum_value");
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, "source", origin);
    const jump before = jump_of((origin[2] * whole.height + origin[1]) * whole.width);
    const uint64_t seed = state_after(before, ((uint64_t)plan_integer(p, "seed") ^ scramble) & mask);
    LAUNCH(p, "random_line", GRID(s.lines * s.across, 1, 1, GROUP, 1, 1), ARG(to), TABLE(step, sizeof step),
           LONG((int64_t)seed), LONG((int64_t)next.factor), LONG((int64_t)next.summand), REAL(min), REAL(max - min),
           INT(s.pixels), INT(s.across), LONG(s.lines), LONG(s.stride));
}

DRUA_OP(set_random) = {
    .name = "set_random",
    .category = "image",
    .summary =
        "Fills an image with evenly distributed random numbers; the same seed gives the same image on every computer.",
    .source = "the generator of java.util.Random, one number per pixel, x fastest",
    DRUA_PARAMS(CHANGED, DRUA_NUMBER("minimum_value", "smallest number", .unit = "grey value", .default_value = 0),
                DRUA_NUMBER("maximum_value", "end of the range, which no number reaches", .unit = "grey value",
                            .example = 255, .default_value = 1),
                DRUA_INTEGER("seed", "start of the sequence", DRUA_RANGE(-9007199254740991.0, 9007199254740991.0),
                             .default_value = 0)),
    DRUA_ALIASES("CLIJ2/CLIJx setRandom: source, minimum_value, maximum_value, seed"),
    .numeric = DRUA_EXACT,
    .launch = set_random,
    .parts = parts_of_random,
};
