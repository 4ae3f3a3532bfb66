/* SPDX-License-Identifier: BSD-3-Clause */
#include "labels.h"

enum { COLUMN, ROW, SLICE };

/* Joins runs on both sides of the faces between tiles of rows or of slices. */
static void join_faces(drua_plan *p, drua_bits bits, drua_view parent, drua_layout l, int axis, int32_t tile)
{
    int32_t length = axis == ROW ? l.height : l.depth, lines = axis == ROW ? l.depth : l.height, faces = (length - 1) / tile;
    uint32_t plane = bits.row * (uint32_t)l.height, step = axis == ROW ? bits.row : plane, line_step = axis == ROW ? plane : bits.row;
    if (faces > 0)
        LAUNCH(p, "runs_join_faces", GRID(bits.row, lines, faces, 16, 4, 1), POINTER(bits.view), POINTER(parent), INT(bits.row),
               INT(step * (uint32_t)tile), INT(line_step), INT(lines), INT(faces), INT(step));
}

/* Most joins happen inside tiles, in local memory; their faces follow. */
drua_runs labels_join_runs(drua_plan *p, drua_bits bits, drua_layout l, bool stack)
{
    enum { NODES_A_WORD = 16 };
    static const int32_t plane_tile[] = {4, 64, 1}, stack_tile[] = {2, 8, 16};
    const int32_t *tile = stack && l.depth > 1 ? stack_tile : plane_tile;
    int32_t faces = ((int32_t)bits.row - 1) / tile[COLUMN];
    drua_view parent = plan_memory(p, 4 * (uint64_t)bits.words * NODES_A_WORD), roots = plan_memory(p, 4 * (uint64_t)bits.words);
    LAUNCH(p, "runs_join_tiles", GRID(bits.row, l.height, l.depth, tile[COLUMN], tile[ROW], tile[SLICE]), POINTER(bits.view), POINTER(parent),
           INT(bits.row), INT(l.height), INT(l.depth));
    if (faces > 0)
        LAUNCH(p, "runs_join_columns", GRID(faces, l.height, l.depth, 1, 64, 1), POINTER(bits.view), POINTER(parent), INT(bits.row),
               INT(tile[COLUMN]), INT(l.height), INT(l.depth), INT(faces));
    join_faces(p, bits, parent, l, ROW, tile[ROW]);
    if (stack)
        join_faces(p, bits, parent, l, SLICE, tile[SLICE]);
    LAUNCH(p, "runs_flatten", LINE(bits.words, 64), POINTER(bits.view), POINTER(parent), POINTER(roots), INT(bits.words));
    return (drua_runs){bits, parent, roots};
}

/* Joins blocks of 2 x 2 x 2 pixels in the same way. A row of 32 blocks takes two words of bits and has one of roots. */
static drua_runs join_blocks(drua_plan *p, drua_bits bits, drua_layout l)
{
    enum { ROW_BLOCKS = 32, FACE_LANES = 64 };
    static const int32_t plane_tile[] = {1, 128, 1}, stack_tile[] = {1, 16, 16};
    const int32_t *tile = l.depth > 1 ? stack_tile : plane_tile, columns = (int32_t)bits.row / 2;
    const int32_t lines[] = {columns, (l.height + 1) / 2, (l.depth + 1) / 2};
    uint32_t words = bits.words / 2;
    drua_view parent = plan_memory(p, 4 * (uint64_t)words * ROW_BLOCKS), roots = plan_memory(p, 4 * (uint64_t)words);
    LAUNCH(p, "blocks_join_tiles", GRID(columns, l.height, l.depth, tile[COLUMN], tile[ROW], tile[SLICE]), POINTER(bits.view), POINTER(parent),
           POINTER(roots), INT(columns), INT(l.height), INT(l.depth));
    for (int axis = ROW; axis <= SLICE; axis++) {
        int32_t step = (tile[axis] + 1) / 2, faces = (lines[axis] - 1) / step, along = lines[axis == ROW ? SLICE : ROW];
        if (faces > 0)
            LAUNCH(p, "blocks_join_faces", GRID(along, columns, 3 * faces, FACE_LANES, 1, 1), POINTER(bits.view), POINTER(parent), INT(columns),
                   INT(l.height), INT(l.depth), INT(axis), INT(step), INT(along));
    }
    if (columns > 1)
        LAUNCH(p, "blocks_join_columns", GRID(lines[ROW], lines[SLICE], columns - 1, FACE_LANES, 1, 1), POINTER(bits.view), POINTER(parent),
               INT(columns), INT(l.height), INT(l.depth));
    LAUNCH(p, "blocks_flatten", LINE(words, 64), POINTER(parent), POINTER(roots), INT(words));
    return (drua_runs){bits, parent, roots};
}

/* What the joined runs or blocks of an image of that extent say. */
typedef struct components {
    drua_runs runs;
    drua_ranks ranks;
    drua_layout of;
    bool box;
} components;

static components find(drua_plan *p, drua_view source, bool box)
{
    drua_bits bits = labels_pack(p, source, box ? 2 : 1);
    drua_runs runs = box ? join_blocks(p, bits, source.layout) : labels_join_runs(p, bits, source.layout, true);
    return (components){runs, labels_rank(p, runs.roots, box ? bits.words / 2 : bits.words), source.layout, box};
}

/* Labels the slices of a destination from `first` on that its view shows. */
static void label(drua_plan *p, const components *c, drua_view to, const drua_stretch *s, bool same_size)
{
    const drua_layout l = c->of;
    const drua_bits bits = c->runs.bits;
    const bool fours = same_size && drua_layout_is_in_fours(&to.layout) && (!c->box || s->first % 2 == 0);
    drua_grid pairs = GRID(l.width / 4, (l.height + 1) / 2, (l.depth + 1) / 2, 32, 8, 1);
    pairs.items[s->axis] = (s->count + 1) / 2;
    pairs.from[s->axis] = s->first / 2;
    if (fours && c->box)
        LAUNCH(p, "blocks_label_in_fours", pairs, POINTER(bits.view), POINTER(c->runs.parent), POINTER(c->runs.roots), POINTER(c->ranks.before),
               INT(bits.row / 2), ARG(to));
    else if (fours)
        LAUNCH(p, "runs_label_in_fours", plan_grid_along(labels_march_grid(l, 1), s), POINTER(bits.view), POINTER(c->runs.parent),
               POINTER(c->runs.roots), POINTER(c->ranks.before), INT(bits.row), ARG(to));
    else
        LAUNCH(p, c->box ? "blocks_label" : "runs_label", plan_grid_along(plan_grid(to.layout), s), POINTER(bits.view), POINTER(c->runs.parent),
               POINTER(c->runs.roots), POINTER(c->ranks.before), INT(c->box ? bits.row / 2 : bits.row), INT(l.width), INT(l.height), INT(l.depth),
               ARG(to));
}

/*
 * A float32 destination holds labels exactly up to 2^24. Whether there are more is known only on the device, so no
 * sentence says so; a uint32 destination holds them all.
 */
static void by_slices(drua_plan *p, bool box)
{
    const components c = find(p, plan_image(p, "source"), box);
    const drua_layout whole = plan_image(p, "destination").layout;
    for (drua_stretch s = {.count = 0}; plan_next_slices(p, "destination", &s);)
        label(p, &c, s.view, &s, drua_layout_is_same_size(&whole, &c.of));
}

static void plan_box(drua_plan *p)
{
    by_slices(p, true);
}

static void plan_diamond(drua_plan *p)
{
    by_slices(p, false);
}

static void plan_inplace(drua_plan *p)
{
    drua_view image = plan_image(p, "image");
    const components c = find(p, image, true);
    const drua_stretch all = {.axis = 2, .count = image.layout.depth};
    label(p, &c, image, &all, true);
}

static void large_inplace(drua_plan *p)
{
    plan_return(p, "image", CALL(p, "connected_components_box", plan_type(p, "image"), plan_operand(p, "image")));
}

#define PARAMETERS                                                                                                               \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image; every pixel that is not 0 belongs to an object"),                         \
                DRUA_IMAGE_OUT("destination", "label map; 0 is background", .type = DRUA_FLOAT32, .by_slices = true))

const drua_op drua_op_connected_components_box = {
    .name = "connected_components_box",
    .category = "labels",
    .menu = true,
    .summary = "Labels objects of a mask: pixels that touch by side or corner get one number, in the order of their first pixels.",
    .source = "union-find on blocks of 2 x 2 x 2 pixels; Playne and Hawick 2018, Komura 2015",
    PARAMETERS,
    DRUA_ALIASES("CLIJ2/CLIJx connectedComponentsLabeling: source, &destination", "CLIJ2/CLIJx connectedComponentsLabelingBox: source, &destination",
                 "CLIJxt connectedComponentsLabelingBox: source, &destination:source, ~tile_width, ~tile_height, ~tile_depth, ~margin_width, "
                 "~margin_height, ~margin_depth"),
    .numeric = DRUA_EXACT,
    .plan = plan_box,
};

const drua_op drua_op_connected_components_diamond = {
    .name = "connected_components_diamond",
    .category = "labels",
    .summary = "Labels objects of a mask: pixels that touch by side get one number, in the order of their first pixels.",
    .source = "union-find on runs; Playne and Hawick 2018, Komura 2015",
    PARAMETERS,
    DRUA_ALIASES("CLIJ2/CLIJx connectedComponentsLabelingDiamond: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_diamond,
};

const drua_op drua_op_connected_components_in_place = {
    .name = "connected_components_in_place",
    .category = "labels",
    .summary = "Replaces a binary image by the numbers of its objects, as connected_components_box counts them.",
    .source = "components by side and corner (see connectedComponentsBox)",
    DRUA_PARAMS(DRUA_IMAGE_INOUT("image", "binary image that becomes a label map; its type limits the labels")),
    DRUA_ALIASES("CLIJx connectedComponentsLabelingInplace: image"),
    .numeric = DRUA_EXACT,
    .plan = plan_inplace,
    .large = large_inplace,
};
