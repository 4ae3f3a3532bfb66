/* SPDX-License-Identifier: BSD-3-Clause */
/* How many pixels labels share, by a border or by lying on each other. */
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

static drua_view zeros(drua_plan *p, uint64_t words)
{
    drua_view view = plan_memory(p, 4 * words);
    plan_clear(p, view);
    return view;
}

/* A tile of two maps of one size that the device does not hold, or both maps completely. All 0 before the first tile. */
typedef struct slabs {
    drua_view one, other;
    int32_t first, count;
} slabs;

static bool next_slabs(drua_plan *p, drua_view labels1, drua_view labels2, slabs *s)
{
    const drua_layout a = labels1.layout, b = labels2.layout;
    const int axis = a.depth > 1 ? 2 : 1;
    const int32_t extent = a.extent[axis];
    const bool whole = plan_holds(p, labels1, labels2) || !drua_layout_is_dense(&a) || !drua_layout_is_dense(&b) || !drua_layout_is_same_size(&a, &b);
    if (s->count && !whole) {
        plan_drop(p, s->one);
        plan_drop(p, s->other);
    }
    s->first += s->count;
    if (s->first >= extent || plan_failed(p))
        return false;
    const int32_t thick = whole ? extent : 1 + extent / (int32_t)plan_parts_of(p, 2 * drua_layout_count(&a) * (int64_t)sizeof(float));
    s->count = thick < extent - s->first ? thick : extent - s->first;
    s->one = whole ? labels1 : plan_slab(p, labels1, axis, s->first, s->count);
    s->other = whole ? labels2 : plan_slab(p, labels2, axis, s->first, s->count);
    return !plan_failed(p);
}

static counts count_overlaps(drua_plan *p)
{
    drua_view labels1 = plan_image(p, "labels1"), labels2 = plan_image(p, "labels2");
    counts c = {.columns = (uint32_t)plan_largest_label(p, "labels1") + 1, .rows = (uint32_t)plan_largest_label(p, "labels2") + 1};
    c.pairs = zeros(p, (uint64_t)c.columns * c.rows);
    c.sizes1 = zeros(p, c.columns);
    c.sizes2 = zeros(p, c.rows);
    for (slabs s = {.count = 0}; next_slabs(p, labels1, labels2, &s);) {
        drua_grid grid = walk_grid(s.one.layout);
        grid.group[2] = 4;
        LAUNCH(p, "overlap_counts", grid, ARG(s.one), ARG(s.other), POINTER(c.pairs), POINTER(c.sizes1), POINTER(c.sizes2), INT(c.columns),
               INT(c.rows));
    }
    return c;
}

static void store(drua_plan *p, drua_view out, counts c, int measure)
{
    LAUNCH(p, "overlap_matrix", plan_grid(out.layout), POINTER(c.pairs), POINTER(c.sizes1), POINTER(c.sizes2), INT(c.columns), INT(c.rows),
           INT(measure), ARG(out));
}

enum { TOUCHED, COUNTED, JACCARD };

static void plan_binary(drua_plan *p)
{
    store(p, plan_image(p, "destination"), count_overlaps(p), TOUCHED);
}

static void plan_jaccard(drua_plan *p)
{
    store(p, plan_image(p, "destination"), count_overlaps(p), JACCARD);
}

/* Pixel sides along which labels touch, left of the diagonal or on both sides of it. */
static drua_view count_sides(drua_plan *p, drua_view labels, uint32_t largest, bool both)
{
    const uint32_t count = largest + 1;
    drua_view sides = plan_scratch(p, (drua_shape){count, count, 1, 2}, DRUA_UINT32);
    plan_clear(p, sides);
    for (drua_stretch s = {.count = 0}; plan_next_stretch_with(p, labels, 1, &s);)
        if (s.view.buffer == labels.buffer && drua_layout_is_in_fours(&labels.layout))
            LAUNCH(p, "touch_counts_in_fours", graph_march_grid(labels.layout), ARG(labels), POINTER(sides), INT(count), INT(both), INT(GRAPH_SLICES));
        else
            LAUNCH(p, "touch_counts", plan_grid_along(walk_grid(s.view.layout), &(drua_stretch){.axis = 2, .first = s.axis == 2 ? s.first : 0, .count = s.axis == 2 ? s.count : 1}),
                   ARG(s.view), INT(s.axis == 1 ? s.first : 0), INT(s.axis == 1 ? s.first + s.count : labels.layout.height), POINTER(sides), INT(count),
                   INT(both));
    return sides;
}

static void plan_touch_count(drua_plan *p)
{
    const uint32_t largest = (uint32_t)plan_largest_label(p, "labels");
    drua_view sides = count_sides(p, plan_image(p, "labels"), largest, false);
    store(p, plan_image(p, "destination"), (counts){sides, sides, sides, largest + 1, largest + 1}, COUNTED);
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
    drua_graph g = {zeros(p, ((uint64_t)largest + 1) * words), largest + 1, words};
    for (slabs s = {.count = 0}; next_slabs(p, labels1, labels2, &s);)
        LAUNCH(p, "overlap_bits", plan_grid(s.one.layout), ARG(s.one), ARG(s.other), POINTER(g.bits), INT(g.count), INT(words));
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
#define SOURCE "pixels are counted for each pair of labels that meet in them"
#define MATRIX(name_, plan_, numeric_, summary_, params_, ...)                                                                   \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_, DRUA_ALIASES(__VA_ARGS__), \
                                     .numeric = numeric_, .plan = plan_};

MATRIX(generate_binary_overlap_matrix, plan_binary, DRUA_EXACT, "Tells which labels of two maps share pixels; background is label 0.",
       DRUA_PARAMS(MAPS, DRUA_IMAGE_OUT("destination", "0 and 1; columns for the first map, rows for the second", .shape = two_maps, .type = DRUA_FLOAT32)),
       "CLIJ2 generateBinaryOverlapMatrix: labels1, labels2, &destination")
MATRIX(generate_jaccard_index_matrix, plan_jaccard, DRUA_EXACT, "Measures how well labels of two maps agree: pixels that both have over those that one has.",
       DRUA_PARAMS(MAPS, DRUA_IMAGE_OUT("destination", "indices; columns for the first map, rows for the second", .shape = two_maps, .type = DRUA_FLOAT32)),
       "CLIJ2 generateJaccardIndexMatrix: labels1, labels2, &destination")
MATRIX(generate_touch_count_matrix, plan_touch_count, DRUA_EXACT, "Counts the pixel sides along which labels touch, left of the diagonal.",
       DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map"), DRUA_IMAGE_OUT("destination", "counts", .shape = one_map, .type = DRUA_FLOAT32)),
       "CLIJ2 generateTouchCountMatrix: labels, &destination")
MATRIX(label_overlap_count_map, plan_count_map, DRUA_EXACT, "Paints every label with the number of labels of another map that lie on it.",
       DRUA_PARAMS(MAPS, DRUA_IMAGE_OUT("destination", "map of the counts", .type = DRUA_FLOAT32, .by_slices = true)),
       "CLIJ2/CLIJx labelOverlapCountMap: labels1, labels2, &destination")
