/* SPDX-License-Identifier: BSD-3-Clause */
#include "labels.h"

enum { COLUMN, ROW, SLICE };

/* Joins runs across the faces between tiles of rows or slices. */
static void join_faces(drua_plan *p, drua_bits bits, drua_view parent, drua_layout l, int axis, int32_t tile)
{
    int32_t length = axis == ROW ? l.height : l.depth, lines = axis == ROW ? l.depth : l.height,
            faces = (length - 1) / tile;
    uint32_t plane = bits.row * (uint32_t)l.height, step = axis == ROW ? bits.row : plane,
             line_step = axis == ROW ? plane : bits.row;
    if (faces > 0)
        LAUNCH(p, "runs_join_faces", GRID(bits.row, lines, faces, 16, 4, 1), POINTER(bits.view), POINTER(parent),
               INT(bits.row), INT(step * (uint32_t)tile), INT(line_step), INT(lines), INT(faces), INT(step));
}

/* Joins runs. Most joins happen within tiles, in local memory; the faces between tiles follow. */
drua_runs labels_join_runs(drua_plan *p, drua_bits bits, drua_layout l, bool stack)
{
    enum { NODES_A_WORD = 16 };
    static const int32_t plane_tile[] = {4, 64, 1}, stack_tile[] = {2, 8, 16};
    const int32_t *tile = stack && l.depth > 1 ? stack_tile : plane_tile;
    int32_t faces = ((int32_t)bits.row - 1) / tile[COLUMN];
    drua_view parent = plan_scratch_bytes(p, 4ull * bits.words * NODES_A_WORD),
              roots = plan_scratch_bytes(p, 4ull * bits.words);
    LAUNCH(p, "runs_join_tiles", GRID(bits.row, l.height, l.depth, tile[COLUMN], tile[ROW], tile[SLICE]),
           POINTER(bits.view), POINTER(parent), INT(bits.row), INT(l.height), INT(l.depth));
    if (faces > 0)
        LAUNCH(p, "runs_join_columns", GRID(faces, l.height, l.depth, 1, 64, 1), POINTER(bits.view), POINTER(parent),
               INT(bits.row), INT(tile[COLUMN]), INT(l.height), INT(l.depth), INT(faces));
    join_faces(p, bits, parent, l, ROW, tile[ROW]);
    if (stack)
        join_faces(p, bits, parent, l, SLICE, tile[SLICE]);
    LAUNCH(p, "runs_flatten", LINE(bits.words, 256), POINTER(bits.view), POINTER(parent), POINTER(roots),
           INT(bits.words));
    return (drua_runs){bits, parent, roots};
}

/* Joins blocks of 2 x 2 x 2 pixels. A row of 32 blocks takes two words of bits and one word of roots. */
drua_runs labels_join_blocks(drua_plan *p, drua_bits bits, drua_layout l)
{
    enum { ROW_BLOCKS = 32, FACE_LANES = 64 };
    static const int32_t plane_tile[] = {1, 128, 1}, stack_tile[] = {1, 16, 16};
    const int32_t *tile = l.depth > 1 ? stack_tile : plane_tile, columns = (int32_t)bits.row / 2;
    const int32_t lines[] = {columns, (l.height + 1) / 2, (l.depth + 1) / 2};
    uint32_t words = bits.words / 2;
    drua_view parent = plan_scratch_bytes(p, 4 * (uint64_t)words * ROW_BLOCKS),
              roots = plan_scratch_bytes(p, 4 * (uint64_t)words);
    LAUNCH(p, "blocks_join_tiles", GRID(columns, l.height, l.depth, tile[COLUMN], tile[ROW], tile[SLICE]),
           POINTER(bits.view), POINTER(parent), POINTER(roots), INT(columns), INT(l.height), INT(l.depth));
    for (int axis = ROW; axis <= SLICE; axis++) {
        int32_t step = (tile[axis] + 1) / 2, faces = (lines[axis] - 1) / step, along = lines[axis == ROW ? SLICE : ROW];
        if (faces > 0)
            LAUNCH(p, "blocks_join_faces", GRID((int64_t)along * columns, 3 * faces, 1, FACE_LANES, 1, 1),
                   POINTER(bits.view), POINTER(parent), INT(columns), INT(l.height), INT(l.depth), INT(axis), INT(step),
                   INT(along));
    }
    if (columns > 1)
        LAUNCH(p, "blocks_join_columns", GRID(lines[ROW], lines[SLICE], columns - 1, FACE_LANES, 1, 1),
               POINTER(bits.view), POINTER(parent), INT(columns), INT(l.height), INT(l.depth));
    LAUNCH(p, "blocks_flatten", LINE(words, 256), POINTER(parent), POINTER(roots), INT(words));
    return (drua_runs){bits, parent, roots};
}

/* The joined runs or blocks of an image, and the ranks of their roots. */
typedef struct components {
    drua_runs runs;
    drua_ranks ranks;
    drua_layout of;
    bool box;
} components;

static components find_components(drua_plan *p, drua_view source, bool box)
{
    drua_bits bits = labels_pack(p, source, box ? 2 : 1);
    drua_runs runs = box ? labels_join_blocks(p, bits, source.layout) : labels_join_runs(p, bits, source.layout, true);
    return (components){runs, labels_rank(p, runs.roots, box ? bits.words / 2 : bits.words), source.layout, box};
}

/*
 * Restricts a grid to the rows and slices of a box. A work-item covers `unit` rows and slices, and the box begins at a
 * multiple of `unit`.
 */
static drua_grid grid_in(drua_grid grid, const drua_box *at, int64_t unit)
{
    for (int axis = 1; axis < 3; axis++) {
        grid.from[axis] = at->first[axis] / unit;
        grid.items[axis] = (at->end[axis] - at->first[axis] + unit - 1) / unit;
    }
    return grid;
}

/* Writes the labels of a box; `to` is a view of this box. */
static void write_labels(drua_plan *p, const components *c, drua_view to, const drua_box *at, bool same_size)
{
    const drua_layout l = c->of;
    const drua_bits bits = c->runs.bits;
    const bool vec4 =
        same_size && drua_layout_is_vec4(&to.layout) && (!c->box || (at->first[1] % 2 == 0 && at->first[2] % 2 == 0));
    if (vec4 && c->box)
        LAUNCH(p, "blocks_label_vec4", grid_in(labels_march_grid(l, 1), at, 2), POINTER(bits.view),
               POINTER(c->runs.parent), POINTER(c->runs.roots), POINTER(c->ranks.before), INT(bits.row / 2), ARG(to));
    else if (vec4)
        LAUNCH(p, "runs_label_vec4", grid_in(labels_march_grid(l, 1), at, 1), POINTER(bits.view),
               POINTER(c->runs.parent), POINTER(c->runs.roots), POINTER(c->ranks.before), INT(bits.row), ARG(to));
    else
        LAUNCH(p, c->box ? "blocks_label" : "runs_label", grid_in(plan_grid(to.layout), at, 1), POINTER(bits.view),
               POINTER(c->runs.parent), POINTER(c->runs.roots), POINTER(c->ranks.before),
               INT(c->box ? bits.row / 2 : bits.row), INT(l.width), INT(l.height), INT(l.depth), ARG(to));
}

static drua_box all_of(drua_layout l)
{
    return drua_box_of((const int64_t[]){l.width, l.height, l.depth});
}

/* ---- images whose runs or blocks do not fit the device: tiles are labelled separately, then joined */

enum { BYTES_A_WORD = 80 };
static uint64_t words_of(drua_layout l)
{
    return ((uint64_t)l.width + 63) / 64 * 2 * (uint64_t)l.height * (uint64_t)l.depth;
}

static drua_tiles cut_into_tiles(drua_plan *p, drua_view source)
{
    const drua_layout l = source.layout;
    const uint64_t words = words_of(l), extent = (uint64_t)(l.depth > 1 ? l.depth : l.height),
                   left = plan_memory_left(p) / 2;
    const uint64_t bytes = (words * BYTES_A_WORD + 12 * (uint64_t)drua_layout_count(&l)) / extent,
                   block = plan_device(p)->largest_allocation;
    const uint64_t fits = (left < block ? left : block) / bytes, max = labels_max_words(p) / (words / extent),
                   thick = fits < max ? fits : max;
    return (drua_tiles){.inputs = {source},
                        .separate = true,
                        .thickness = thick < 2        ? 2
                                     : thick < extent ? (int64_t)thick
                                                      : (int64_t)extent};
}

/* Labels one tile separately; sets `count` to the number of its labels unless it is NULL. */
static drua_view label_tile(drua_plan *p, drua_view tile, bool box, uint32_t *count)
{
    const drua_layout l = tile.layout;
    const drua_box all = all_of(l);
    const components c = find_components(p, tile, box);
    if (count)
        *count = labels_rank_total(p, c.ranks);
    drua_view labels = plan_scratch(p, (drua_shape){l.width, l.height, l.depth, 3}, DRUA_UINT32);
    write_labels(p, &c, labels, &all, true);
    const drua_view used[] = {c.runs.bits.view, c.runs.parent, c.runs.roots, c.ranks.before, c.ranks.chunk_counts};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        plan_free_scratch(p, used[i]);
    return labels;
}

/* Number of pixels in a layer across the axis along which the image is cut. */
static int64_t layer_pixels(drua_layout l)
{
    return l.depth > 1 ? (int64_t)l.width * l.height : l.width;
}

/* Reads the labels of the first or last layer of a tile. */
static void read_face(drua_plan *p, drua_view labels, int axis, bool last, uint32_t *face)
{
    drua_layout *l = &labels.layout;
    if (last)
        l->offset += (l->extent[axis] - 1) * l->stride[axis];
    l->extent[axis] = 1;
    const drua_view line = plan_scratch(p, (drua_shape){l->width, l->height, 1, 2}, DRUA_UINT32);
    plan_copy(p, labels, line, 0, 0, 0);
    plan_read(p, line, face, 4 * (size_t)drua_layout_count(l));
    plan_free_scratch(p, line);
}

/*
 * Labels the tiles. Sets, for each tile, the number of labels up to and including it, and the labels of its first and
 * last layers.
 */
static void label_apart(drua_plan *p, drua_tiles t, bool box, uint32_t *before, uint32_t *faces)
{
    const int64_t layer = layer_pixels(t.inputs[0].layout);
    for (; plan_next_tile(p, &t); before++, faces += 2 * layer) {
        uint32_t count = 0;
        const drua_view labels = label_tile(p, t.from[0], box, &count);
        if ((uint64_t)*before + count >= UINT32_MAX)
            plan_fail(p, "source has more objects than 32-bit labels can count; crop it or split it");
        before[1] = *before + count;
        read_face(p, labels, t.axis, false, faces);
        read_face(p, labels, t.axis, true, faces + layer);
        plan_free_scratch(p, labels);
    }
}

/* Returns the component number of each label; components are numbered by their first pixel. */
static drua_view join_tiles(drua_plan *p, drua_layout l, bool box, int32_t tiles, const uint32_t *before,
                            const uint32_t *faces)
{
    const uint32_t last = before[tiles], words = last / 32 + 1;
    const drua_shape layer = {l.width, l.depth > 1 ? l.height : 1, 1, 2};
    drua_view parent = plan_scratch_bytes(p, 4 * ((uint64_t)last + 1)),
              bits = plan_scratch_bytes(p, 4 * (uint64_t)words);
    LAUNCH(p, "labels_alone", LINE((int64_t)last + 1, 64), POINTER(parent), INT(last));
    for (int32_t k = 1; k < tiles && !plan_failed(p); k++) {
        const drua_view above = plan_scratch(p, layer, DRUA_UINT32), below = plan_scratch(p, layer, DRUA_UINT32);
        plan_write(p, above, faces + (2 * k - 1) * layer_pixels(l));
        plan_write(p, below, faces + 2 * k * layer_pixels(l));
        LAUNCH(p, "apart_join", plan_grid(above.layout), ARG(above), ARG(below), INT(before[k - 1]), INT(before[k]),
               INT(box), POINTER(parent));
        plan_free_scratch(p, above);
        plan_free_scratch(p, below);
    }
    LAUNCH(p, "labels_flatten", LINE((int64_t)last + 1, 64), POINTER(parent), INT(last));
    LAUNCH(p, "apart_roots", LINE(words, 64), POINTER(parent), POINTER(bits), INT(words), INT(last + 1));
    const drua_ranks ranks = labels_rank(p, bits, words);
    drua_view numbers = plan_scratch_bytes(p, 4 * ((uint64_t)last + 1));
    LAUNCH(p, "apart_numbers", LINE((int64_t)last + 1, 64), POINTER(parent), POINTER(bits), POINTER(ranks.before),
           POINTER(numbers), INT(last + 1));
    return numbers;
}

static void in_tiles(drua_plan *p, drua_view source, bool box)
{
    const drua_layout l = source.layout;
    drua_tiles t = cut_into_tiles(p, source);
    const int64_t extent = l.depth > 1 ? l.depth : l.height, count = (extent + t.thickness - 1) / t.thickness;
    uint32_t *before = plan_host_memory(p, ((size_t)count + 1) * sizeof *before);
    uint32_t *faces = plan_host_memory(p, 2 * (size_t)(count * layer_pixels(l)) * sizeof *faces);
    if (plan_failed(p))
        return;
    label_apart(p, t, box, before, faces);
    const drua_view numbers = join_tiles(p, l, box, (int32_t)count, before, faces);
    for (t.output = "destination"; plan_next_tile(p, &t); before++) {
        const drua_view labels = label_tile(p, t.from[0], box, NULL);
        LAUNCH(p, "apart_gather", plan_grid(t.to.layout), ARG(labels), POINTER(numbers), INT(*before), ARG(t.to));
        plan_free_scratch(p, labels);
    }
}

/*
 * A float32 destination represents labels exactly up to 2^24. Only the device knows whether there are more labels, so
 * no message reports it; a uint32 destination holds all labels.
 */
static void by_slices(drua_plan *p, bool box)
{
    const drua_view source = plan_image(p, "source");
    const drua_layout whole = plan_image(p, "destination").layout;
    const uint64_t words = words_of(source.layout), bytes = words * BYTES_A_WORD;
    const bool fits = words <= labels_max_words(p) && bytes <= plan_memory_left(p) / 4 * 3 &&
                      bytes <= plan_device(p)->largest_allocation;
    if (!fits && drua_layout_is_dense(&source.layout) && drua_layout_is_same_size(&whole, &source.layout)) {
        in_tiles(p, source, box);
        return;
    }
    const components c = find_components(p, source, box);
    for (drua_tiles t = {.output = "destination"}; plan_next_tile(p, &t);)
        write_labels(p, &c, t.to, &t.at.wanted, drua_layout_is_same_size(&whole, &c.of));
}

static void launch_box(drua_plan *p)
{
    by_slices(p, true);
}

static void launch_diamond(drua_plan *p)
{
    by_slices(p, false);
}

static void launch_inplace(drua_plan *p)
{
    drua_view image = plan_image(p, "image");
    const components c = find_components(p, image, true);
    const drua_box all = all_of(image.layout);
    write_labels(p, &c, image, &all, true);
}

static void large_inplace(drua_plan *p)
{
    plan_return(p, "image", CALL(p, "connected_components_box", plan_type(p, "image"), plan_operand(p, "image")));
}

#define PARAMETERS                                                                                                     \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image; every pixel that is not 0 belongs to an object"),               \
                DRUA_LABELS_OUT("destination", "label map; 0 is background", .type = DRUA_FLOAT32, .by_tiles = true))

DRUA_OP(connected_components_box) = {
    .name = "connected_components_box",
    .category = "labels",
    .menu = true,
    .summary = "Labels objects of a mask: pixels that touch by side or corner get one number, in raster order.",
    .source = "union-find on blocks of 2 x 2 x 2 pixels; Playne and Hawick 2018, Komura 2015",
    PARAMETERS,
    DRUA_ALIASES("CLIJ2/CLIJx connectedComponentsLabeling: source, &destination",
                 "CLIJ2/CLIJx connectedComponentsLabelingBox: source, &destination",
                 "CLIJxt connectedComponentsLabelingBox: source, &destination:source, ~tile_width, ~tile_height, "
                 "~tile_depth, ~margin_width, ~margin_height, ~margin_depth",
                 "CLIJx imageJ3DSuiteConnectedComponentsLabeling: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_PROLOGUE,
    .launch = launch_box,
};

DRUA_OP(connected_components_diamond) = {
    .name = "connected_components_diamond",
    .category = "labels",
    .summary = "Labels objects of a mask: pixels that touch by side get one number, in raster order.",
    .source = "union-find on runs; Playne and Hawick 2018, Komura 2015",
    PARAMETERS,
    DRUA_ALIASES("CLIJ2/CLIJx connectedComponentsLabelingDiamond: source, &destination",
                 "CLIJx morphoLibJConnectedComponentsLabeling: source, &destination",
                 "CLIJx morphoLibJFloodFillComponentsLabeling: source, &destination",
                 "CLIJx simpleITKConnectedComponent: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_PROLOGUE,
    .launch = launch_diamond,
};

DRUA_OP(connected_components_in_place) = {
    .name = "connected_components_in_place",
    .category = "labels",
    .summary = "Replaces a binary image with the numbers of its objects, as connected_components_box counts them.",
    .source = "components by side and corner (see connectedComponentsBox)",
    DRUA_PARAMS(DRUA_IMAGE_INOUT("image", "binary image that becomes a label map; its type limits the labels")),
    DRUA_ALIASES("CLIJx connectedComponentsLabelingInplace: image"),
    .numeric = DRUA_EXACT,
    .launch = launch_inplace,
    .build_large = large_inplace,
};
