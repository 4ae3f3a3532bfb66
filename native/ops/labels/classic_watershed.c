/* SPDX-License-Identifier: BSD-3-Clause */
/* Watershed of all minima by immersion. The host floods pixel by pixel, so the result is exact. */
#include "flood_grid.h"

/* Values that are not labels: a dam between basins, and the states of pixels before they have a label. */
enum { DAM = 0, DRY = -1, REACHED = -2, WAITS = -3 };

/* `order`: the pixels to flood in the order of grey values. `queue`: each pixel enters it at most once. */
typedef struct immersion {
    flood_grid grid;
    const float *heights;
    int32_t *labels, basins;
    uint32_t *order, *queue, *spare;
    uint32_t count, first, end;
    bool between_dams; /* the last pixel that became a dam has touched only dams */
} immersion;

static void wait_for(immersion *w, int64_t pixel, int32_t label)
{
    w->labels[pixel] = label;
    w->queue[w->end++] = (uint32_t)pixel;
}

/* Lists the pixels of the mask in a range of heights: slice by slice and column by column. */
static void list_pixels(immersion *w, const float *mask, double low, double high)
{
    const flood_grid *g = &w->grid;
    for (int64_t z = 0; z < g->extent[2]; z++)
        for (int64_t x = 0; x < g->extent[0]; x++)
            for (int64_t y = 0; y < g->extent[1]; y++) {
                const int64_t at = flood_grid_at(g, x, y, z);
                if (mask[at] > 0 && (double)w->heights[at] >= low && (double)w->heights[at] <= high)
                    w->order[w->count++] = (uint32_t)at;
            }
}

/* Sorts the list by height, byte by byte of the keys; pixels of one height keep their order. */
static void sort_pixels(immersion *w)
{
    enum { BYTE = 256 };
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t starts[BYTE + 1] = {0};
        for (uint32_t i = 0; i < w->count; i++)
            starts[(flood_key(w->heights[w->order[i]]) >> shift) % BYTE + 1]++;
        for (int i = 0; i < BYTE; i++)
            starts[i + 1] += starts[i];
        for (uint32_t i = 0; i < w->count; i++)
            w->spare[starts[(flood_key(w->heights[w->order[i]]) >> shift) % BYTE]++] = w->order[i];
        uint32_t *const sorted = w->spare;
        w->spare = w->order;
        w->order = sorted;
    }
}

/* The pixels of a height are reached. Those beside a basin or a dam enter the queue. */
static void reach(immersion *w, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const int64_t pixel = w->order[i];
        w->labels[pixel] = REACHED;
        for (int n = 0; n < w->grid.neighbours; n++)
            if (w->labels[pixel + w->grid.offsets[n]] >= DAM) {
                wait_for(w, pixel, WAITS);
                break;
            }
    }
}

/* Decides on a pixel by its neighbours, one after another. Its reached neighbours enter the queue. */
static void immerse(immersion *w, int64_t pixel)
{
    int32_t *own = w->labels + pixel;
    for (int n = 0; n < w->grid.neighbours; n++) {
        const int64_t beside = pixel + w->grid.offsets[n];
        const int32_t other = w->labels[beside];
        if (other > 0 && (*own == WAITS || (*own == DAM && w->between_dams))) {
            *own = other;
        } else if (other > 0 && *own > 0 && *own != other) {
            *own = DAM;
            w->between_dams = false;
        } else if (other == DAM && *own == WAITS) {
            *own = DAM;
            w->between_dams = true;
        } else if (other == REACHED) {
            wait_for(w, beside, WAITS);
        }
    }
}

/* Each connected part that no basin has reached is a new minimum. */
static void find_minima(immersion *w, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (w->labels[w->order[i]] != REACHED)
            continue;
        wait_for(w, w->order[i], ++w->basins);
        while (w->first < w->end) {
            const int64_t pixel = w->queue[w->first++];
            for (int n = 0; n < w->grid.neighbours; n++)
                if (w->labels[pixel + w->grid.offsets[n]] == REACHED)
                    wait_for(w, pixel + w->grid.offsets[n], w->basins);
        }
    }
}

static void launch_classic_watershed(drua_plan *p)
{
    immersion w = {.grid = flood_grid_of(p, "source", plan_integer(p, "connectivity"))};
    plan_check_same_extent(p, "source", "mask");
    if (plan_failed(p))
        return;
    const size_t words = (size_t)w.grid.count * sizeof(uint32_t);
    const float *mask = flood_grid_read(p, "mask", &w.grid);
    w.heights = flood_grid_read(p, "source", &w.grid);
    w.labels = plan_host_memory(p, words);
    w.order = plan_host_memory(p, words);
    w.queue = plan_host_memory(p, words);
    w.spare = plan_host_memory(p, words);
    if (plan_failed(p))
        return;
    for (int64_t i = 0; i < w.grid.count; i++)
        w.labels[i] = DRY;
    list_pixels(&w, mask, plan_number(p, "minimum"), plan_number(p, "maximum"));
    sort_pixels(&w);
    for (uint32_t first = 0, end = 0; first < w.count && !plan_is_stopped(p); first = end) {
        while (end < w.count && w.heights[w.order[end]] == w.heights[w.order[first]])
            end++;
        reach(&w, first, end);
        while (w.first < w.end)
            immerse(&w, w.queue[w.first++]);
        find_minima(&w, first, end);
    }
    flood_grid_write(p, &w.grid, w.labels);
}

static void refuse_blocks(drua_plan *p, int64_t margin)
{
    (void)margin;
    plan_fail_unsupported(
        p, "numbers basins in the order in which the whole image is flooded, so it cannot run block by block; "
           "number the minima with connectedComponentsLabelingBox, and flood from them with "
           "Drua_markerControlledWatershed and binary_markers=0");
}

DRUA_OP(classic_watershed) = {
    .name = "classic_watershed",
    .category = "labels",
    .menu = true,
    .summary = "Floods an image from all its minima: each pixel inside the mask gets the label of its basin, and 0 "
               "where basins meet.",
    .source = "watershed by immersion (Vincent and Soille 1991), in the order of MorphoLibJ's Classic Watershed with "
              "one thread, so that ties are resolved in the same way. Smooth the image, or use "
              "morphological_segmentation, if noise makes too many basins. The CPU floods pixel by pixel",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "image to flood, often a gradient or an inverted image"),
        DRUA_IMAGE_IN("mask", "binary image: floods stay where it is above 0"),
        DRUA_LABELS_OUT("destination", "label map of the basins; 0 is background and dams", .type = DRUA_FLOAT32),
        DRUA_NUMBER("minimum", "darker pixels become background", .unit = "grey value", .default_value = 0),
        DRUA_NUMBER("maximum", "brighter pixels become background", .unit = "grey value", .default_value = 65535),
        DRUA_INTEGER("connectivity", "4 or 6: neighbouring pixels share a side; 8 or 26: a shared corner is enough",
                     DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .default_value = 4)),
    DRUA_ALIASES("CLIJx morphoLibJClassicWatershed: source, mask, &destination, minimum, maximum, connectivity=4"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .launch = launch_classic_watershed,
    .build_in_blocks = refuse_blocks,
};
