/* SPDX-License-Identifier: BSD-3-Clause */
/* Projections of a stack along one axis. A projection along y is one along z of the stack with y and z exchanged. */
#include "plan.h"

enum { COLUMNS = 32, ROWS = 8, FOUR = 4 };

static drua_view exchange_y_and_z(drua_view view)
{
    drua_layout *l = &view.layout, old = view.layout;
    l->height = old.depth;
    l->depth = old.height;
    l->row = old.plane;
    l->plane = old.row;
    return view;
}

static drua_view exchange_x_and_y(drua_view view)
{
    drua_layout *l = &view.layout, old = view.layout;
    l->width = old.height;
    l->height = old.width;
    l->column = old.row;
    l->row = old.column;
    return view;
}

/* Whether every fourth pixel of every row may be read as a vector. */
static bool is_wide(const drua_layout *l)
{
    return l->column == 1 && l->offset % FOUR == 0 && (l->height == 1 || l->row % FOUR == 0) && (l->depth == 1 || l->plane % FOUR == 0) &&
           (l->width % FOUR == 0 || l->row % FOUR == 0);
}

typedef struct projection {
    drua_view from, to;
    drua_grid grid;
    bool wide;
    int sharing;
} projection;

/*
 * What the kernels along z take. Few slices are not worth sharing; of few pixels many items share the slices. Which item adds
 * what is asked of the whole image, so that parts of it give the same bits.
 */
static projection along_z(drua_plan *p, drua_view from, drua_view to)
{
    enum { FEW = 16, MANY = 256, ENOUGH = 8192 };
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, "source", origin);
    const int64_t vectors = ((int64_t)to.layout.width + FOUR - 1) / FOUR;
    const bool wide = is_wide(&from.layout) && to.layout.width <= from.layout.width;
    const bool crowded = from.layout.depth >= MANY && whole.width * whole.height * whole.depth / from.layout.depth < ENOUGH;
    const int columns = crowded ? ROWS : COLUMNS, rows = crowded ? COLUMNS : ROWS, sharing = from.layout.depth < FEW ? 1 : rows;
    return (projection){from, to, GRID(vectors, (int64_t)to.layout.height * sharing, 1, columns, rows, 1), wide, sharing};
}

static projection along_y(drua_plan *p)
{
    return along_z(p, exchange_y_and_z(plan_image(p, "source")), plan_image(p, "destination"));
}

/* `to` is depth x height; the kernels take its rows along x. */
static projection along_x(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = exchange_x_and_y(plan_image(p, "destination"));
    return (projection){from, to, GRID(COLUMNS, to.layout.width, to.layout.height, COLUMNS, ROWS, 1), is_wide(&from.layout), 1};
}

/* A chain that makes the stack goes along where rows are read in vectors. */
#define PROJECT(plan, kernel, q, ...)                                                                                            \
    (q.wide ? plan_launch_after_chain : plan_launch)(                                                                            \
        plan, kernel, q.grid, (const drua_arg[]){ARG(q.from), ARG(q.to), INT(q.wide), __VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/* The slices from min_z to max_z that the stack has. */
static int32_t range(drua_plan *p, int32_t depth, int32_t *first)
{
    int64_t from = plan_integer(p, "min_z"), to = plan_integer(p, "max_z");
    if (from > to || from >= depth || to < 0)
        plan_fail(p, "min_z to max_z must hold slices of 0 to %d, got %lld to %lld", depth - 1, (long long)from, (long long)to);
    *first = from < 0 ? 0 : (int32_t)from;
    return (to >= depth ? depth : (int32_t)to + 1) - *first;
}

/* ---- largest and smallest */

static void extreme_of_slices(drua_plan *p, projection q, int32_t first, int32_t count, float sign)
{
    PROJECT(p, "extreme_of_slices", q, INT(q.sharing), INT(first), INT(count), REAL(sign));
}

static void extreme_z(drua_plan *p, float sign)
{
    int32_t first, count = range(p, (int32_t)plan_shape(p, "source").depth, &first);
    extreme_of_slices(p, along_z(p, plan_image(p, "source"), plan_image(p, "destination")), first, count, sign);
}

static void extreme_y(drua_plan *p, float sign)
{
    projection q = along_y(p);
    extreme_of_slices(p, q, 0, q.from.layout.depth, sign);
}

static void extreme_x(drua_plan *p, float sign)
{
    projection q = along_x(p);
    PROJECT(p, "extreme_of_rows", q, REAL(sign));
}

static void maximum_x(drua_plan *p) { extreme_x(p, 1); }
static void maximum_y(drua_plan *p) { extreme_y(p, 1); }
static void maximum_z(drua_plan *p) { extreme_z(p, 1); }
static void minimum_x(drua_plan *p) { extreme_x(p, -1); }
static void minimum_y(drua_plan *p) { extreme_y(p, -1); }
static void minimum_z(drua_plan *p) { extreme_z(p, -1); }

/* The axes that become x, y and z. */
static bool chosen_axes(drua_plan *p, int axes[3])
{
    static const char *const names[] = {"dimension_x", "dimension_y", "projected_dimension"};
    for (int i = 0; i < 3; i++)
        axes[i] = (int)plan_integer(p, names[i]);
    bool all = axes[0] != axes[1] && axes[1] != axes[2] && axes[0] != axes[2];
    if (!all)
        plan_fail(p, "dimension_x, dimension_y and projected_dimension must be three different axes, got %d, %d and %d", axes[0], axes[1], axes[2]);
    return all;
}

static void chosen_shape(drua_plan *p, drua_shape *shape)
{
    int axes[3];
    int64_t extents[] = {shape->width, shape->height, shape->depth};
    if (chosen_axes(p, axes))
        *shape = (drua_shape){extents[axes[0]], extents[axes[1]], 1, 2};
}

static void maximum_of_chosen(drua_plan *p)
{
    int axes[3];
    drua_view from = plan_image(p, "source");
    drua_layout l = from.layout, *t = &from.layout;
    const int32_t extents[] = {l.width, l.height, l.depth};
    const int64_t strides[] = {l.column, l.row, l.plane};
    if (!chosen_axes(p, axes))
        return;
    t->width = extents[axes[0]], t->height = extents[axes[1]], t->depth = extents[axes[2]];
    t->column = strides[axes[0]], t->row = strides[axes[1]], t->plane = strides[axes[2]];
    extreme_of_slices(p, along_z(p, from, plan_image(p, "destination")), 0, t->depth, 1);
}

static void chosen_parts(drua_plan *p, drua_parts *parts)
{
    int axes[3];
    parts->axis[2] = -1;
    if (chosen_axes(p, axes)) {
        parts->axis[0] = axes[0], parts->axis[1] = axes[1];
        parts->reach[0] = parts->reach[1] = (drua_reach){true, 1, 0, 0};
        parts->columns = true;
    }
}

/* ---- sums and means */

static void sum_of_slices(drua_plan *p, projection q, int32_t first, int32_t count, bool mean)
{
    PROJECT(p, "sum_of_slices", q, INT(q.sharing), INT(first), INT(count), REAL(mean ? count : 1));
}

static void add_z(drua_plan *p, bool mean)
{
    int32_t first, count = range(p, (int32_t)plan_shape(p, "source").depth, &first);
    sum_of_slices(p, along_z(p, plan_image(p, "source"), plan_image(p, "destination")), first, count, mean);
}

static void add_y(drua_plan *p, bool mean)
{
    projection q = along_y(p);
    sum_of_slices(p, q, 0, q.from.layout.depth, mean);
}

static void add_x(drua_plan *p, bool mean)
{
    projection q = along_x(p);
    PROJECT(p, "sum_of_rows", q, REAL(mean ? q.from.layout.width : 1));
}

static void sum_x(drua_plan *p) { add_x(p, false); }
static void sum_y(drua_plan *p) { add_y(p, false); }
static void sum_z(drua_plan *p) { add_z(p, false); }
static void mean_x(drua_plan *p) { add_x(p, true); }
static void mean_y(drua_plan *p) { add_y(p, true); }
static void mean_z(drua_plan *p) { add_z(p, true); }

/* ---- others along z */

static void deviation_z(drua_plan *p)
{
    projection q = along_z(p, plan_image(p, "source"), plan_image(p, "destination"));
    PROJECT(p, "deviation_of_slices", q, INT(q.sharing));
}

/* ---- where the largest and smallest are */

static void position_of_slices(drua_plan *p, projection q, float sign)
{
    PROJECT(p, "position_of_slices", q, INT(q.sharing), REAL(sign));
}

static void position_z(drua_plan *p, const char *destination, float sign)
{
    position_of_slices(p, along_z(p, plan_image(p, "source"), plan_image(p, destination)), sign);
}

static void position_x(drua_plan *p, float sign)
{
    projection q = along_x(p);
    PROJECT(p, "position_of_rows", q, REAL(sign));
}

static void position_of_maximum_x(drua_plan *p) { position_x(p, 1); }
static void position_of_maximum_y(drua_plan *p) { position_of_slices(p, along_y(p), 1); }
static void position_of_maximum_z(drua_plan *p) { position_z(p, "destination", 1); }
static void position_of_minimum_x(drua_plan *p) { position_x(p, -1); }
static void position_of_minimum_y(drua_plan *p) { position_of_slices(p, along_y(p), -1); }
static void position_of_minimum_z(drua_plan *p) { position_z(p, "destination", -1); }

static void maximum_and_position(drua_plan *p)
{
    projection q = along_z(p, plan_image(p, "source"), plan_image(p, "destination_max"));
    extreme_of_slices(p, q, 0, q.from.layout.depth, 1);
    position_z(p, "destination_arg_max", 1);
}

/* ---- descriptors */

static void x_shape(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->depth, shape->height, 1, 2};
}

static void y_shape(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->depth, 1, 2};
}

static void z_shape(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->height, 1, 2};
}

/* The axes of the stack that x and y of the result run along. */
static void along(drua_plan *p, drua_parts *parts, int x, int y)
{
    (void)p;
    parts->axis[0] = x, parts->axis[1] = y, parts->axis[2] = -1;
    parts->columns = true;
}

static void x_parts(drua_plan *p, drua_parts *parts)
{
    along(p, parts, 2, 1);
}

static void y_parts(drua_plan *p, drua_parts *parts)
{
    along(p, parts, 0, 2);
}

static void z_parts(drua_plan *p, drua_parts *parts)
{
    along(p, parts, 0, 1);
}

#define STACK DRUA_IMAGE_IN("source", "stack")
#define RESULT(axis, type_) DRUA_IMAGE_OUT("destination", "projection", .shape = axis##_shape, .type = type_)
#define SLICE(name, doc_, preset_) DRUA_INTEGER(name, doc_, .unit = "slice", .preset = preset_)
#define BOUNDS SLICE("min_z", "first slice, counted from 0", 0), SLICE("max_z", "last slice, included", 2147483647)
#define ALL ", min_z=0, max_z=2147483647"

#define SOURCE "slice after slice in a fixed order; sums keep what float32 rounds away (Neumaier 1974)"
#define PROJECTION(name_, function, along, summary_, params_, ...)                                                               \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "projection", .summary = summary_, .source = SOURCE,            \
                                     .numeric = DRUA_EXACT, .traits = DRUA_SOURCE_EXTENT | DRUA_CHAIN_BEFORE,                    \
                                     .parts = along##_parts, .plan = function, params_, DRUA_ALIASES(__VA_ARGS__)};

PROJECTION(maximum_x_projection, maximum_x, x, "Looks at a stack from its side: the largest value along x; the result is depth x height.",
           DRUA_PARAMS(STACK, RESULT(x, DRUA_TYPE_OF_SOURCE)), "CLIJ2/CLIJx maximumXProjection: source, &destination")
PROJECTION(maximum_y_projection, maximum_y, y, "Looks at a stack from its top: the largest value along y; the result is width x depth.",
           DRUA_PARAMS(STACK, RESULT(y, DRUA_TYPE_OF_SOURCE)), "CLIJ2/CLIJx maximumYProjection: source, &destination")
PROJECTION(maximum_z_projection, maximum_z, z, "Makes one plane of a stack: the largest value along z (maximum intensity projection), of all slices or a range.",
           DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE), BOUNDS)), "CLIJ2/CLIJx maximumZProjection: source, &destination" ALL,
           "CLIJ maximumZProjection: source, destination" ALL,
           "CLIJ2/CLIJx maximumZProjectionBounded: source, &destination, min_z, max_z")
#define AXIS(name, doc_, preset_) DRUA_INTEGER(name, doc_ "; 0 is x, 1 is y, 2 is z", DRUA_RANGE(0, 2), .preset = preset_)
const drua_op drua_op_maximum_along_axis_projection = {
    .name = "maximum_along_axis_projection",
    .category = "projection",
    .summary = "Looks at a stack along a chosen axis: the largest values, with two axes of the stack as those of the result.",
    .source = SOURCE,
    DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination", "projection", .shape = chosen_shape), AXIS("dimension_x", "axis that becomes x", 0),
                AXIS("dimension_y", "axis that becomes y", 1), AXIS("projected_dimension", "axis to look along", 2)),
    DRUA_ALIASES("CLIJ maximumXYZProjection: source, destination, dimension_x, dimension_y, projected_dimension"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT,
    .plan = maximum_of_chosen,
    .parts = chosen_parts,
};
PROJECTION(minimum_x_projection, minimum_x, x, "Takes the smallest value along x; the result is depth x height.",
           DRUA_PARAMS(STACK, RESULT(x, DRUA_TYPE_OF_SOURCE)), "CLIJ2 minimumXProjection: source, &destination")
PROJECTION(minimum_y_projection, minimum_y, y, "Takes the smallest value along y; the result is width x depth.",
           DRUA_PARAMS(STACK, RESULT(y, DRUA_TYPE_OF_SOURCE)), "CLIJ2 minimumYProjection: source, &destination")
PROJECTION(minimum_z_projection, minimum_z, z, "Makes one plane of a stack: the smallest value along z, of all slices or a range.",
           DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE), BOUNDS), "CLIJ2/CLIJx minimumZProjection: source, &destination" ALL,
           "CLIJ minimumZProjection: source, destination" ALL,
           "CLIJ2/CLIJx minimumZProjectionBounded: source, &destination, min_z, max_z")
PROJECTION(mean_x_projection, mean_x, x, "Takes the mean along x; the result is depth x height.",
           DRUA_PARAMS(STACK, RESULT(x, DRUA_TYPE_OF_SOURCE)), "CLIJ2 meanXProjection: source, &destination")
PROJECTION(mean_y_projection, mean_y, y, "Takes the mean along y; the result is width x depth.",
           DRUA_PARAMS(STACK, RESULT(y, DRUA_TYPE_OF_SOURCE)), "CLIJ2 meanYProjection: source, &destination")
PROJECTION(mean_z_projection, mean_z, z, "Makes one plane of a stack: the mean along z, of all slices or a range.",
           DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE), BOUNDS)), "CLIJ2/CLIJx meanZProjection: source, &destination" ALL,
           "CLIJ meanZProjection: source, destination" ALL, "CLIJ2/CLIJx meanZProjectionBounded: source, &destination, min_z, max_z")
PROJECTION(sum_x_projection, sum_x, x, "Adds along x; the result is depth x height.", DRUA_PARAMS(STACK, RESULT(x, DRUA_FLOAT32)),
           "CLIJ2/CLIJx sumXProjection: source, &destination")
PROJECTION(sum_y_projection, sum_y, y, "Adds along y; the result is width x depth.", DRUA_PARAMS(STACK, RESULT(y, DRUA_FLOAT32)),
           "CLIJ2/CLIJx sumYProjection: source, &destination")
PROJECTION(sum_z_projection, sum_z, z,
           "Makes one plane of a stack: the sum along z, of all slices or a range.", DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_FLOAT32), BOUNDS)),
           "CLIJ2/CLIJx sumZProjection: source, &destination" ALL, "CLIJ sumZProjection: source, destination:source" ALL)
PROJECTION(standard_deviation_z_projection, deviation_z, z,
           "Takes the standard deviation along z (of a sample: divided by the number of slices less 1).",
           DRUA_IN_MENU(DRUA_PARAMS(STACK, RESULT(z, DRUA_FLOAT32))), "CLIJ2/CLIJx standardDeviationZProjection: source, &destination")
PROJECTION(z_position_of_maximum_z_projection, position_of_maximum_z, z,
           "Tells which slice has the largest value, counted from 0; the first of several.",
           DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE)), "CLIJ2/CLIJx zPositionOfMaximumZProjection: source, &destination")
PROJECTION(z_position_of_minimum_z_projection, position_of_minimum_z, z,
           "Tells which slice has the smallest value, counted from 0; the first of several.",
           DRUA_PARAMS(STACK, RESULT(z, DRUA_TYPE_OF_SOURCE)), "CLIJ2/CLIJx zPositionOfMinimumZProjection: source, &destination")
PROJECTION(arg_maximum_z_projection, maximum_and_position, z, "Takes the largest value along z and tells in which slice it is.",
           DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination_max", "largest values", .shape = z_shape),
                       DRUA_IMAGE_OUT("destination_arg_max", "slice of the largest value, counted from 0; the first of several", .shape = z_shape)),
           "CLIJ2/CLIJx argMaximumZProjection: source, &destination_max, &destination_arg_max",
           "CLIJ argMaximumZProjection: source, destination_max, destination_arg_max")

#define POSITION(name_, function, along, extreme, size)                                                                          \
    const drua_op drua_op_##name_ = {                                                                                            \
        .name = #name_, .category = "projection", .numeric = DRUA_EXACT, .source = "the first of several",                       \
        .traits = DRUA_SOURCE_EXTENT | DRUA_CHAIN_BEFORE, .parts = along##_parts, .plan = function,                              \
        .summary = "Tells where along " #along " the " extreme " value is, counted from 0; the result is " size ".",             \
        DRUA_PARAMS(STACK, DRUA_IMAGE_OUT("destination", "positions", .shape = along##_shape))};

POSITION(x_position_of_maximum_x_projection, position_of_maximum_x, x, "largest", "depth x height")
POSITION(x_position_of_minimum_x_projection, position_of_minimum_x, x, "smallest", "depth x height")
POSITION(y_position_of_maximum_y_projection, position_of_maximum_y, y, "largest", "width x depth")
POSITION(y_position_of_minimum_y_projection, position_of_minimum_y, y, "smallest", "width x depth")
