/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws shapes into images. Only the pixels of a shape's bounding box are visited. */
#include "plan.h"

/* The pixels of an axis from `low` to `high`, limits included, clipped to the `extent` pixels from `origin` on. */
typedef struct range {
    int32_t first, count;
} range;

static range clipped_range(double low, double high, int64_t origin, int32_t extent)
{
    double first = fmax(ceil(fmin(low, high)), (double)origin),
           last = fmin(floor(fmax(low, high)), (double)origin + extent - 1);
    return last >= first ? (range){(int32_t)first, (int32_t)(last - first) + 1} : (range){0, 0};
}

/* Sets which part of a host image changes: along an axis, the pixels from `low` to `high` and one more on each side. */
static void set_changed_range(drua_parts *parts, int axis, double low, double high)
{
    const double max = INT32_MAX;
    parts->first[axis] = (int64_t)fmin(fmax(floor(fmin(low, high)) - 1, 0), max);
    parts->end[axis] = (int64_t)fmin(fmax(ceil(fmax(low, high)) + 2, 0), max);
}

static void launch_box(drua_plan *p)
{
    static const char *const corner[] = {"x", "y", "z"}, *const size[] = {"width", "height", "depth"};
    drua_view view = plan_image(p, "destination");
    drua_layout *l = &view.layout;
    int64_t origin[3];
    int axes = plan_whole_shape(p, "destination", origin).dimension;
    for (int axis = 0; axis < axes; axis++) {
        double from = plan_number(p, corner[axis]);
        range r = clipped_range(from, from + plan_number(p, size[axis]), origin[axis], l->extent[axis]);
        if (r.count == 0)
            return;
        l->extent[axis] = r.count;
        l->offset += (r.first - origin[axis]) * l->stride[axis];
    }
    LAUNCH(p, "fill_box", plan_grid(*l), ARG(view), REAL(plan_number(p, "value")));
}

static void parts_of_box(drua_plan *p, drua_parts *parts)
{
    set_changed_range(parts, 1, plan_number(p, "y"), plan_number(p, "y") + plan_number(p, "height"));
    if (plan_shape(p, "destination").dimension > 2)
        set_changed_range(parts, 2, plan_number(p, "z"), plan_number(p, "z") + plan_number(p, "depth"));
}

static const char *const centre[] = {"x", "y", "z"}, *const radius[] = {"radius_x", "radius_y", "radius_z"};

static void launch_sphere(drua_plan *p)
{
    drua_view view = plan_image(p, "destination");
    range r[] = {{0, 1}, {0, 1}, {0, 1}};
    double c[3] = {0}, size[] = {1, 1, 1};
    int64_t origin[3];
    int axes = plan_whole_shape(p, "destination", origin).dimension;
    for (int axis = 0; axis < axes; axis++) {
        c[axis] = plan_number(p, centre[axis]);
        size[axis] = plan_number(p, radius[axis]);
        r[axis] = clipped_range(c[axis] - fabs(size[axis]), c[axis] + fabs(size[axis]), origin[axis],
                                view.layout.extent[axis]);
        if (r[axis].count == 0)
            return;
    }
    LAUNCH(p, "draw_sphere", GRID(r[0].count, r[1].count, r[2].count, 32, 8, 1), ARG(view), INT(r[0].first),
           INT(r[1].first), INT(r[2].first), INT(r[0].count), INT(r[1].count), INT(r[2].count), INT(origin[1]),
           INT(origin[2]), REAL(c[0]), REAL(c[1]), REAL(c[2]), REAL(size[0]), REAL(size[1]), REAL(size[2]),
           REAL(plan_number(p, "value")));
}

static void parts_of_sphere(drua_plan *p, drua_parts *parts)
{
    for (int axis = 1; axis < plan_shape(p, "destination").dimension; axis++) {
        const double c = plan_number(p, centre[axis]), r = fabs(plan_number(p, radius[axis]));
        set_changed_range(parts, axis, c - r, c + r);
    }
}

/*
 * Positions from `low` to `high`, one pixel apart, that truncate to a pixel of the axis. Sets the first position and
 * returns their number.
 */
static int64_t count_samples(double low, double high, int64_t extent, double *first)
{
    *first = low + fmax(ceil(-1 - low), 0);
    return (int64_t)fmax(floor(fmin(high, (double)extent) - *first) + 1, 0);
}

static const char *const start[] = {"x1", "y1", "z1"}, *const end[] = {"x2", "y2", "z2"};

static void draw_line(drua_plan *p, double value, double value_at_end)
{
    drua_view view = plan_image(p, "destination");
    int64_t origin[3];
    const drua_shape whole = plan_whole_shape(p, "destination", origin);
    double a[3] = {0}, b[3] = {0}, first[3] = {0}, reach = plan_number(p, "thickness") / 2;
    int64_t count[] = {1, 1, 1};
    int axes = whole.dimension;
    for (int axis = 0; axis < axes; axis++) {
        a[axis] = plan_number(p, start[axis]);
        b[axis] = plan_number(p, end[axis]);
        count[axis] = count_samples(fmin(a[axis], b[axis]) - reach, fmax(a[axis], b[axis]) + reach, whole.extent[axis],
                                    &first[axis]);
        if (count[axis] == 0)
            return;
    }
    LAUNCH(p, "draw_line", GRID(count[0], count[1], count[2], 32, 8, 1), ARG(view), INT(axes), INT(count[0]),
           INT(count[1]), INT(count[2]), INT(origin[1]), INT(origin[2]), REAL(first[0]), REAL(first[1]), REAL(first[2]),
           REAL(a[0]), REAL(a[1]), REAL(a[2]), REAL(b[0]), REAL(b[1]), REAL(b[2]), REAL(reach), REAL(value),
           REAL(value_at_end));
}

static void launch_line(drua_plan *p)
{
    draw_line(p, plan_number(p, "value"), plan_number(p, "value"));
}
static void launch_two_value_line(drua_plan *p)
{
    draw_line(p, plan_number(p, "value1"), plan_number(p, "value2"));
}

static void parts_of_line(drua_plan *p, drua_parts *parts)
{
    const double r = fabs(plan_number(p, "thickness")) / 2;
    for (int axis = 1; axis < plan_shape(p, "destination").dimension; axis++) {
        const double a = plan_number(p, start[axis]), b = plan_number(p, end[axis]);
        set_changed_range(parts, axis, fmin(a, b) - r, fmax(a, b) + r);
    }
}

#define DRAWN DRUA_IMAGE_INOUT("destination", "image to draw into; it must exist")

#define VALUE DRUA_NUMBER("value", "grey value of the drawn pixels", .unit = "grey value", .default_value = 1)

#define NUMBER_OF(name, doc_, default_) DRUA_NUMBER(name, doc_, .unit = "pixel", .default_value = default_)
#define POSITION                                                                                                       \
    NUMBER_OF("x", "position along x", 0), NUMBER_OF("y", "position along y", 0),                                      \
        NUMBER_OF("z", "position along z; no effect in planes", 0)

DRUA_OP(draw_box) = {
    .name = "draw_box",
    .category = "drawing",
    .summary = "Draws a filled box; both its corners belong to it.",
    .source = "pixels inside the box are overwritten",
    DRUA_PARAMS(DRAWN, POSITION, NUMBER_OF("width", "distance from the first column to the last", 1),
                NUMBER_OF("height", "distance from the first row to the last", 1),
                NUMBER_OF("depth", "distance from the first slice to the last; no effect in planes", 1), VALUE),
    DRUA_ALIASES("CLIJ2/CLIJx drawBox: &destination, x, y, z, width, height, depth, value"),
    .numeric = DRUA_EXACT,
    .launch = launch_box,
    .parts = parts_of_box,
};

DRUA_OP(draw_sphere) = {
    .name = "draw_sphere",
    .category = "drawing",
    .summary = "Draws a filled ellipsoid, in planes an ellipse.",
    .source = "pixels inside the ellipsoid are overwritten",
    DRUA_PARAMS(DRAWN, POSITION, NUMBER_OF("radius_x", "radius along x", 1), NUMBER_OF("radius_y", "radius along y", 1),
                NUMBER_OF("radius_z", "radius along z; no effect in planes", 1), VALUE),
    DRUA_ALIASES("CLIJ2/CLIJx drawSphere: &destination, x, y, z, radius_x, radius_y, radius_z, value"),
    .numeric = DRUA_DEVICE,
    .launch = launch_sphere,
    .parts = parts_of_sphere,
};

#define ENDS                                                                                                           \
    NUMBER_OF("x1", "start along x", 0), NUMBER_OF("y1", "start along y", 0), NUMBER_OF("z1", "start along z", 0),     \
        NUMBER_OF("x2", "end along x", 1), NUMBER_OF("y2", "end along y", 1), NUMBER_OF("z2", "end along z", 1),       \
        NUMBER_OF("thickness", "thickness", 1)

DRUA_OP(draw_line) = {
    .name = "draw_line",
    .category = "drawing",
    .summary = "Draws a line. Pixels nearer to it than half of its thickness belong to the line.",
    .source = "pixels nearer to the line than half its thickness are overwritten",
    DRUA_PARAMS(DRAWN, ENDS, VALUE),
    DRUA_ALIASES("CLIJ2/CLIJx drawLine: &destination, x1, y1, z1, x2, y2, z2, thickness, value"),
    .numeric = DRUA_DEVICE,
    .launch = launch_line,
    .parts = parts_of_line,
};

DRUA_OP(draw_two_value_line) = {
    .name = "draw_two_value_line",
    .category = "drawing",
    .summary = "Draws a line: the half at its start in one grey value, the half at its end in another.",
    .source = "as drawLine; each pixel gets the value of the nearer end",
    DRUA_PARAMS(DRAWN, ENDS,
                DRUA_NUMBER("value1", "grey value of the half at the start", .unit = "grey value", .default_value = 1),
                DRUA_NUMBER("value2", "grey value of the half at the end", .unit = "grey value", .default_value = 2)),
    DRUA_ALIASES("CLIJx drawTwoValueLine: &destination, x1, y1, z1, x2, y2, z2, thickness, value1, value2"),
    .numeric = DRUA_DEVICE,
    .launch = launch_two_value_line,
    .parts = parts_of_line,
};
