/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of operations on label maps that take a second image; all labels have 32 bits. */
#include "labels.h"

static void launch_mask(drua_plan *p)
{
    const drua_view labels = plan_image(p, "source"), mask = plan_image(p, "mask"), out = plan_image(p, "destination");
    const bool vec4 = labels_are_vec4(labels, out) && labels_are_vec4(mask, out);
    LAUNCH(p, vec4 ? "mask_labels_vec4" : "mask_labels",
           vec4 ? labels_march_grid(out.layout, 1) : plan_grid(out.layout), ARG(labels), ARG(mask),
           INT(plan_flag(p, "inside")), ARG(out));
}

static void launch_overlay(drua_plan *p)
{
    const drua_view below = plan_image(p, "labels1"), above = plan_image(p, "labels2");
    const uint32_t largest = (uint32_t)plan_largest_label(p, "labels1");
    for (drua_tiles t = {.inputs = {below, above}, .output = "destination"}; plan_next_tile(p, &t);) {
        const bool vec4 = labels_are_vec4(t.from[0], t.to) && labels_are_vec4(t.from[1], t.to);
        const drua_grid grid = vec4 ? labels_march_grid(t.to.layout, 1) : plan_grid(t.to.layout);
        LAUNCH(p, vec4 ? "overlay_labels_vec4" : "overlay_labels", plan_tile_grid(grid, &t), ARG(t.from[0]),
               ARG(t.from[1]), INT(largest), ARG(t.to));
    }
}

static void launch_grow(drua_plan *p)
{
    const drua_view out = plan_image(p, "destination");
    LAUNCH(p, "grow_in_mask", plan_grid(out.layout), ARG(plan_image(p, "source")), ARG(plan_image(p, "mask")),
           INT(plan_flag(p, "box")), ARG(out));
}

#define LABELS DRUA_IMAGE_IN("source", "label map")

DRUA_OP(mask_labels) = {
    .name = "mask_labels",
    .category = "labels",
    .summary = "Keeps the labels inside a mask, or those outside; large numbers stay exact.",
    .source = "a choice at each pixel, in integers",
    DRUA_PARAMS(LABELS, DRUA_IMAGE_IN("mask", "mask; nonzero is inside"), DRUA_LABELS_OUT("destination", "label map"),
                DRUA_BOOLEAN("inside", "on: keeps the labels inside the mask; off: those outside", .default_value = 1)),
    .numeric = DRUA_EXACT,
    .launch = launch_mask,
    .parts = plan_parts_pixels,
};

DRUA_OP(overlay_labels) = {
    .name = "overlay_labels",
    .category = "labels",
    .summary =
        "Puts one label map on top of another; the numbers of the upper map continue after those of the lower map.",
    .source = "a choice at each pixel, in integers",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels1", "lower label map"), DRUA_IMAGE_IN("labels2", "upper label map"),
                DRUA_LABELS_OUT("destination", "label map with gaps", .type = DRUA_UINT32, .by_tiles = true)),
    .numeric = DRUA_EXACT,
    .launch = launch_overlay,
};

DRUA_OP(grow_labels_in_mask) = {
    .name = "grow_labels_in_mask",
    .category = "labels",
    .summary =
        "Grows labels by one pixel inside a mask; where two meet, the larger number wins. Labels outside the mask are "
        "removed.",
    .source = "the largest label among all neighbours, or among those by side",
    DRUA_PARAMS(LABELS, DRUA_IMAGE_IN("mask", "mask; nonzero is inside"),
                DRUA_LABELS_OUT("destination", "label map, grown"),
                DRUA_BOOLEAN("box", "whether neighbours by corner count too", .default_value = 1)),
    .numeric = DRUA_EXACT,
    .launch = launch_grow,
    .parts = plan_parts_neighbours,
};
