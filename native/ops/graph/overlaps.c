/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the pixels that labels share, along a border or by overlap. */
#include "label_graph.h"

enum { WALK = 32 };

typedef struct counts {
    drua_view pairs, sizes1, sizes2;
    uint32_t columns, rows;
} counts;

static drua_grid walk_grid(drua_layout l)
{
    return GRID(l.width, (l.height + WALK - 1) / WALK, l.depth, 64, 1, 1);
}

static drua_view zeroed_memory(drua_plan *p, uint64_t words)
{
    drua_view view = plan_scratch_bytes(p, 4 * words);
    plan_clear(p, view);
    return view;
}

/* Cuts both maps into tiles; maps of different sizes are not cut. */
static drua_tiles tiles_of_both(drua_view labels1, drua_view labels2)
{
    const bool cut = drua_layout_is_same_size(&labels1.layout, &labels2.layout);
    return (drua_tiles){.inputs = {labels1, labels2}, .separate = true, .thickness = cut ? 0 : INT32_MAX};
}

static counts count_overlaps(drua_plan *p)
{
    drua_view labels1 = plan_image(p, "labels1"), labels2 = plan_image(p, "labels2");
    const int64_t pixels = drua_layout_count(&labels1.layout);
    if (pixels > plan_max_countable_pixels(p))
        plan_fail(p, "labels1 has %lld pixels, but at most %lld can be counted at once; crop or split both maps",
                  (long long)pixels, (long long)plan_max_countable_pixels(p));
    counts c = {.columns = (uint32_t)plan_largest_label(p, "labels1") + 1,
                .rows = (uint32_t)plan_largest_label(p, "labels2") + 1};
    c.pairs = zeroed_memory(p, (uint64_t)c.columns * c.rows);
    c.sizes1 = zeroed_memory(p, c.columns);
    c.sizes2 = zeroed_memory(p, c.rows);
    for (drua_tiles t = tiles_of_both(labels1, labels2); plan_next_tile(p, &t);) {
        drua_grid grid = walk_grid(t.from[0].layout);
        grid.group[2] = 4;
        LAUNCH(p, "overlap_counts", grid, ARG(t.from[0]), ARG(t.from[1]), POINTER(c.pairs), POINTER(c.sizes1),
               POINTER(c.sizes2), INT(c.columns), INT(c.rows));
    }
    return c;
}

static void write_overlaps(drua_plan *p, drua_view out, counts c, int measure)
{
    LAUNCH(p, "overlap_matrix", plan_grid(out.layout), POINTER(c.pairs), POINTER(c.sizes1), POINTER(c.sizes2),
           INT(c.columns), INT(c.rows), INT(measure), ARG(out));
}

enum { TOUCHED, COUNTED, JACCARD };

static void plan_binary(drua_plan *p)
{
    write_overlaps(p, plan_image(p, "destination"), count_overlaps(p), TOUCHED);
}

static void plan_jaccard(drua_plan *p)
{
    write_overlaps(p, plan_image(p, "destination"), count_overlaps(p), JACCARD);
}

/* Number of sides between pixels. Two labels may touch along all of these sides, like the colours of a chessboard. */
static int64_t sides_of(const drua_layout *l)
{
    const int64_t w = l->width, h = l->height, d = l->depth;
    return 3 * w * h * d - h * d - w * d - w * h;
}

/* Counts the pixel sides along which labels touch, left of the matrix's diagonal or on both sides of it. */
static drua_view count_sides(drua_plan *p, drua_view labels, uint32_t largest, bool two_sided)
{
    const uint32_t count = largest + 1;
    if (sides_of(&labels.layout) > plan_max_countable_pixels(p))
        plan_fail(p, "labels has %lld sides between pixels, but at most %lld can be counted; crop or split the map",
                  (long long)sides_of(&labels.layout), (long long)plan_max_countable_pixels(p));
    drua_view sides = plan_scratch(p, (drua_shape){count, count, 1, 2}, DRUA_UINT32);
    plan_clear(p, sides);
    for (drua_tiles t = {.inputs = {labels}, .halo = 1}; plan_next_tile(p, &t);)
        if (t.from[0].buffer == labels.buffer && drua_layout_is_vec4(&labels.layout)) {
            LAUNCH(p, "touch_counts_vec4", graph_march_grid(labels.layout), ARG(labels), POINTER(sides), INT(count),
                   INT(two_sided), INT(GRAPH_SLICES));
        } else {
            const drua_box *at = &t.at.wanted;
            drua_grid grid = walk_grid(t.from[0].layout);
            grid.items[2] = at->end[2] - at->first[2];
            grid.from[2] = at->first[2];
            LAUNCH(p, "touch_counts", grid, ARG(t.from[0]), INT(at->first[1]), INT(at->end[1]), POINTER(sides),
                   INT(count), INT(two_sided));
        }
    return sides;
}

static void plan_touch_count(drua_plan *p)
{
    const uint32_t largest = (uint32_t)plan_largest_label(p, "labels");
    drua_view sides = count_sides(p, plan_image(p, "labels"), largest, false);
    write_overlaps(p, plan_image(p, "destination"), (counts){sides, sides, sides, largest + 1, largest + 1}, COUNTED);
}

drua_view graph_touch_sides(drua_plan *p, drua_view labels, uint32_t largest)
{
    return count_sides(p, labels, largest, true);
}

static void plan_count_map(drua_plan *p)
{
    drua_view labels1 = plan_image(p, "labels1"), labels2 = plan_image(p, "labels2");
    uint32_t largest = (uint32_t)plan_largest_label(p, "labels1"), other = (uint32_t)plan_largest_label(p, "labels2");
    uint32_t words = other / 32 + 1;
    drua_graph g = {zeroed_memory(p, ((uint64_t)largest + 1) * words), largest + 1, words};
    for (drua_tiles t = tiles_of_both(labels1, labels2); plan_next_tile(p, &t);)
        LAUNCH(p, "overlap_bits", plan_grid(t.from[0].layout), ARG(t.from[0]), ARG(t.from[1]), POINTER(g.bits),
               INT(g.count), INT(words));
    drua_view number = graph_vector(p, largest);
    LAUNCH(p, "bit_counts", LINE(g.count, 64), POINTER(g.bits), INT(g.count), INT(words), ARG(number));
    graph_paint(p, labels1, number);
}

static void two_maps(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_largest_label(p, "labels1") + 1, plan_largest_label(p, "labels2") + 1, 1, 2};
}

static void one_map(drua_plan *p, drua_shape *shape)
{
    int64_t size = plan_largest_label(p, "labels") + 1;
    *shape = (drua_shape){size, size, 1, 2};
}

#define MAPS DRUA_IMAGE_IN("labels1", "label map"), DRUA_IMAGE_IN("labels2", "label map of the same size")
#define SOURCE "counts the pixels, or for touching labels the pixel sides, that each pair of labels has in common"
#define MATRIX(name_, plan_, numeric_, summary_, params_, ...)                                                         \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_,                           \
        DRUA_ALIASES(__VA_ARGS__), .numeric = numeric_, .launch = plan_                                                \
    }

DRUA_OP(generate_binary_overlap_matrix) =
    MATRIX(generate_binary_overlap_matrix, plan_binary, DRUA_EXACT,
           "Tells which labels of two maps share pixels; background is label 0.",
           DRUA_PARAMS(MAPS, DRUA_IMAGE_OUT("destination", "0 and 1; columns for the first map, rows for the second",
                                            .shape = two_maps, .type = DRUA_FLOAT32)),
           "CLIJ2 generateBinaryOverlapMatrix: labels1, labels2, &destination");
DRUA_OP(generate_jaccard_index_matrix) =
    MATRIX(generate_jaccard_index_matrix, plan_jaccard, DRUA_EXACT,
           "Measures how well labels of two maps agree: common pixels divided by pixels in at least one.",
           DRUA_PARAMS(MAPS, DRUA_IMAGE_OUT("destination", "indices; columns for the first map, rows for the second",
                                            .shape = two_maps, .type = DRUA_FLOAT32)),
           "CLIJ2 generateJaccardIndexMatrix: labels1, labels2, &destination");
DRUA_OP(generate_touch_count_matrix) = MATRIX(generate_touch_count_matrix, plan_touch_count, DRUA_EXACT,
                                              "Counts the pixel sides along which labels touch, left of the diagonal.",
                                              DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"),
                                                          DRUA_IMAGE_OUT("destination", "counts", .shape = one_map,
                                                                         .type = DRUA_FLOAT32)),
                                              "CLIJ2 generateTouchCountMatrix: labels, &destination");
DRUA_OP(label_overlap_count_map) = MATRIX(label_overlap_count_map, plan_count_map, DRUA_EXACT,
                                          "Paints every label with the number of labels of another map that lie on it.",
                                          DRUA_PARAMS(MAPS, DRUA_IMAGE_OUT("destination", "map of the counts",
                                                                           .type = DRUA_FLOAT32, .by_tiles = true)),
                                          "CLIJ2/CLIJx labelOverlapCountMap: labels1, labels2, &destination");
