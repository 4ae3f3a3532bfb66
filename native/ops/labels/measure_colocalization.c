/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure_labels.h"

#include "cells_on_host.h"

#include <stdio.h>
#include <string.h>

enum { TABLE_COLUMNS = 6, HEADING = DRUA_SETTING_TEXT + 16 };

/* ---- on the host, for devices without double precision */

static double wide_sum(const uint32_t *counters)
{
    return (double)pixels_of(counters) + 0x1p32 * (double)pixels_of(counters + 2);
}

#include "../../../kernels/labels/colocalization_cells.cl"

static void fill_on_host(drua_plan *p, const measure_part *part, const measure_centres found[2], drua_view sums)
{
    uint32_t *copied = plan_host_memory(p, 4ull * part->count * WORDS_OF_LABEL);
    plan_read(p, sums, copied, 4ull * part->count * WORDS_OF_LABEL);
    for (size_t i = 0; i < part->count && !plan_failed(p); i++) {
        double *row = part->host_cells + i * TABLE_COLUMNS;
        row[0] = (double)part->first + (double)i;
        fill_colocalization(found[0].host_statistics + i * STATISTICS_COLUMNS,
                            found[1].host_statistics + i * STATISTICS_COLUMNS, copied + i * WORDS_OF_LABEL, row + 1);
    }
}

/* ---- on the device */

static void measure_some(drua_plan *p, measure_part *part)
{
    const drua_view images[2] = {plan_image(p, "source1"), plan_image(p, "source2")},
                    sums = plan_scratch_bytes(p, 4ull * part->count * WORDS_OF_LABEL);
    const float thresholds[2] = {(float)plan_setting(p, "options", "threshold1"),
                                 (float)plan_setting(p, "options", "threshold2")};
    const uint32_t last = part->first + (part->count - 1);
    drua_label_table tables[2];
    measure_centres found[2];
    for (int i = 0; i < 2; i++) {
        part->intensity = images[i];
        part->table = tables[i] =
            statistics_extents(p, part->labels, images[i], part->first, last, EXTENTS_INTENSITIES);
        statistics_values(p, &tables[i], VALUES_SUM);
        found[i] = measure_find_centres(p, part);
    }
    plan_clear(p, sums);
    statistics_common(p, &tables[0], images[1], found[0].centres, found[1].centres, thresholds, sums);
    if (part->cells.buffer) {
        LAUNCH(p, "colocalization_columns", LINE(part->count, 64), POINTER(found[0].statistics),
               POINTER(found[1].statistics), POINTER(sums), INT(part->first), INT(part->count), POINTER(part->cells));
        plan_read(p, part->cells, part->host_cells, sizeof(double) * part->count * TABLE_COLUMNS);
    } else {
        fill_on_host(p, part, found, sums);
    }
    for (int i = 1; i >= 0; i--) {
        measure_drop_centres(p, &found[i]);
        statistics_drop(p, &tables[i]);
    }
    plan_free_scratch(p, sums);
}

/* Returns how many labels fit a quarter of the free memory at once. */
static uint32_t labels_at_once(drua_plan *p, uint32_t count)
{
    enum { SHARE = 4, WORDS = 2 * (STATISTICS_ROW + 2 * STATISTICS_COLUMNS + STATISTICS_CENTRE_ROW) + WORDS_OF_LABEL };
    const uint64_t max = plan_memory_left(p) / SHARE / (4 * WORDS + 8 * TABLE_COLUMNS);
    return (uint32_t)(count < max ? count : max > 0 ? max : 1);
}

static void launch_colocalization(drua_plan *p)
{
    static const char *const names[TABLE_COLUMNS] = {"IDENTIFIER", "PIXEL_COUNT", "PEARSON",
                                                     "OVERLAP",    "MANDERS_1",   "MANDERS_2"};
    const bool doubles = strstr(plan_device(p)->extensions, "cl_khr_fp64") != NULL;
    char prefix[DRUA_SETTING_TEXT], (*texts)[HEADING] = plan_host_memory(p, sizeof *texts * TABLE_COLUMNS);
    const char *headings[TABLE_COLUMNS];
    plan_check_same_extent(p, "source1", "labels");
    plan_check_same_extent(p, "source2", "labels");
    const uint32_t largest = (uint32_t)plan_largest_label(p, "labels"), at_once = labels_at_once(p, largest);
    measure_part part = {.labels = plan_image(p, "labels"), .columns = TABLE_COLUMNS};
    if (plan_failed(p))
        return;
    plan_setting_text(p, "options", "prefix", prefix);
    for (int i = 0; i < TABLE_COLUMNS; i++) {
        snprintf(texts[i], HEADING, "%s%s", prefix, names[i]);
        headings[i] = texts[i];
    }
    double *cells = plan_new_table(p, headings, TABLE_COLUMNS, largest);
    for (uint32_t done = 0; done < largest && !plan_failed(p); done += part.count) {
        part.first = done + 1;
        part.count = largest - done < at_once ? largest - done : at_once;
        part.host_cells = cells + (size_t)done * TABLE_COLUMNS;
        part.cells = (drua_view){0};
        if (doubles)
            part.cells = plan_scratch_bytes(p, sizeof(double) * part.count * TABLE_COLUMNS);
        measure_some(p, &part);
        if (doubles)
            plan_free_scratch(p, part.cells);
    }
}

#define THRESHOLD(name_, image_)                                                                                       \
    DRUA_NUMBER(name_, "Manders: pixels of " image_ " count if they are above this grey value", .unit = "grey value",  \
                DRUA_RANGE(-3e38, 3e38), .default_value = 0)

DRUA_OP(measure_colocalization) = {
    .name = "measure_colocalization",
    .category = "measurement",
    .menu = true,
    .summary =
        "Measures for every label how two images agree: Pearson, Manders M1 and M2, overlap; one table row each.",
    .source = "Pearson's correlation; Manders, Verbeek and Aten 1993; docs/shape.md has the formulas",
    DRUA_PARAMS(DRUA_IMAGE_IN("source1", "first image, such as a channel"),
                DRUA_IMAGE_IN("source2", "second image, of the same size"),
                DRUA_IMAGE_IN("labels", "label map, of the same size; a mask of 1 measures the pixels inside"),
                {.name = "options",
                 .doc = "settings such as \"threshold1=20 threshold2=30\"",
                 .kind = DRUA_KIND_OPTIONS,
                 .default_text = "",
                 DRUA_SETTINGS(THRESHOLD("threshold1", "source1"), THRESHOLD("threshold2", "source2"),
                               DRUA_TEXT("prefix", "text before each column's name", .default_text = ""))},
                DRUA_TABLE_OUT("table", "one row for each label up to the largest; a label without pixels has NaN")),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_colocalization,
};
