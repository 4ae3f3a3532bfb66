/* SPDX-License-Identifier: BSD-3-Clause */
#include "labels.h"

/*
 * Returns the largest label, or the largest value of a small unsigned type, which needs no query to the device. Tables
 * have one entry for each label.
 */
uint32_t labels_largest(drua_plan *p, const char *image)
{
    switch (plan_type(p, image)) {
    case DRUA_UINT8: return UINT8_MAX;
    case DRUA_UINT16: return UINT16_MAX;
    default: return (uint32_t)plan_largest_label(p, image);
    }
}

void labels_replace(drua_plan *p, drua_view labels, drua_view values, drua_view destination)
{
    /* the kernel with vectors computes in float32, which rounds 32-bit integers */
    const bool vec4 = !drua_type_is_wide_integer((drua_type)values.layout.type) && labels_are_vec4(labels, destination);
    LAUNCH(p, vec4 ? "replace_intensities_vec4" : "replace_intensities",
           vec4 ? labels_march_grid(destination.layout, 1) : plan_grid(destination.layout), ARG(labels), ARG(values),
           ARG(destination));
}

void labels_gather(drua_plan *p, drua_view labels, drua_view numbers, uint32_t largest)
{
    for (drua_tiles t = {.inputs = {labels}, .output = "destination"}; plan_next_tile(p, &t);) {
        const bool vec4 = labels_are_vec4(t.from[0], t.to);
        const drua_grid grid = vec4 ? labels_march_grid(t.to.layout, 1) : plan_grid(t.to.layout);
        LAUNCH(p, vec4 ? "gather_labels_vec4" : "gather_labels", plan_tile_grid(grid, &t), ARG(t.from[0]),
               POINTER(numbers), INT(largest), ARG(t.to));
    }
}

void labels_exclude(drua_plan *p, drua_view labels, drua_view flags, uint32_t largest)
{
    uint64_t count = (uint64_t)largest + 1;
    uint32_t words = (uint32_t)((count + 31) / 32);
    drua_view bits = plan_scratch_bytes(p, 4 * (uint64_t)words), numbers = plan_scratch_bytes(p, 4 * count);
    LAUNCH(p, "kept_bits", LINE(words, 64), POINTER(flags), POINTER(bits), INT(words), INT(count));
    drua_ranks ranks = labels_rank(p, bits, words);
    LAUNCH(p, "kept_numbers", LINE((int64_t)count, 64), POINTER(bits), POINTER(ranks.before), POINTER(numbers),
           INT(count));
    labels_gather(p, labels, numbers, largest);
}

/* Finds each label's first position in raster order. */
static void find_first(drua_plan *p, drua_view labels, drua_view first)
{
    enum { ROWS = 8 };
    for (drua_tiles t = {.inputs = {labels}, .halo = 1}; plan_next_tile(p, &t);) {
        const drua_view from = t.from[0];
        const drua_layout l = from.layout;
        const drua_grid tall = GRID(((int64_t)l.width + 3) / 4, (l.height + ROWS - 1) / ROWS, l.depth, 64, 1, 1);
        if ((from.buffer == labels.buffer || t.axis == 2) && labels_are_vec4(from, from))
            LAUNCH(p, "first_positions_vec4", plan_tile_grid(tall, &t), ARG(from), POINTER(first), INT(ROWS));
        else
            LAUNCH(p, "first_positions", plan_tile_grid(plan_grid(l), &t), ARG(from), POINTER(first));
    }
}

static void launch_close_gaps(drua_plan *p)
{
    enum { FEW = 8192 };
    drua_view labels = plan_image(p, "source");
    uint64_t pixels = (uint64_t)drua_layout_count(&labels.layout);
    if (pixels >= UINT32_MAX)
        plan_fail(p, "source has %llu pixels, but at most 4294967294 can be renumbered at once; crop it or split it",
                  (unsigned long long)pixels);
    uint32_t largest = labels_largest(p, "source"), words = (uint32_t)((pixels + 31) / 32);
    uint64_t count = (uint64_t)largest + 1;
    const uint64_t whole_quads = (count + 3) / 4 * 4;
    drua_view first = plan_scratch_bytes(p, 4 * whole_quads), numbers = plan_scratch_bytes(p, 4 * count);
    LAUNCH(p, "fill_words", LINE((int64_t)whole_quads, 256), POINTER(first), INT(UINT32_MAX), INT(whole_quads));
    find_first(p, labels, first);
    if (count <= FEW) {
        LAUNCH(p, "few_numbers", GRID(32, (int64_t)count, 1, 32, 8, 1), POINTER(first), POINTER(numbers), INT(count));
    } else {
        drua_view bits = plan_scratch_bytes(p, 4 * (uint64_t)words);
        plan_clear(p, bits);
        LAUNCH(p, "first_bits", LINE((int64_t)count, 64), POINTER(first), POINTER(bits), INT(count));
        drua_ranks ranks = labels_rank(p, bits, words);
        LAUNCH(p, "first_numbers", LINE((int64_t)count, 64), POINTER(first), POINTER(bits), POINTER(ranks.before),
               POINTER(numbers), INT(count));
    }
    labels_gather(p, labels, numbers, largest);
}

void labels_flag_borders(drua_plan *p, drua_view labels, int first, int end, drua_view flags)
{
    const drua_layout l = labels.layout;
    const int axes = l.depth > 1 ? 3 : 2, sides = (end < axes ? end : axes) - first,
              longest = l.width > l.height ? l.width : l.height;
    const int other = l.depth > 1 && l.height > l.depth ? l.height : l.depth;
    for (drua_tiles t = {.inputs = {labels}}; sides > 0 && plan_next_tile(p, &t);)
        LAUNCH(p, "border_flags", GRID(longest, other, 2 * sides, 64, 1, 1), ARG(t.from[0]), POINTER(flags),
               INT(2 * first), INT(l.height), INT(l.depth), INT(t.at.wanted.first[1]), INT(t.at.wanted.first[2]));
}

/* Removes labels that touch either border of the chosen axes. */
static void exclude_on(drua_plan *p, const bool chosen[3])
{
    drua_view labels = plan_image(p, "source");
    uint32_t largest = labels_largest(p, "source");
    drua_view flags = plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1));
    plan_clear(p, flags);
    for (int axis = 0, next; axis < 3; axis = next + 1) {
        for (next = axis; next < 3 && chosen[next];)        /* adjacent axes share a launch */
            next++;
        labels_flag_borders(p, labels, axis, next, flags);
    }
    labels_exclude(p, labels, flags, largest);
}

static void launch_exclude_on_edges(drua_plan *p)
{
    exclude_on(p, (const bool[]){true, true, true});
}

static void launch_exclude_on_axes(drua_plan *p)
{
    exclude_on(p, (const bool[]){plan_flag(p, "exclude_x"), plan_flag(p, "exclude_y"), plan_flag(p, "exclude_z")});
}

#define PARAMETERS                                                                                                     \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),                                                                  \
                DRUA_LABELS_OUT("destination", "label map, renumbered", .type = DRUA_FLOAT32, .by_tiles = true))

DRUA_OP(close_index_gaps_in_label_map) = {
    .name = "close_index_gaps_in_label_map",
    .category = "labels",
    .menu = true,
    .summary = "Renumbers labels from 1 without gaps, in the order in which they appear (x fastest, then y, then z).",
    .source = "labels are numbered by their first pixel in raster order",
    PARAMETERS,
    DRUA_ALIASES("CLIJ2/CLIJx closeIndexGapsInLabelMap: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_close_gaps,
};

DRUA_OP(exclude_labels_on_edges) = {
    .name = "exclude_labels_on_edges",
    .category = "labels",
    .menu = true,
    .summary = "Removes labels that touch the border of the image and renumbers the others in their order.",
    .source = "labels of the outermost pixels are removed; the rest are numbered in their order",
    PARAMETERS,
    DRUA_ALIASES("CLIJ2/CLIJx excludeLabelsOnEdges: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_exclude_on_edges,
};

#define SIDES(axis) DRUA_BOOLEAN("exclude_" axis, "whether the borders along " axis " count", .default_value = 1)

DRUA_OP(exclude_labels_on_edges_of_axes) = {
    .name = "exclude_labels_on_edges_of_axes",
    .category = "labels",
    .summary = "Removes labels that touch chosen borders of the image and renumbers the others in their order.",
    .source = "labels of the outermost pixels along the chosen axes are removed; the rest are numbered in their order",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_LABELS_OUT("destination", "label map, renumbered", .type = DRUA_FLOAT32, .by_tiles = true),
                SIDES("x"), SIDES("y"), SIDES("z")),
    .numeric = DRUA_EXACT,
    .launch = launch_exclude_on_axes,
};
