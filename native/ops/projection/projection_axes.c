/* SPDX-License-Identifier: BSD-3-Clause */
#include "projection_axes.h"

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

/* Whether every fourth pixel of each row starts an aligned vector. */
static bool is_wide(const drua_layout *l)
{
    return l->column == 1 && l->offset % FOUR == 0 && (l->height == 1 || l->row % FOUR == 0) &&
           (l->depth == 1 || l->plane % FOUR == 0) && (l->width % FOUR == 0 || l->row % FOUR == 0);
}

/*
 * Returns the arguments of the kernels along z. Work-items do not share a column if there are few slices. If there are
 * few pixels, many work-items share the slices. This choice depends on the whole image, so that parts of it give
 * bit-identical results.
 */
projection projection_along_z(drua_plan *p, drua_view from, drua_view to)
{
    enum { FEW = 16, MANY = 256, ENOUGH = 8192 };
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, "source", origin);
    const int64_t vectors = ((int64_t)to.layout.width + FOUR - 1) / FOUR;
    const bool wide = is_wide(&from.layout) && to.layout.width <= from.layout.width;
    const bool crowded =
        from.layout.depth >= MANY && whole.width * whole.height * whole.depth / from.layout.depth < ENOUGH;
    const int columns = crowded ? ROWS : COLUMNS, rows = crowded ? COLUMNS : ROWS,
              sharing = from.layout.depth < FEW ? 1 : rows;
    return (projection){from, to, GRID(vectors, (int64_t)to.layout.height * sharing, 1, columns, rows, 1), wide,
                        sharing};
}

drua_grid projection_runs(drua_view to)
{
    enum { RUN = 64 }; /* as in kernels/projection/columns.cl */
    return GRID(((int64_t)to.layout.width + RUN - 1) / RUN, to.layout.height, 1, 1, 1, 1);
}

projection projection_along_y(drua_plan *p)
{
    return projection_along_z(p, exchange_y_and_z(plan_image(p, "source")), plan_image(p, "destination"));
}

/* Returns the arguments of the kernels along x. `to` is depth x height; the kernels treat its rows as x. */
projection projection_along_x(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), to = exchange_x_and_y(plan_image(p, "destination"));
    return (projection){from, to, GRID(COLUMNS, to.layout.width, to.layout.height, COLUMNS, ROWS, 1),
                        is_wide(&from.layout), 1};
}

/* Returns the same projection for kernels along z: y, z and x of the stack become x, y and z. */
static projection x_as_z(projection q)
{
    q.from = exchange_y_and_z(exchange_x_and_y(q.from));
    return q;
}

/* Clips min_z to max_z to the slices of the stack. */
int32_t projection_range(drua_plan *p, int32_t depth, int32_t *first)
{
    int64_t from = plan_integer(p, "min_z"), to = plan_integer(p, "max_z");
    if (from > to || from >= depth || to < 0)
        plan_fail(p, "min_z to max_z must include slices from 0 to %d, got %lld to %lld", depth - 1, (long long)from,
                  (long long)to);
    *first = from < 0 ? 0 : (int32_t)from;
    return (to >= depth ? depth : (int32_t)to + 1) - *first;
}

static drua_grid grid_of_plane(drua_view to)
{
    return GRID(to.layout.width, to.layout.height, 1, COLUMNS, ROWS, 1);
}

void projection_extreme(drua_plan *p, projection q, int32_t first, int32_t count, float sign)
{
    if (drua_type_is_wide_integer((drua_type)q.from.layout.type))
        LAUNCH(p, "extreme_of_integers", grid_of_plane(q.to), ARG(q.from), ARG(q.to), INT(first), INT(count),
               INT((int)sign));
    else if (plan_device(p)->is_gpu)
        PROJECT(p, "extreme_of_slices", q, INT(q.sharing), INT(first), INT(count), REAL(sign));
    else
        LAUNCH(p, "extreme_of_columns", projection_runs(q.to), ARG(q.from), ARG(q.to), INT(q.sharing), INT(first),
               INT(count), REAL(sign));
}

void projection_extreme_x(drua_plan *p, float sign)
{
    const projection q = projection_along_x(p);
    if (drua_type_is_wide_integer((drua_type)q.from.layout.type))
        projection_extreme(p, x_as_z(q), 0, q.from.layout.width, sign);
    else
        PROJECT(p, "extreme_of_rows", q, REAL(sign));
}

void projection_position(drua_plan *p, projection q, float sign)
{
    if (drua_type_is_wide_integer((drua_type)q.from.layout.type))
        LAUNCH(p, "position_of_integers", grid_of_plane(q.to), ARG(q.from), ARG(q.to), INT((int)sign));
    else
        PROJECT(p, "position_of_slices", q, INT(q.sharing), REAL(sign));
}

void projection_position_x(drua_plan *p, float sign)
{
    const projection q = projection_along_x(p);
    if (drua_type_is_wide_integer((drua_type)q.from.layout.type))
        projection_position(p, x_as_z(q), sign);
    else
        PROJECT(p, "position_of_rows", q, REAL(sign));
}

void projection_shape_x(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->depth, shape->height, 1, 2};
}

void projection_shape_y(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->depth, 1, 2};
}

void projection_shape_z(drua_plan *p, drua_shape *shape)
{
    (void)p;
    *shape = (drua_shape){shape->width, shape->height, 1, 2};
}

/* Sets the axes of the stack along which x and y of the result run. */
static void set_axes(drua_plan *p, drua_parts *parts, int x, int y)
{
    (void)p;
    parts->axis[0] = x, parts->axis[1] = y, parts->axis[2] = -1;
    parts->columns = true;
}

void projection_parts_x(drua_plan *p, drua_parts *parts)
{
    set_axes(p, parts, 2, 1);
}

void projection_parts_y(drua_plan *p, drua_parts *parts)
{
    set_axes(p, parts, 0, 2);
}

void projection_parts_z(drua_plan *p, drua_parts *parts)
{
    set_axes(p, parts, 0, 1);
}

/* Exchanges an axis with z. */
static void exchange_with_z(double steps[3][3], int axis)
{
    steps[axis][axis] = steps[2][2] = 0;
    steps[axis][2] = steps[2][axis] = 1;
}

void projection_steps_x(drua_plan *p, double steps[3][3])
{
    (void)p;
    exchange_with_z(steps, 0);
}

void projection_steps_y(drua_plan *p, double steps[3][3])
{
    (void)p;
    exchange_with_z(steps, 1);
}
