/* SPDX-License-Identifier: BSD-3-Clause */
#include "labels.h"

/* Steps over all neighbours alone fill an image in as many steps as its longest side has pixels. */
static int64_t steps_until_full(drua_layout l)
{
    int64_t longest = l.width > l.height ? l.width : l.height;
    return 2 * (longest > l.depth ? longest : l.depth);
}

/* Labels in a scratch image whose rows are whole vectors. */
static drua_view begin(drua_plan *p, drua_view labels, const drua_view *mask)
{
    drua_layout l = labels.layout;
    drua_view scratch = plan_scratch(p, (drua_shape){((int64_t)l.width + 3) / 4 * 4, l.height, l.depth, 3}, DRUA_UINT32);
    bool fours = labels_in_fours(labels, mask ? *mask : labels);
    LAUNCH(p, fours ? "grow_begin_in_fours" : "grow_begin", fours ? labels_march_grid(l, 1) : plan_grid(scratch.layout), ARG(labels), ARG(mask ? *mask : labels), INT(mask != NULL), ARG(scratch));
    return scratch;
}

static void end(drua_plan *p, drua_view grown, int32_t width, drua_view destination)
{
    if (grown.layout.width == width && labels_in_fours(grown, destination))
        LAUNCH(p, "grow_end_in_fours", labels_march_grid(destination.layout, 1), ARG(grown), ARG(destination));
    else
        LAUNCH(p, "grow_end", plan_grid(destination.layout), ARG(grown), INT(width), ARG(destination));
}

static drua_view like(drua_plan *p, drua_view image)
{
    drua_layout l = image.layout;
    return plan_scratch(p, (drua_shape){l.width, l.height, l.depth, 3}, DRUA_UINT32);
}

/* Grows `from` by `steps` steps; the last one goes to `last`, or to scratch if there is none. */
static drua_view grow(drua_plan *p, drua_view from, int64_t steps, int empty, const drua_view *last)
{
    drua_view scratch[2];
    for (int i = 0; i < 2 && steps > i + (last ? 1 : 0); i++)
        scratch[i] = like(p, from);
    for (int64_t i = 0; i < steps && !plan_failed(p); i++) {
        drua_view to = last && i == steps - 1 ? *last : scratch[i % 2];
        int32_t slices = labels_march(from.layout);
        LAUNCH(p, "grow_step", labels_march_grid(from.layout, slices), ARG(from), ARG(to), INT(empty), INT(i % 2 == 0), INT(slices));
        from = to;
    }
    return from;
}

static void plan_dilate(drua_plan *p)
{
    drua_view from = plan_image(p, "source"), destination = plan_image(p, "destination");
    int64_t radius = plan_integer(p, "radius"), enough = steps_until_full(from.layout);
    radius = radius < enough ? radius : enough;
    if (radius <= 0)
        LAUNCH(p, "copy_window", plan_grid(destination.layout), ARG(from), ARG(destination), INT(0), INT(0), INT(0));
    else if (labels_in_fours(from, destination))
        grow(p, from, radius, 0, &destination);
    else
        end(p, grow(p, begin(p, from, NULL), radius, 1, NULL), from.layout.width, destination);
}

static void parts_of_dilate(drua_plan *p, drua_parts *parts)
{
    const int64_t radius = plan_integer(p, "radius");
    parts->halo[0] = parts->halo[1] = parts->halo[2] = radius < INT32_MAX ? radius : INT32_MAX;
}

/*
 * How many steps a mask's longest path takes is unknown, so the host looks after each batch; batches double, and launches
 * after the last change return at once.
 */
void labels_grow_until_full(drua_plan *p, drua_view labels, const drua_view *mask, drua_view destination)
{
    enum { FIRST_BATCH = 16, LARGEST_BATCH = 1024, TILE_SLICES = 8 };
    drua_view image[2] = {begin(p, labels, mask)};
    image[1] = like(p, image[0]);
    drua_grid grid = labels_march_grid(image[0].layout, TILE_SLICES);
    int64_t tiles = ((grid.items[0] + 31) / 32) * ((grid.items[1] + 7) / 8) * grid.items[2];
    drua_view last_change = plan_memory(p, 4 * (uint64_t)tiles), changed = plan_memory(p, (LARGEST_BATCH + 2) * sizeof(uint32_t));
    plan_clear(p, last_change);
    uint32_t last[2] = {1, 1}, step = 0;
    for (int batch = FIRST_BATCH; (last[0] || last[1]) && !plan_failed(p); batch = batch < LARGEST_BATCH ? 2 * batch : batch) {
        LAUNCH(p, "grow_batch", LINE(batch + 2, 64), POINTER(changed), INT(batch));
        for (int i = 0; i < batch; i++)
            LAUNCH(p, "grow_until_full", grid, ARG(image[i % 2]), ARG(image[(i + 1) % 2]), POINTER(changed), INT(batch - 1 - i),
                   POINTER(last_change), INT(++step), INT(i % 2 == 0));
        plan_read(p, changed, last, sizeof last);
    }
    end(p, image[0], labels.layout.width, destination);
}

static void plan_extend(drua_plan *p)
{
    labels_grow_until_full(p, plan_image(p, "source"), NULL, plan_image(p, "destination"));
}

static drua_view label_seeds(drua_plan *p)
{
    drua_view seeds = plan_scratch(p, plan_shape(p, "source"), DRUA_UINT32);
    labels_components(p, plan_image(p, "source"), seeds, false);
    return seeds;
}

static void plan_voronoi(drua_plan *p)
{
    labels_grow_until_full(p, label_seeds(p), NULL, plan_image(p, "destination"));
}

static void plan_masked_voronoi(drua_plan *p)
{
    drua_view mask = plan_image(p, "mask");
    labels_grow_until_full(p, label_seeds(p), &mask, plan_image(p, "destination"));
}

#define LABELS DRUA_IMAGE_IN("source", "label map")
#define GROWN DRUA_IMAGE_OUT("destination", "label map, grown")
#define SPOTS DRUA_IMAGE_IN("source", "binary image; pixels that touch by side are one spot")
#define REGIONS DRUA_IMAGE_OUT("destination", "label map of the regions", .type = DRUA_FLOAT32)

const drua_op drua_op_dilate_labels = {
    .name = "dilate_labels",
    .category = "labels",
    .menu = true,
    .summary = "Grows labels into the background; where two meet, the larger number wins.",
    .source = "alternating steps over all and over side neighbours, starting with all: an octagon",
    DRUA_PARAMS(LABELS, GROWN, DRUA_INTEGER("radius", "number of steps", .unit = "pixel", DRUA_RANGE(0, 2147483647), .preset = 2)),
    DRUA_ALIASES("CLIJ2 dilateLabels: source, &destination, radius", "CLIJx extendLabelsWithMaximumRadius: source, &destination, radius",
                 "CLIJ extendLabelsWithMaximumRadius: source, destination, radius"),
    .numeric = DRUA_EXACT,
    .plan = plan_dilate,
    .parts = parts_of_dilate,
};

const drua_op drua_op_extend_labeling_via_voronoi = {
    .name = "extend_labeling_via_voronoi",
    .category = "labels",
    .menu = true,
    .summary = "Grows labels until no background is left.",
    .source = "alternating steps over all and over side neighbours, starting with all",
    DRUA_PARAMS(LABELS, GROWN),
    DRUA_ALIASES("CLIJ2 extendLabelingViaVoronoi: source, &destination", "CLIJ2 labelVoronoiOctagon: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_extend,
};

const drua_op drua_op_voronoi_labeling = {
    .name = "voronoi_labeling",
    .category = "labels",
    .menu = true,
    .summary = "Labels spots and grows them until no background is left: every pixel gets the label of a spot close by.",
    .source = "components by side, then alternating steps over all and over side neighbours",
    DRUA_PARAMS(SPOTS, REGIONS),
    DRUA_ALIASES("CLIJ2 voronoiLabeling: source, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_voronoi,
};

const drua_op drua_op_masked_voronoi_labeling = {
    .name = "masked_voronoi_labeling",
    .category = "labels",
    .summary = "Labels spots and grows them as far as a mask allows; spots outside the mask are left out.",
    .source = "components by side, then alternating steps over all and over side neighbours inside the mask",
    DRUA_PARAMS(SPOTS, DRUA_IMAGE_IN("mask", "binary image; where it is 0 there are no labels"), REGIONS),
    DRUA_ALIASES("CLIJ2/CLIJx maskedVoronoiLabeling: source, mask, &destination"),
    .numeric = DRUA_EXACT,
    .plan = plan_masked_voronoi,
};
