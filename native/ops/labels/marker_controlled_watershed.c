/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Meyer's flooding. Which label a pixel gets depends on all pixels before it, in the order of grey values and, for
 * equal ones, of first contact. The host floods pixel by pixel, so the result is exact.
 */
#include "flood_grid.h"
#include "flood_queue.h"
#include "margins.h"

#include <string.h>

enum { FREE = 0, WAITS = -1, DAM = -2, CLOSED = -3 };
/* Keys of the grey values, and labels (above 0) or states. */
typedef struct flooding {
    flood_grid grid;
    uint32_t *keys;
    int32_t *labels;
    bool dams;
    flood_queue queue;
} flooding;

/* Adds a pixel to the queue. */
static void wait_for(flooding *f, int64_t pixel)
{
    f->labels[pixel] = WAITS;
    flood_queue_add(&f->queue, f->keys, (uint32_t)pixel);
}

/* Numbers connected markers of one value in raster order. */
static void number_markers(flooding *f, const float *markers)
{
    int32_t label = 0;
    uint32_t *stack = f->queue.pixels;
    for (int64_t first = 0; first < f->grid.count; first++) {
        const float value = markers[first];
        if (f->labels[first] != FREE || value == 0 || isnan(value))
            continue;
        uint32_t stacked = 0;
        stack[stacked++] = (uint32_t)first;
        f->labels[first] = ++label;
        while (stacked > 0) {
            const int64_t pixel = stack[--stacked];
            for (int n = 0; n < f->grid.neighbours; n++) {
                const int64_t next = pixel + f->grid.offsets[n];
                if (f->labels[next] == FREE && markers[next] == value) {
                    f->labels[next] = label;
                    stack[stacked++] = (uint32_t)next;
                }
            }
        }
    }
}

/* Takes the values of the markers as labels. */
static void take_markers(flooding *f, const float *markers)
{
    for (int64_t i = 0; i < f->grid.count; i++)
        if (f->labels[i] == FREE && markers[i] >= 1)
            f->labels[i] = (int32_t)fminf(markers[i], 2147483520.0f);
}

/*
 * Adds the neighbours of all marker pixels inside the mask to the queue, slice by slice and column by column. As in
 * MorphoLibJ, the neighbours themselves may lie outside the mask. Then closes all other pixels outside the mask,
 * including those of markers.
 */
static void start_at_markers(flooding *f, const float *mask)
{
    for (int64_t z = 0; z < f->grid.extent[2]; z++)
        for (int64_t x = 0; x < f->grid.extent[0]; x++)
            for (int64_t y = 0; y < f->grid.extent[1]; y++) {
                const int64_t at = flood_grid_at(&f->grid, x, y, z);
                if (f->labels[at] <= 0 || !(mask[at] > 0))
                    continue;
                for (int n = 0; n < f->grid.neighbours; n++)
                    if (f->labels[at + f->grid.offsets[n]] == FREE)
                        wait_for(f, at + f->grid.offsets[n]);
            }
    for (int64_t i = 0; i < f->grid.count; i++)
        if (f->labels[i] >= FREE && !(mask[i] > 0))
            f->labels[i] = CLOSED;
}

/* Decides on a pixel by its labelled neighbours. Free neighbours enter the queue, unless the pixel is a dam. */
static void flood_pixel(flooding *f, int64_t pixel)
{
    int32_t label = 0;
    bool several = false;
    for (int n = 0; n < f->grid.neighbours; n++) {
        const int32_t other = f->labels[pixel + f->grid.offsets[n]];
        if (other > 0 && !label)
            label = other;
        several = several || (other > 0 && other != label);
    }
    if (f->dams && several) {
        f->labels[pixel] = DAM;
        return;
    }
    f->labels[pixel] = label;
    for (int n = 0; n < f->grid.neighbours; n++)
        if (f->labels[pixel + f->grid.offsets[n]] == FREE)
            wait_for(f, pixel + f->grid.offsets[n]);
}

/* Sets the keys of grey values and the range of each level: one integer if that gives few enough levels. */
static void choose_levels(flooding *f, const float *heights)
{
    float low = INFINITY, high = -INFINITY;
    uint32_t lowest = UINT32_MAX, highest = 0;
    bool whole = true;
    for (int64_t i = 0; i < f->grid.count; i++) {
        const float v = heights[i];
        if (f->labels[i] == CLOSED)
            continue;
        const uint32_t key = flood_key(v);
        low = fminf(low, v);
        high = fmaxf(high, v);
        lowest = key < lowest ? key : lowest;
        highest = key > highest ? key : highest;
        whole = whole && v == floorf(v) && (v != 0 || !signbit(v));
    }
    whole = whole && high - low < FLOOD_LEVELS && fabsf(low) < FLOOD_LEVELS && fabsf(high) < FLOOD_LEVELS;
    for (int64_t i = 0; i < f->grid.count; i++)
        if (f->labels[i] != CLOSED)
            f->keys[i] = whole ? (uint32_t)(heights[i] - low) : flood_key(heights[i]);
    f->queue.lowest_key = whole ? 0 : lowest;
    while (!whole && (highest - lowest) >> f->queue.shift >= FLOOD_LEVELS)
        f->queue.shift++;
}

/* Closes the border and sets the keys; false after a failure. */
static bool read_heights(drua_plan *p, flooding *f)
{
    float *heights = flood_grid_read(p, "source", &f->grid);
    f->labels = plan_host_memory(p, (size_t)f->grid.count * sizeof *f->labels);
    if (plan_failed(p))
        return false;
    for (int64_t i = 0; i < f->grid.count; i++)
        f->labels[i] = CLOSED;
    for (int64_t z = 0; z < f->grid.extent[2]; z++)
        for (int64_t y = 0; y < f->grid.extent[1]; y++)
            memset(f->labels + flood_grid_at(&f->grid, 0, y, z), 0, (size_t)f->grid.extent[0] * sizeof *f->labels);
    f->keys = (uint32_t *)heights;
    choose_levels(f, heights);
    flood_queue_make(p, &f->queue, (size_t)f->grid.count);
    return !plan_failed(p);
}

static void launch_flood(drua_plan *p)
{
    enum { BETWEEN = 1 << 16 };
    flooding f = {.grid = flood_grid_of(p, "source", plan_integer(p, "connectivity")), .dams = plan_flag(p, "dams")};
    plan_check_same_extent(p, "source", "markers");
    plan_check_same_extent(p, "source", "mask");
    if (plan_failed(p) || !read_heights(p, &f))
        return;
    const float *markers = flood_grid_read(p, "markers", &f.grid), *mask = flood_grid_read(p, "mask", &f.grid);
    if (plan_failed(p))
        return;
    if (plan_flag(p, "binary_markers"))
        number_markers(&f, markers);
    else
        take_markers(&f, markers);
    start_at_markers(&f, mask);
    uint32_t steps = 0;
    for (int64_t pixel; (pixel = flood_queue_take(&f.queue, f.keys)) >= 0; steps++) {
        flood_pixel(&f, pixel);
        if (steps % BETWEEN == 0 && plan_is_stopped(p))
            break;
    }
    flood_grid_write(p, &f.grid, f.labels);
}

/* Floods in parts of the mask that do not touch are independent, so only parts that reach a cut side are undecided. */
static void launch_flood_near(drua_plan *p)
{
    launch_flood(p);
    const drua_view marks = plan_scratch(p, plan_shape(p, "source"), DRUA_UINT8);
    LAUNCH(p, "margin_of_floods", plan_grid(marks.layout), ARG(plan_image(p, "markers")), ARG(plan_image(p, "mask")),
           INT(margin_cuts(p, "source")), ARG(marks));
    margin_check(p, "source", marks, "connected part of the mask");
}

#define IMAGES                                                                                                         \
    DRUA_IMAGE_IN("source", "image to flood, often a gradient or an inverted image"),                                  \
        DRUA_IMAGE_IN("markers", "label map or binary image of the places where floods start"),                        \
        DRUA_IMAGE_IN("mask", "binary image: floods stay where it is above 0"),                                        \
        DRUA_LABELS_OUT("destination", "label map of the basins; 0 is background", .type = DRUA_FLOAT32)
#define SETTINGS                                                                                                       \
    DRUA_INTEGER("connectivity", "4 or 6: neighbouring pixels share a side; 8 or 26: a shared corner is enough",       \
                 DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .default_value = 4),                                       \
        DRUA_BOOLEAN("dams", "pixels where basins meet become 0", .default_value = 1),                                 \
        DRUA_BOOLEAN("binary_markers",                                                                                 \
                     "connected markers of one value are renumbered; off: the markers' values are the labels",         \
                     .default_value = 1)

static const drua_op flood_near = {
    .name = "marker_controlled_watershed",
    DRUA_PARAMS(IMAGES, SETTINGS, MARGIN),
    .numeric = DRUA_EXACT,
    .launch = launch_flood_near,
    .parts = margin_parts,
};

static void flood_within(drua_plan *p, int64_t margin)
{
    if (plan_flag(p, "binary_markers"))
        plan_fail_unsupported(
            p, "binary_markers numbers markers of the whole image, so it cannot run block by block; set it to 0 "
               "and number the markers with connectedComponentsLabelingBox");
    plan_return(p, "destination",
                CALL_RECORDED(p, &flood_near, plan_type(p, "destination"), plan_operand(p, "source"),
                              plan_operand(p, "markers"), plan_operand(p, "mask"),
                              NUMBER((double)plan_integer(p, "connectivity")), NUMBER(plan_flag(p, "dams")), NUMBER(0),
                              NUMBER((double)margin)));
}

DRUA_OP(marker_controlled_watershed) = {
    .name = "marker_controlled_watershed",
    .category = "labels",
    .menu = true,
    .summary =
        "Floods an image from markers, dark pixels first: each pixel inside the mask gets the label of the basin "
        "that reaches it first. Dams of 0 can separate the basins.",
    .source = "Meyer and Beucher 1990, in the order of MorphoLibJ: by grey value, then by first contact, so that ties "
              "are resolved in the same way. The CPU floods pixel by pixel; grey values that are whole numbers less "
              "than 262144 apart take a third of the time of others. As in MorphoLibJ, a pixel outside the mask is "
              "flooded too if it lies next to a marker",
    DRUA_PARAMS(IMAGES, SETTINGS),
    DRUA_ALIASES("CLIJx morphoLibJMarkerControlledWatershed: source, markers, mask, &destination, connectivity=4, "
                 "dams=1, binary_markers=1"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_flood,
    .build_in_blocks = flood_within,
};
