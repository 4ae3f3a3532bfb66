/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Meyer's flooding. Which label a pixel gets depends on all pixels before it, in the order of grey values and, for
 * equal ones, of first contact. The host floods pixel by pixel, so the result is exact.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

enum { FREE = 0, WAITS = -1, DAM = -2, MOST_NEIGHBOURS = 26 };

/* Grey values, labels (above 0) or states, and the pixels that wait in a heap, in the order of their contact. */
typedef struct flooding {
    int32_t extent[3];
    int64_t count;
    uint32_t *keys;
    int32_t *labels;
    float *markers;
    uint8_t *mask;
    uint64_t *heap;
    uint32_t *touched, waiting, touches;
    int8_t offsets[MOST_NEIGHBOURS][3];
    int neighbours;
    bool dams;
} flooding;

/*
 * Lists the neighbours in the order in which the flood looks at them: plane by plane, in a plane column by column. The
 * four neighbours in a plane go round instead.
 */
static void list_neighbours(flooding *f, int64_t connectivity)
{
    static const int8_t around[4][3] = {{-1, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}};
    const bool flat = f->extent[2] == 1, box = connectivity == 8 || connectivity == 26;
    if (flat && connectivity == 4) {
        f->neighbours = 4;
        memcpy(f->offsets, around, sizeof around);
        return;
    }
    for (int8_t dz = flat ? 0 : -1; dz <= (flat ? 0 : 1); dz++)
        for (int8_t dx = -1; dx <= 1; dx++)
            for (int8_t dy = -1; dy <= 1; dy++) {
                const int distance = abs(dx) + abs(dy) + abs(dz);
                if (distance == 0 || (!box && distance > 1))
                    continue;
                int8_t *offset = f->offsets[f->neighbours++];
                offset[0] = dx;
                offset[1] = dy;
                offset[2] = dz;
            }
}

/* Writes the neighbours of a pixel that lie in the image; returns their number. */
static int neighbours_of(const flooding *f, int64_t pixel, int64_t *list)
{
    const int64_t width = f->extent[0], height = f->extent[1];
    const int64_t x = pixel % width, y = pixel / width % height, z = pixel / width / height;
    int count = 0;
    for (int n = 0; n < f->neighbours; n++) {
        const int8_t *o = f->offsets[n];
        const int64_t i = x + o[0], j = y + o[1], k = z + o[2];
        if (i >= 0 && j >= 0 && k >= 0 && i < width && j < height && k < f->extent[2])
            list[count++] = (k * height + j) * width + i;
    }
    return count;
}

/* An integer in the order of the grey values: NaN comes last, and -0 before 0. */
static uint32_t key_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        return UINT32_MAX;
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* Adds a pixel to the heap, whose entries are a key and the number of the contact. */
static void wait_for(flooding *f, int64_t pixel)
{
    const uint64_t entry = (uint64_t)f->keys[pixel] << 32 | f->touches;
    f->touched[f->touches++] = (uint32_t)pixel;
    f->labels[pixel] = WAITS;
    uint32_t at = f->waiting++;
    for (; at > 0 && f->heap[(at - 1) / 2] > entry; at = (at - 1) / 2)
        f->heap[at] = f->heap[(at - 1) / 2];
    f->heap[at] = entry;
}

/* Removes the first pixel from the heap. */
static int64_t take_first(flooding *f)
{
    const int64_t pixel = f->touched[(uint32_t)f->heap[0]];
    const uint64_t last = f->heap[--f->waiting];
    uint32_t at = 0, child;
    for (; (child = 2 * at + 1) < f->waiting; at = child) {
        child += child + 1 < f->waiting && f->heap[child + 1] < f->heap[child];
        if (f->heap[child] >= last)
            break;
        f->heap[at] = f->heap[child];
    }
    f->heap[at] = last;
    return pixel;
}

/* Numbers connected markers of one value in raster order. The memory of `touched` serves as a stack. */
static void number_markers(flooding *f)
{
    int64_t list[MOST_NEIGHBOURS];
    int32_t label = 0;
    for (int64_t first = 0; first < f->count; first++) {
        const float value = f->markers[first];
        if (f->labels[first] || value == 0 || isnan(value))
            continue;
        uint32_t stacked = 0;
        f->touched[stacked++] = (uint32_t)first;
        f->labels[first] = ++label;
        while (stacked > 0) {
            const int count = neighbours_of(f, f->touched[--stacked], list);
            for (int n = 0; n < count; n++)
                if (!f->labels[list[n]] && f->markers[list[n]] == value) {
                    f->labels[list[n]] = label;
                    f->touched[stacked++] = (uint32_t)list[n];
                }
        }
    }
    for (int64_t i = 0; i < f->count; i++)
        f->markers[i] = (float)f->labels[i];
}

/* Takes the values of the markers as labels. */
static void take_markers(flooding *f)
{
    for (int64_t i = 0; i < f->count; i++) {
        const float value = f->markers[i];
        f->labels[i] = value >= 1 ? (int32_t)fminf(value, 2147483520.0f) : 0;
    }
}

/*
 * Lets the neighbours of all markers inside the mask wait, slice by slice and column by column. As in MorphoLibJ, these
 * neighbours may lie outside the mask, and markers outside the mask are removed but not flooded at the start.
 */
static void start_at_markers(flooding *f)
{
    int64_t list[MOST_NEIGHBOURS];
    const int64_t width = f->extent[0], slice = width * f->extent[1];
    for (int64_t z = 0; z < f->extent[2]; z++)
        for (int64_t x = 0; x < width; x++)
            for (int64_t at = z * slice + x; at < (z + 1) * slice; at += width) {
                if (f->labels[at] <= 0 || !f->mask[at])
                    continue;
                const int count = neighbours_of(f, at, list);
                for (int n = 0; n < count; n++)
                    if (f->labels[list[n]] == FREE)
                        wait_for(f, list[n]);
            }
    for (int64_t i = 0; i < f->count; i++)
        if (f->labels[i] > 0 && !f->mask[i])
            f->labels[i] = FREE;
}

/* Decides on a pixel by its labelled neighbours. Free neighbours wait from now on, unless the pixel is a dam. */
static void flood_pixel(flooding *f, int64_t pixel)
{
    int64_t list[MOST_NEIGHBOURS];
    const int count = neighbours_of(f, pixel, list);
    int32_t label = 0;
    bool several = false;
    for (int n = 0; n < count; n++) {
        const int32_t other = f->labels[list[n]];
        if (other > 0 && !label)
            label = other;
        several = several || (other > 0 && other != label);
    }
    if (f->dams && several) {
        f->labels[pixel] = DAM;
        return;
    }
    f->labels[pixel] = label;
    for (int n = 0; n < count; n++)
        if (f->labels[list[n]] == FREE && f->mask[list[n]])
            wait_for(f, list[n]);
}

static void *read_as(drua_plan *p, const char *name, drua_shape of, drua_type type)
{
    drua_view dense = plan_scratch(p, of, type);
    const size_t bytes = (size_t)drua_layout_count(&dense.layout) * drua_type_size(type);
    void *pixels = plan_host(p, bytes);
    plan_copy(p, plan_image(p, name), dense, 0, 0, 0);
    if (pixels)
        plan_read(p, dense, pixels, bytes);
    plan_drop(p, dense);
    return pixels;
}

/* Reads the images; false after a failure. */
static bool read_images(drua_plan *p, flooding *f, drua_shape of)
{
    float *heights = read_as(p, "source", of, DRUA_FLOAT32), *mask = read_as(p, "mask", of, DRUA_FLOAT32);
    f->markers = read_as(p, "markers", of, DRUA_FLOAT32);
    f->keys = (uint32_t *)heights;
    f->mask = (uint8_t *)mask;
    f->labels = plan_host(p, (size_t)f->count * sizeof *f->labels);
    f->touched = plan_host(p, (size_t)f->count * sizeof *f->touched);
    f->heap = plan_host(p, (size_t)f->count * sizeof *f->heap);
    if (plan_failed(p))
        return false;
    for (int64_t i = 0; i < f->count; i++) {
        f->keys[i] = key_of(heights[i]);
        f->mask[i] = mask[i] > 0;
    }
    return true;
}

static void check_extents(drua_plan *p, drua_shape of)
{
    static const char *const others[] = {"markers", "mask"};
    for (int i = 0; i < 2; i++) {
        const drua_shape s = plan_shape(p, others[i]);
        if (!drua_shape_is_same_size(s, of))
            plan_fail(p,
                      "source has %lld x %lld x %lld pixels and %s %lld x %lld x %lld; both must have the same extent",
                      (long long)of.width, (long long)of.height, (long long)of.depth, others[i], (long long)s.width,
                      (long long)s.height, (long long)s.depth);
    }
    if (of.width * of.height > INT32_MAX / of.depth)
        plan_fail(p, "source has more than 2147483647 pixels; cut it into parts");
}

static void plan_flood(drua_plan *p)
{
    enum { BETWEEN = 1 << 16 };
    const drua_shape of = plan_shape(p, "source");
    check_extents(p, of);
    flooding f = {.extent = {(int32_t)of.width, (int32_t)of.height, (int32_t)of.depth},
                  .count = of.width * of.height * of.depth,
                  .dams = plan_flag(p, "dams")};
    if (plan_failed(p) || !read_images(p, &f, of))
        return;
    list_neighbours(&f, plan_integer(p, "connectivity"));
    if (plan_flag(p, "binary_markers"))
        number_markers(&f);
    else
        take_markers(&f);
    start_at_markers(&f);
    for (uint32_t steps = 0; f.waiting > 0; steps++) {
        flood_pixel(&f, take_first(&f));
        if (steps % BETWEEN == 0 && plan_is_stopped(p))
            break;
    }
    for (int64_t i = 0; i < f.count; i++)
        f.labels[i] = f.labels[i] > 0 ? f.labels[i] : 0;
    drua_view labels = plan_scratch(p, of, DRUA_UINT32), to = plan_image(p, "destination");
    plan_write(p, labels, f.labels);
    LAUNCH(p, "watershed_end", plan_grid(to.layout), POINTER(labels), INT(f.extent[0]), INT(f.extent[1]),
           INT(f.extent[2]), ARG(to));
}

DRUA_OP(marker_controlled_watershed) = {
    .name = "marker_controlled_watershed",
    .category = "labels",
    .menu = true,
    .summary =
        "Floods an image from markers, dark pixels first: each pixel inside the mask gets the label of the basin "
        "that reaches it first. Dams of 0 can separate the basins.",
    .source =
        "Meyer and Beucher 1990, in the order of MorphoLibJ: by grey value, then by first contact. The computer's "
        "processor floods pixel by pixel, about a second for 4 million pixels. Beside a marker, a pixel outside "
        "the mask is flooded too, as there",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "image to flood, often a gradient or an inverted image"),
        DRUA_IMAGE_IN("markers", "label map or binary image of the places where floods start"),
        DRUA_IMAGE_IN("mask", "binary image: floods stay where it is above 0"),
        DRUA_LABELS_OUT("destination", "label map of the basins; 0 is background", .type = DRUA_FLOAT32),
        DRUA_INTEGER("connectivity",
                     "4 or 6: only pixels that share a side are neighbours; 8 or 26: those at edges and "
                     "corners are too",
                     DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .preset = 4),
        DRUA_BOOLEAN("dams", "pixels where basins meet become 0", .preset = 1),
        DRUA_BOOLEAN("binary_markers",
                     "connected markers of one value are numbered anew; off: the markers' values are the labels",
                     .preset = 1)),
    DRUA_ALIASES("CLIJx morphoLibJMarkerControlledWatershed: source, markers, mask, &destination, connectivity=4, "
                 "dams=1, binary_markers=1"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .plan = plan_flood,
};
