/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mirror images, rotations by right angles and reslicing: axes are exchanged and reversed, and pixel values do not
 * change.
 */
#include "plan.h"

#include <stdlib.h>

/* The source's axis along which each axis of the result runs: 1..3 for x, y, z, or -1..-3 for x, y, z reversed. */
typedef struct turn {
    int x, y, z;
} turn;

static void turned_shape(drua_shape *shape, turn t)
{
    const int64_t *extent = shape->extent;
    *shape = (drua_shape){extent[abs(t.x) - 1], extent[abs(t.y) - 1], extent[abs(t.z) - 1],
                          abs(t.z) == 3 ? shape->dimension : 3};
}

static drua_layout turn_layout(drua_layout l, turn t)
{
    const int axis[] = {t.x, t.y, t.z};
    drua_layout to = l;
    for (int i = 0; i < 3; i++) {
        const int from = abs(axis[i]) - 1;
        to.extent[i] = l.extent[from];
        to.stride[i] = axis[i] < 0 ? -l.stride[from] : l.stride[from];
        if (axis[i] < 0)
            to.offset += (l.extent[from] - 1) * l.stride[from];
    }
    return to;
}

/* Reversed axes are not cut into parts. */
static void turned_parts(drua_parts *parts, turn t)
{
    const int axis[] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; i++)
        parts->axis[i] = axis[i] > 0 ? axis[i] - 1 : -1;
}

static void turned_region(drua_shape source, const drua_box *made, drua_box *read, turn t)
{
    const int axis[] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; i++) {
        const int from = abs(axis[i]) - 1;
        const int64_t extent = source.extent[from];
        read->first[from] = axis[i] > 0 ? made->first[i] : extent - made->end[i];
        read->end[from] = axis[i] > 0 ? made->end[i] : extent - made->first[i];
    }
}

/* Returns the same image with y and z exchanged. */
static drua_view exchange_yz(drua_view view)
{
    view.layout = turn_layout(view.layout, (turn){1, 3, 2});
    return view;
}

/* Returns the same image with x and z exchanged: its planes seen from the side. */
static drua_view swap_x_and_z(drua_view view)
{
    view.layout = turn_layout(view.layout, (turn){3, 2, 1});
    return view;
}

static void turned_steps(double steps[3][3], turn t)
{
    const int axis[] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; i++) {
        steps[i][i] = 0;
        steps[i][abs(axis[i]) - 1] = axis[i] > 0 ? 1 : -1;
    }
}

/*
 * Whether four pixels along y of one image and four along x of the other are aligned vectors. Only the last vector of a
 * row may be incomplete.
 */
static bool moves_vec4(const drua_layout *from, const drua_layout *to)
{
    return from->type == to->type && from->row == 1 && to->column == 1 && drua_layout_is_same_size(from, to) &&
           ((from->offset | from->column | from->plane | to->offset | to->row | to->plane) & 3) == 0;
}

/*
 * Copies an image to other axes. Later operations read along x, so a result whose x runs along another axis is copied
 * instead of viewed.
 */
static void copy_turned(drua_plan *p, turn t)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    from.layout = turn_layout(from.layout, t);
    if (llabs(from.layout.column) == 1) {
        const drua_layout *has = &from.layout, *wanted = &to.layout;
        if (has->width >= wanted->width && has->height >= wanted->height && has->depth >= wanted->depth)
            plan_copy(p, from, to, 0, 0, 0);
        else
            LAUNCH(p, "copy_window", plan_grid(*wanted), ARG(from), ARG(to), INT(0), INT(0), INT(0));
        return;
    }
    if (llabs(from.layout.plane) == 1) {
        from = exchange_yz(from);
        to = exchange_yz(to);
    }
    if (to.layout.width == 1 && from.layout.width == 1 && to.layout.plane == 1) {
        from = swap_x_and_z(from);
        to = swap_x_and_z(to);
    }
    if (plan_device(p)->is_gpu && moves_vec4(&from.layout, &to.layout)) {
        enum { SIDE = 64, VECTORS = 16 };
        const int64_t across = (to.layout.width + SIDE - 1) / SIDE, down = (to.layout.height + SIDE - 1) / SIDE;
        LAUNCH(p, "copy_across_vec4", GRID(across * VECTORS, down * VECTORS, to.layout.depth, VECTORS, VECTORS, 1),
               ARG(from), ARG(to));
        return;
    }
    enum { TILE = 32, TILE_ROWS = 8 };
    int64_t rows = ((int64_t)to.layout.height + TILE - 1) / TILE * TILE_ROWS;
    LAUNCH(p, "copy_across", GRID(to.layout.width, rows, to.layout.depth, TILE, TILE_ROWS, 1), ARG(from), ARG(to));
}

/* ---- mirrors */

static turn mirror_of(drua_plan *p)
{
    return (turn){plan_flag(p, "flip_x") ? -1 : 1, plan_flag(p, "flip_y") ? -2 : 2, plan_flag(p, "flip_z") ? -3 : 3};
}

static bool flip_view(drua_plan *p)
{
    plan_share(p, "destination", "source", turn_layout(plan_image(p, "source").layout, mirror_of(p)));
    return true;
}

static void launch_flip(drua_plan *p)
{
    copy_turned(p, mirror_of(p));
}

static void flip_parts(drua_plan *p, drua_parts *parts)
{
    turned_parts(parts, mirror_of(p));
}

static void flip_region(drua_plan *p, const drua_box *made, drua_box *read)
{
    turned_region(plan_shape(p, "source"), made, read, mirror_of(p));
}

#define FLIP(axis) DRUA_BOOLEAN("flip_" axis, "whether to mirror along " axis)

DRUA_OP(flip) = {
    .name = "flip",
    .category = "geometry",
    .summary = "Mirrors an image along the chosen axes.",
    .source = "pixels change places; nothing is interpolated",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to mirror"), DRUA_IMAGE_OUT("destination", "mirrored image"), FLIP("x"),
                FLIP("y"), FLIP("z")),
    DRUA_ALIASES("CLIJ2/CLIJx flip2D: source, &destination, flip_x, flip_y, flip_z=0",
                 "CLIJ flip2D: source, destination, flip_x, flip_y, flip_z=0",
                 "CLIJ2/CLIJx flip3D: source, &destination, flip_x, flip_y, flip_z",
                 "CLIJ flip3D: source, destination, flip_x, flip_y, flip_z"),
    .numeric = DRUA_EXACT,
    .view = flip_view,
    .launch = launch_flip,
    .parts = flip_parts,
    .region = flip_region,
};

/* ---- exchanged axes */

#define SOURCE "pixels change places; nothing is interpolated"
#define TURN_BY(name_, x, y, z)                                                                                        \
    static void name_##_shape(drua_plan *p, drua_shape *shape)                                                         \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        turned_shape(shape, (turn){x, y, z});                                                                          \
    }                                                                                                                  \
    static void name_(drua_plan *p)                                                                                    \
    {                                                                                                                  \
        copy_turned(p, (turn){x, y, z});                                                                               \
    }                                                                                                                  \
    static void name_##_parts(drua_plan *p, drua_parts *parts)                                                         \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        turned_parts(parts, (turn){x, y, z});                                                                          \
    }                                                                                                                  \
    static void name_##_region(drua_plan *p, const drua_box *made, drua_box *read)                                     \
    {                                                                                                                  \
        turned_region(plan_shape(p, "source"), made, read, (turn){x, y, z});                                           \
    }                                                                                                                  \
    static void name_##_steps(drua_plan *p, double steps[3][3])                                                        \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        turned_steps(steps, (turn){x, y, z});                                                                          \
    }
#define TURN(name_, summary_, ...)                                                                                     \
    {                                                                                                                  \
        .name = #name_, .category = "geometry", .summary = summary_, .source = SOURCE, .numeric = DRUA_EXACT,          \
        .launch = name_, .parts = name_##_parts, .region = name_##_region, .steps = name_##_steps,                     \
        .place = plan_same_place,                                                                                      \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to transpose"),                                                     \
                    DRUA_IMAGE_OUT("destination", "transposed image", .shape = name_##_shape)),                        \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }

TURN_BY(transpose_xy, 2, 1, 3)
DRUA_OP(transpose_xy) = TURN(transpose_xy, "Mirrors an image at its diagonal: rows become columns (x and y exchanged).",
                             "CLIJ2/CLIJx transposeXY: source, &destination");
TURN_BY(transpose_xz, 3, 2, 1)
DRUA_OP(transpose_xz) = TURN(transpose_xz, "Exchanges x and z of a stack: its slices become columns.",
                             "CLIJ2/CLIJx transposeXZ: source, &destination");
TURN_BY(transpose_yz, 1, 3, 2)
DRUA_OP(transpose_yz) = TURN(transpose_yz, "Exchanges y and z of a stack: its slices become rows.",
                             "CLIJ2/CLIJx transposeYZ: source, &destination");
TURN_BY(rotate_clockwise, -2, 1, 3)
DRUA_OP(rotate_clockwise) = TURN(rotate_clockwise, "Rotates an image by 90 degrees clockwise.",
                                 "CLIJ2/CLIJx rotateClockwise: source, &destination");
TURN_BY(rotate_counter_clockwise, 2, -1, 3)
DRUA_OP(rotate_counter_clockwise) = TURN(rotate_counter_clockwise, "Rotates an image by 90 degrees counter-clockwise.",
                                         "CLIJ2/CLIJx rotateCounterClockwise: source, &destination",
                                         "CLIJ2/CLIJx rotateLeft: source, &destination",
                                         "CLIJ rotateLeft: source, destination",
                                         "CLIJ2/CLIJx rotateRight: source, &destination",
                                         "CLIJ rotateRight: source, destination");
TURN_BY(reslice_top, 1, 3, 2)
DRUA_OP(reslice_top) = TURN(reslice_top, "Shows a stack from its top.", "CLIJ2/CLIJx resliceTop: source, &destination",
                            "CLIJ resliceTop: source, destination");
TURN_BY(reslice_bottom, 1, 3, -2)
DRUA_OP(reslice_bottom) = TURN(reslice_bottom, "Shows a stack from its bottom.",
                               "CLIJ2/CLIJx resliceBottom: source, &destination",
                               "CLIJ resliceBottom: source, destination");
TURN_BY(reslice_left, 2, 3, 1)
DRUA_OP(reslice_left) = TURN(reslice_left, "Shows a stack from its left side.",
                             "CLIJ2/CLIJx resliceLeft: source, &destination", "CLIJ resliceLeft: source, destination");
TURN_BY(reslice_right, 2, 3, -1)
DRUA_OP(reslice_right) = TURN(reslice_right, "Shows a stack from its right side.",
                              "CLIJ2/CLIJx resliceRight: source, &destination",
                              "CLIJ resliceRight: source, destination");
