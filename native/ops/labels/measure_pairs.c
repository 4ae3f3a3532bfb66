/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure_labels.h"

#include "cells_on_host.h"

#include <stdio.h>
#include <string.h>

enum { PAIR_WORDS = 8, DIRECTIONS = 7 };

/* ---- on the host, for devices without double precision */

#include "../../../kernels/labels/pairs_cells.cl"

/* ---- pairs */

/*
 * A table of pairs: `slots` keys, and 8 words of counts for each; see pairs.cl. `list`: for each of `count` pairs both
 * labels, its slot, and 0; sorted.
 */
typedef struct label_pairs {
    drua_view keys, counts, list;
    uint32_t slots, count;
} label_pairs;

/* Enters all pairs into a table of that many slots. Returns whether they fit. */
static bool enter_pairs(drua_plan *p, drua_view labels, uint32_t slots, bool dams, drua_view keys,
                        drua_view counts)
{
    uint32_t failed = 0;
    const drua_view flag = plan_scratch_bytes(p, sizeof failed);
    plan_clear(p, flag);
    plan_clear(p, counts);
    LAUNCH(p, "clear_keys", LINE(slots, 64), POINTER(keys), INT(slots));
    LAUNCH(p, "find_pairs", plan_grid(labels.layout), ARG(labels), POINTER(keys), INT(slots - 1), POINTER(counts),
           POINTER(flag), INT(dams));
    plan_read(p, flag, &failed, sizeof failed);
    plan_free_scratch(p, flag);
    return !failed;
}

/* Sorts the pairs by the smaller label, then by the larger one. */
static void sort_pairs(drua_plan *p, drua_view labels, uint32_t largest, label_pairs *pairs)
{
    const uint32_t count = largest + 1, slots = pairs->slots;
    const drua_view keys = pairs->keys;
    uint32_t *totals;
    const drua_view per_label = plan_scratch_bytes(p, ((uint64_t)count + 1) * 4),
                    next = plan_scratch_bytes(p, (uint64_t)count * 4);
    plan_clear(p, per_label);
    plan_clear(p, next);
    LAUNCH(p, "count_pairs", LINE(slots, 64), ARG(labels), POINTER(keys), INT(slots), POINTER(per_label));
    LAUNCH(p, "add_up_pairs", LINE(256, 256), POINTER(per_label), INT(count));
    totals = plan_host_memory(p, ((uint64_t)count + 1) * 4);
    plan_read(p, per_label, totals, ((uint64_t)count + 1) * 4);
    pairs->count = plan_failed(p) ? 0 : totals[count];
    pairs->list = plan_scratch_bytes(p, ((uint64_t)pairs->count + 1) * 16);
    LAUNCH(p, "list_pairs", LINE(slots, 64), ARG(labels), POINTER(keys), INT(slots), POINTER(per_label), POINTER(next),
           POINTER(pairs->list));
    LAUNCH(p, "sort_pairs", LINE(count, 64), POINTER(per_label), INT(count), POINTER(pairs->list));
    plan_free_scratch(p, next);
    plan_free_scratch(p, per_label);
}

/*
 * Enters all pairs of labels 1 to `largest` into a table. With `dams`, they include those with one background pixel
 * between them. Waits.
 */
static label_pairs find_pairs(drua_plan *p, drua_view labels, uint32_t largest, bool dams)
{
    enum { MIN_SLOTS = 1024, EACH = 8 };
    label_pairs pairs = {.count = 0};
    const uint64_t pixels = (uint64_t)drua_layout_count(&labels.layout),
                   likely = (uint64_t)EACH * largest < pixels ? (uint64_t)EACH * largest : pixels;
    uint64_t slots = MIN_SLOTS;
    if (pixels > UINT32_MAX / 3 - 1)
        plan_fail(p, "neighbouring labels can be found in at most %u pixels, but labels has %llu; crop it",
                  UINT32_MAX / 3 - 1, (unsigned long long)pixels);
    while (slots < likely && slots < 1u << 30)
        slots *= 2;
    for (bool done = false; !done && !plan_failed(p); slots *= 2) {
        pairs.slots = (uint32_t)slots;
        pairs.keys = plan_scratch_bytes(p, slots * 4);
        pairs.counts = plan_scratch_bytes(p, slots * PAIR_WORDS * 4);
        done = enter_pairs(p, labels, pairs.slots, dams, pairs.keys, pairs.counts);
        if (!done) {
            plan_free_scratch(p, pairs.counts);
            plan_free_scratch(p, pairs.keys);
        }
        if (!done && slots >= 1u << 30)
            plan_fail(p, "labels has more pairs of neighbouring labels than a table of 2^30 entries can hold; crop it");
    }
    return pairs;
}

/* Finds all pairs, counts diagonal steps between them, and sorts them. Waits. */
static label_pairs list_pairs(drua_plan *p, drua_view labels, uint32_t largest, bool dams)
{
    label_pairs pairs = find_pairs(p, labels, largest, dams);
    LAUNCH(p, "count_pair_diagonals", plan_grid(labels.layout), ARG(labels), POINTER(pairs.keys), INT(pairs.slots - 1),
           POINTER(pairs.counts));
    sort_pairs(p, labels, largest, &pairs);
    return pairs;
}

static void drop_pairs(drua_plan *p, const label_pairs *pairs)
{
    if (pairs->list.buffer)
        plan_free_scratch(p, pairs->list);
    plan_free_scratch(p, pairs->counts);
    plan_free_scratch(p, pairs->keys);
}

/* ---- the group neighbors */

static const char *const of_label[] = {"NEIGHBOR_COUNT", "SHARE_TOUCHING", "SHARE_AT_BORDER", NULL};

/* Areas of a voxel's sides across x, y and z, or lengths of a pixel's sides. */
static void side_areas(const measure_part *part, double areas[3])
{
    const double *s = part->size, depth = part->flat ? 1 : s[2];
    areas[0] = s[1] * depth;
    areas[1] = s[0] * depth;
    areas[2] = part->flat ? 0 : s[0] * s[1];
}

static void fill_neighbor_columns(drua_plan *p, const measure_part *part, int width)
{
    enum { SIDES = 9 };
    const uint32_t count = part->count, last = part->first + (count - 1);
    double areas[3];
    const drua_view neighbors = plan_scratch_bytes(p, count * 4ull),
                    sides = plan_scratch_bytes(p, 4ull * count * SIDES), sizes = plan_scratch_bytes(p, sizeof areas);
    const label_pairs pairs = find_pairs(p, part->labels, part->largest, false);
    side_areas(part, areas);
    plan_write(p, sizes, areas);
    plan_clear(p, neighbors);
    plan_clear(p, sides);
    LAUNCH(p, "count_neighbors", LINE(pairs.slots, 64), ARG(part->labels), POINTER(pairs.keys), INT(pairs.slots),
           INT(part->first), INT(last), POINTER(neighbors));
    LAUNCH(p, "count_sides", plan_grid(part->labels.layout), ARG(part->labels), INT(part->first), INT(last),
           POINTER(sides));
    if (part->cells.buffer) {
        LAUNCH(p, "neighbor_columns", LINE(count, 64), POINTER(neighbors), POINTER(sides), POINTER(sizes), INT(count),
               POINTER(part->cells), INT(part->columns), INT(part->column));
    } else {
        uint32_t *found = plan_host_memory(p, 4ull * count), *counted = plan_host_memory(p, 4ull * count * SIDES);
        plan_read(p, neighbors, found, count * 4ull);
        plan_read(p, sides, counted, 4ull * count * SIDES);
        for (size_t i = 0; i < count && !plan_failed(p); i++)
            fill_neighbors(found[i], counted + SIDES * i, areas,
                           part->host_cells + i * (size_t)part->columns + part->column);
    }
    drop_pairs(p, &pairs);
    plan_free_scratch(p, sizes);
    plan_free_scratch(p, sides);
    plan_free_scratch(p, neighbors);
    (void)width;
}

const measure_group measure_neighbors = {
    .name = "neighbors", .headings = {of_label, of_label}, .fill = fill_neighbor_columns};

/* ---- the table of pairs */

/* Weights that turn steps between two labels into the area or length of their contact (Crofton). */
static void weigh_steps(bool flat, const double size[3], double weights[DIRECTIONS])
{
    static const int cells_of_plane[3] = {2, 2, 1}, cells_of_stack[DIRECTIONS] = {4, 4, 4, 2, 2, 2, 1};
    double constants[MEASURE_CONSTANTS];
    measure_weights(flat, size, constants);
    memset(weights, 0, DIRECTIONS * sizeof *weights);
    for (int i = 0; i < (flat ? 2 : DIRECTIONS); i++)
        weights[i] = constants[3 + i] * (flat ? cells_of_plane[i] : cells_of_stack[i]);
    if (flat)
        weights[3] = constants[3 + 2] * cells_of_plane[2];
}

enum { PAIR_COLUMNS = 5 };

static const char *const of_planes[] = {"LABEL_1", "LABEL_2", "CONTACT_SIDES", "CONTACT_LENGTH", "DAM_SIDES"},
                         *const of_stacks[] = {"LABEL_1", "LABEL_2", "CONTACT_SIDES", "CONTACT_AREA", "DAM_SIDES"};

/* Returns the headings of the table, with units where the options ask for them; NULL after a failure. */
static const char *const *pair_headings(drua_plan *p, bool flat)
{
    const char *const *names = flat ? of_planes : of_stacks;
    const char **headings = plan_host_memory(p, PAIR_COLUMNS * sizeof *headings);
    char unit[MEASURE_UNIT], (*texts)[MEASURE_HEADING] = plan_host_memory(p, PAIR_COLUMNS * sizeof *texts);
    measure_unit(p, "labels", NULL, unit);
    for (int i = 0; i < PAIR_COLUMNS && !plan_failed(p); i++) {
        measure_heading("", names[i], unit, texts[i]);
        headings[i] = texts[i];
    }
    return plan_failed(p) ? NULL : headings;
}

static void launch_label_pairs(drua_plan *p)
{
    const drua_view labels = plan_image(p, "labels");
    const bool flat = labels.layout.depth == 1, dams = plan_setting(p, "options", "dams") != 0;
    const size_t columns = dams ? 5 : 4;
    const int64_t largest = plan_largest_label(p, "labels");
    double size[3], weights[DIRECTIONS];
    measure_voxels(p, "labels", size);
    weigh_steps(flat, size, weights);
    const label_pairs pairs = list_pairs(p, labels, (uint32_t)largest, dams);
    const size_t numbers = (size_t)pairs.count * columns;
    double *cells = plan_new_table(p, pair_headings(p, flat), columns, pairs.count);
    if (pairs.count > 0 && strstr(plan_device(p)->extensions, "cl_khr_fp64")) {
        const drua_view filled = plan_scratch_bytes(p, numbers * sizeof(double)),
                        sent = plan_scratch_bytes(p, sizeof weights);
        plan_write(p, sent, weights);
        LAUNCH(p, "pair_columns", LINE(pairs.count, 64), POINTER(pairs.list), INT(pairs.count), POINTER(pairs.counts),
               POINTER(sent), INT(dams), POINTER(filled));
        plan_read(p, filled, cells, numbers * sizeof(double));
    } else if (pairs.count > 0) {
        const uint64_t words = (uint64_t)pairs.counts.layout.width;
        uint32_t *list = plan_host_memory(p, pairs.count * 16ull), *counts = plan_host_memory(p, words * 4);
        plan_read(p, pairs.list, list, pairs.count * 16ull);
        plan_read(p, pairs.counts, counts, words * 4);
        for (size_t i = 0; i < pairs.count && !plan_failed(p); i++)
            fill_pair(list[4 * i], list[4 * i + 1], counts + (size_t)list[4 * i + 2] * PAIR_WORDS, weights, dams,
                      cells + columns * i);
    }
    drop_pairs(p, &pairs);
}

/* ---- by blocks */

/* The constants are the voxel size, then the weights of steps. */
static void choose_pair_columns(drua_plan *p, drua_label_columns *columns)
{
    const char *const *headings;
    if (plan_setting(p, "options", "dams") != 0)
        plan_fail(
            p, "options asks for dams, which cannot be counted block by block, because a block reads only one pixel of "
               "its neighbours; leave dams out, or crop the image");
    columns->flat = plan_shape(p, "labels").depth == 1;
    headings = pair_headings(p, columns->flat);
    if (plan_failed(p))
        return;
    measure_voxels(p, "labels", columns->constants);
    weigh_steps(columns->flat, columns->constants, columns->constants + 3);
    columns->count = 2; /* after both labels */
    snprintf(columns->headings, sizeof columns->headings, "%s,%s,%s,%s", headings[0], headings[1], headings[2],
             headings[3]);
}

static void fill_pair_row(const drua_label_columns *columns, const uint64_t steps[DRUA_PAIR_STEPS], double *cells)
{
    cells[0] = (double)(steps[0] + steps[1] + steps[2]);
    cells[1] = 0;
    for (int i = 0; i < DIRECTIONS; i++)
        cells[1] += columns->constants[3 + i] * (double)steps[i];
}

DRUA_OP(measure_label_pairs) = {
    .name = "measure_label_pairs",
    .category = "measurement",
    .menu = true,
    .summary = "Measures the contact of every two labels that share a side of pixels; one table row for each pair.",
    .source = "Crofton's formula with 4 directions of a plane or 13 of a stack, as in MorphoLibJ",
    DRUA_PARAMS(DRUA_IMAGE_IN("labels", "label map that says which pixels belong together"),
                {.name = "options",
                 .doc = "settings such as \"dams units=pixels\"",
                 .kind = DRUA_KIND_OPTIONS,
                 .default_text = "",
                 DRUA_SETTINGS(DRUA_BOOLEAN("dams",
                                            "pairs also have one pixel of background between them, such as a "
                                            "dam of a watershed; adds a column",
                                            .group = "Pairs"),
                               MEASURE_UNITS, MEASURE_UNIT_NAMES)},
                DRUA_TABLE_OUT("table", "one row for each pair, sorted by the smaller label, then by the larger one")),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_label_pairs,
    .shape_columns = choose_pair_columns,
    .pair_row = fill_pair_row,
};
