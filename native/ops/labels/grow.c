/* SPDX-License-Identifier: BSD-3-Clause */
#include "labels.h"

/*
 * Number of steps that fill any image. Only every second step uses all neighbours, and as many of these steps suffice
 * as the longest side has pixels.
 */
static int64_t steps_until_full(drua_layout l)
{
    int64_t longest = l.width > l.height ? l.width : l.height;
    return 2 * (longest > l.depth ? longest : l.depth);
}

/* Grows labels by `steps` steps and returns the result, which is `last` unless that is NULL. */
static drua_view grow_steps(drua_plan *p, drua_view from, int64_t steps, const drua_view *last)
{
    drua_view scratch[2];
    for (int i = 0; i < 2 && steps > i + (last ? 1 : 0); i++)
        scratch[i] = plan_scratch_like(p, from.layout, (drua_type)from.layout.type);
    for (int64_t i = 0; i < steps && !plan_failed(p); i++) {
        drua_view to = last && i == steps - 1 ? *last : scratch[i % 2];
        int32_t slices = labels_march(from.layout);
        LAUNCH(p, i % 2 == 0 ? "grow_box" : "grow_cross", labels_march_grid(from.layout, slices), ARG(from), ARG(to),
               INT(slices), INT(i < steps - 1));
        from = to;
    }
    return from;
}

/* Grows labels in a scratch image whose rows are padded to whole vectors. */
static void grow_any(drua_plan *p, drua_view labels, int64_t steps, drua_view destination)
{
    drua_layout l = labels.layout;
    drua_view wide = plan_scratch(p, (drua_shape){((int64_t)l.width + 3) / 4 * 4, l.height, l.depth, 3}, DRUA_UINT32);
    LAUNCH(p, "grow_begin", plan_grid(wide.layout), ARG(labels), ARG(wide));
    drua_view grown = grow_steps(p, wide, steps, NULL);
    LAUNCH(p, "grow_end", plan_grid(destination.layout), ARG(grown), INT(l.width), ARG(destination));
}

static void launch_dilate(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), destination = plan_image(p, "destination");
    int64_t radius = plan_integer(p, "radius"), enough = steps_until_full(from.layout);
    radius = radius < enough ? radius : enough;
    if (radius <= 0)
        LAUNCH(p, "copy_window", plan_grid(destination.layout), ARG(from), ARG(destination), INT(0), INT(0), INT(0));
    else if (labels_are_vec4(from, destination))
        grow_steps(p, from, radius, &destination);
    else
        grow_any(p, from, radius, destination);
}

static drua_bits pack_mask(drua_plan *p, drua_view mask, drua_layout l)
{
    if (drua_layout_is_same_size(&mask.layout, &l))
        return labels_pack(p, mask, 1);
    drua_view seen = plan_scratch(p, (drua_shape){l.width, l.height, l.depth, 3}, DRUA_UINT8);
    LAUNCH(p, "grow_mask", plan_grid(seen.layout), ARG(mask), ARG(seen));
    return labels_pack(p, seen, 1);
}

static void parts_of_dilate(drua_plan *p, drua_parts *parts)
{
    const int64_t radius = plan_integer(p, "radius");
    parts->halo[0] = parts->halo[1] = parts->halo[2] = radius < INT32_MAX ? radius : INT32_MAX;
    parts->columns = true;
}

/* The buffers of a growth: the labels, and the pixels into which they may grow. */
typedef struct {
    drua_view labels, inside, filled[2], changed;
    drua_bits bits;
    bool masked, in_tiles;
} growth;

/* Sends one launch of a batch; `left` launches follow it. */
static void grow_on(drua_plan *p, const growth *g, int i, int left)
{
    const drua_layout l = g->labels.layout;
    if (g->in_tiles)
        LAUNCH(p, "grow_until_full_steps", LINE(((int64_t)g->bits.row + 1) / 2 * ((l.height + 31) / 32) * 256, 256),
               POINTER(g->filled[i % 2]), POINTER(g->filled[(i + 1) % 2]), POINTER(g->inside), INT(g->masked),
               INT(g->bits.row), INT(l.width), INT(l.height), POINTER(g->labels), INT(l.row), POINTER(g->changed),
               INT(left));
    else
        LAUNCH(p, "grow_until_full", LINE(g->bits.words, 256), POINTER(g->filled[i % 2]),
               POINTER(g->filled[(i + 1) % 2]), POINTER(g->inside), INT(g->masked), INT(g->bits.row), INT(l.width),
               INT(l.height), INT(l.depth), POINTER(g->labels), INT(l.row), POINTER(g->changed), INT(left),
               INT(i % 2 == 0));
}

/* Writes the labels if growth has ended. */
static void grow_finish(drua_plan *p, const growth *g, drua_view destination)
{
    const drua_layout l = g->labels.layout;
    if (labels_are_vec4(g->labels, destination))
        LAUNCH(p, "grow_finish_vec4", labels_march_grid(l, 1), POINTER(g->changed), POINTER(g->labels), INT(l.row),
               POINTER(g->filled[0]), INT(g->bits.row), ARG(destination));
    else
        LAUNCH(p, "grow_finish", plan_grid(destination.layout), POINTER(g->changed), POINTER(g->labels), INT(l.row),
               POINTER(g->filled[0]), INT(g->bits.row), INT(l.width), INT(l.height), INT(l.depth), ARG(destination));
}

/*
 * Grows labels until no pixel changes. `labels` starts at the first pixel of its buffer, and is valid where a bit is
 * set; the call changes both. The number of steps is unknown, because it depends on the longest path in the mask. So
 * the host reads the state after each batch of launches. Batches double, and launches after the last change return at
 * once. For 2D images on GPUs, a launch makes eight steps, and the result is written before the host reads the state.
 */
static void grow_until_full(drua_plan *p, drua_view labels, drua_bits bits, const drua_view *mask,
                            drua_view destination)
{
    enum {
        FIRST_STEPS = 16,
        FIRST_TILED = 4,
        LARGEST_BATCH = 1024
    }; /* even, so that the result ends in the first buffer */
    growth g = {.labels = labels,
                .bits = bits,
                .masked = mask != NULL,
                .in_tiles = plan_device(p)->is_gpu && labels.layout.depth == 1};
    g.inside = mask ? pack_mask(p, *mask, labels.layout).view : bits.view;
    if (mask)
        LAUNCH(p, "grow_inside", LINE(bits.words, 256), POINTER(bits.view), POINTER(g.inside), INT(bits.words));
    g.filled[0] = bits.view;
    g.filled[1] = plan_scratch_bytes(p, 4 * (uint64_t)bits.words);
    g.changed = plan_scratch_bytes(p, (LARGEST_BATCH + 2) * sizeof(uint32_t));
    uint32_t last[2] = {1, 1};
    int batch = g.in_tiles ? FIRST_TILED : FIRST_STEPS;
    for (int sent = 0; (last[0] || (last[1] && !g.in_tiles)) && !plan_failed(p);
         sent += batch, batch = sent < LARGEST_BATCH ? sent : LARGEST_BATCH) {
        LAUNCH(p, "grow_batch", LINE(batch + 2, 64), POINTER(g.changed), INT(batch));
        for (int i = 0; i < batch; i++)
            grow_on(p, &g, i, batch - 1 - i);
        if (g.in_tiles)
            grow_finish(p, &g, destination);
        plan_read(p, g.changed, last, sizeof last);
    }
    if (!g.in_tiles)
        grow_finish(p, &g, destination);
}

static void launch_extend(drua_plan *p)
{
    drua_view source = plan_image(p, "source"), labels = plan_scratch_like(p, source.layout, DRUA_UINT32);
    bool vec4 = labels_are_vec4(source, labels);
    LAUNCH(p, vec4 ? "grow_begin_vec4" : "grow_begin",
           vec4 ? labels_march_grid(source.layout, 1) : plan_grid(labels.layout), ARG(source), ARG(labels));
    grow_until_full(p, labels, labels_pack(p, labels, 1), NULL, plan_image(p, "destination"));
}

static void grow_spots(drua_plan *p, const drua_view *mask)
{
    drua_view source = plan_image(p, "source"), labels = plan_scratch_like(p, source.layout, DRUA_UINT32);
    drua_bits spots = labels_pack(p, source, 1);
    drua_runs runs = labels_join_runs(p, spots, source.layout, true);
    drua_ranks ranks = labels_rank(p, runs.roots, spots.words);
    LAUNCH(p, "runs_label_spots", LINE(8 * (int64_t)spots.words, 256), POINTER(spots.view), POINTER(runs.parent),
           POINTER(runs.roots), POINTER(ranks.before), INT(spots.words), INT(spots.row), INT(labels.layout.row),
           POINTER(labels));
    grow_until_full(p, labels, spots, mask, plan_image(p, "destination"));
}

static void launch_voronoi(drua_plan *p)
{
    grow_spots(p, NULL);
}

static void launch_masked_voronoi(drua_plan *p)
{
    drua_view mask = plan_image(p, "mask");
    grow_spots(p, &mask);
}

/* ---- label maps that do not fit the device: a few steps at a time, each step in parts */

static bool has_extent_of_source(drua_plan *p)
{
    const drua_shape from = plan_shape(p, "source"), to = plan_shape(p, "destination");
    const bool same = drua_shape_is_same_size(from, to);
    if (!same)
        plan_fail_memory(p, "the label map does not fit the device's memory; make the destination as large as the "
                            "source, or allow more with DRUA_MEMORY");
    return same;
}

/*
 * Number of steps whose halo needs less memory than the rest of the tile. The number is even, because box and diamond
 * steps alternate.
 */
static double steps_at_once(drua_plan *p)
{
    enum { SHARE = 24, MIN_LAYERS = 2, MAX_LAYERS = 256 };
    const drua_shape s = plan_shape(p, "source");
    const double layer = 4.0 * (double)s.width * (double)(s.depth > 1 ? s.height : 1);
    return 2 * floor(fmin(fmax((double)plan_memory_left(p) / SHARE / layer, MIN_LAYERS), MAX_LAYERS) / 2);
}

static double count_labelled(drua_plan *p, drua_operand labels)
{
    const drua_operand marks = CALL(p, "not_equal_constant", DRUA_UINT8, labels, NUMBER(0));
    return plan_call_number(p, "sum_of_all_pixels", &marks, 1);
}

/* Grows labels in rounds until a round changes nothing. */
static void large_extend(drua_plan *p, drua_operand labels)
{
    double before = -1, now = has_extent_of_source(p) ? count_labelled(p, labels) : 0;
    while (now > before && !plan_failed(p)) {
        labels = CALL(p, "dilate_labels", DRUA_UINT32, labels, NUMBER(steps_at_once(p)));
        before = now;
        now = count_labelled(p, labels);
    }
    plan_return(p, "destination", labels);
}

static void large_labels(drua_plan *p)
{
    large_extend(p, CALL(p, "copy", DRUA_UINT32, plan_operand(p, "source")));
}

static void large_voronoi(drua_plan *p)
{
    large_extend(p, CALL(p, "connected_components_diamond", DRUA_UINT32, plan_operand(p, "source")));
}

/* The mask allows only one step at a time. */
static void large_masked_voronoi(drua_plan *p)
{
    enum { ROUND = 8 };
    const drua_operand mask = plan_operand(p, "mask");
    drua_operand labels = CALL(p, "connected_components_diamond", DRUA_UINT32, plan_operand(p, "source"));
    labels = CALL(p, "mask_labels", DRUA_UINT32, labels, mask, NUMBER(1));
    double before = -1, now = has_extent_of_source(p) ? count_labelled(p, labels) : 0;
    while (now > before && !plan_failed(p)) {
        for (int i = 0; i < ROUND; i++)
            labels = CALL(p, "grow_labels_in_mask", DRUA_UINT32, labels, mask, NUMBER(i % 2 == 0));
        before = now;
        now = count_labelled(p, labels);
    }
    plan_return(p, "destination", labels);
}

/* ---- images in blocks */

static void extend_within(drua_plan *p, int64_t margin)
{
    const drua_operand labels = CALL(p, "copy", DRUA_UINT32, plan_operand(p, "source"));
    plan_return(p, "destination", labels_grow_everywhere_within(p, labels, margin));
}

static void voronoi_within(drua_plan *p, int64_t margin)
{
    const drua_operand labels = CALL(p, "connected_components_diamond", DRUA_UINT32, plan_operand(p, "source"));
    plan_return(p, "destination", labels_grow_everywhere_within(p, labels, margin));
}

static void masked_voronoi_within(drua_plan *p, int64_t margin)
{
    const drua_operand labels = CALL(p, "connected_components_diamond", DRUA_UINT32, plan_operand(p, "source"));
    plan_return(p, "destination", labels_grow_within(p, labels, plan_operand(p, "mask"), margin));
}

#define LABELS DRUA_IMAGE_IN("source", "label map")
#define GROWN DRUA_LABELS_OUT("destination", "label map, grown")
#define SPOTS DRUA_IMAGE_IN("source", "binary image; pixels that touch by side are one spot")
#define REGIONS DRUA_LABELS_OUT("destination", "label map of the regions", .type = DRUA_FLOAT32)

DRUA_OP(dilate_labels) = {
    .name = "dilate_labels",
    .category = "labels",
    .menu = true,
    .summary = "Grows labels into the background; where two meet, the larger number wins.",
    .source = "steps to all neighbours and to side neighbours alternate, starting with all: an octagon",
    DRUA_PARAMS(LABELS, GROWN,
                DRUA_INTEGER("radius", "number of steps", .unit = "pixel", DRUA_RANGE(0, 2147483647),
                             .default_value = 2)),
    DRUA_ALIASES("CLIJ2 dilateLabels: source, &destination, radius",
                 "CLIJx extendLabelsWithMaximumRadius: source, &destination, radius",
                 "CLIJ extendLabelsWithMaximumRadius: source, destination, radius"),
    .numeric = DRUA_EXACT,
    .launch = launch_dilate,
    .parts = parts_of_dilate,
};

DRUA_OP(extend_labeling_via_voronoi) = {
    .name = "extend_labeling_via_voronoi",
    .category = "labels",
    .menu = true,
    .summary = "Grows labels until no background is left.",
    .source = "steps to all neighbours and to side neighbours alternate, starting with all",
    DRUA_PARAMS(LABELS, GROWN),
    DRUA_ALIASES("CLIJ2 extendLabelingViaVoronoi: source, &destination",
                 "CLIJ2 labelVoronoiOctagon: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_extend,
    .build_large = large_labels,
    .build_in_blocks = extend_within,
};

DRUA_OP(voronoi_labeling) = {
    .name = "voronoi_labeling",
    .category = "labels",
    .menu = true,
    .summary = "Labels spots and grows them until no background is left: every pixel gets the label of a spot near it.",
    .source = "components by side, then steps to all neighbours and to side neighbours, alternately",
    DRUA_PARAMS(SPOTS, REGIONS),
    DRUA_ALIASES("CLIJ2 voronoiLabeling: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_voronoi,
    .build_large = large_voronoi,
    .build_in_blocks = voronoi_within,
};

DRUA_OP(masked_voronoi_labeling) = {
    .name = "masked_voronoi_labeling",
    .category = "labels",
    .summary = "Labels spots and grows them as far as a mask allows; spots outside the mask are left out.",
    .source = "components by side, then steps to all neighbours and to side neighbours, alternately, inside the mask",
    DRUA_PARAMS(SPOTS, DRUA_IMAGE_IN("mask", "binary image; where it is 0 there are no labels"), REGIONS),
    DRUA_ALIASES("CLIJ2/CLIJx maskedVoronoiLabeling: source, mask, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_masked_voronoi,
    .build_large = large_masked_voronoi,
    .build_in_blocks = masked_voronoi_within,
};
