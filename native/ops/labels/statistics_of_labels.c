/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

#include "cells_on_host.h"

#include <float.h>
#include <string.h>

enum {
    COUNT = STATISTICS_COUNT,
    LOWEST = STATISTICS_LOWEST,
    HIGHEST = STATISTICS_HIGHEST,
    LOW = STATISTICS_LOW,
    HIGH = STATISTICS_HIGH,
    SUM = STATISTICS_SUM,
    VALUE_SUM = STATISTICS_VALUE_SUM,
    WEIGHTED_SUM = STATISTICS_WEIGHTED_SUM,
    SQUARE_SUM = STATISTICS_SQUARE_SUM,
    DISTANCE_SUM = STATISTICS_DISTANCE_SUM,
    LONGEST = STATISTICS_LONGEST
};

const char *const statistics_headings[STATISTICS_COLUMNS] = {"IDENTIFIER",
                                                             "BOUNDING_BOX_X",
                                                             "BOUNDING_BOX_Y",
                                                             "BOUNDING_BOX_Z",
                                                             "BOUNDING_BOX_END_X",
                                                             "BOUNDING_BOX_END_Y",
                                                             "BOUNDING_BOX_END_Z",
                                                             "BOUNDING_BOX_WIDTH",
                                                             "BOUNDING_BOX_HEIGHT",
                                                             "BOUNDING_BOX_DEPTH",
                                                             "MINIMUM_INTENSITY",
                                                             "MAXIMUM_INTENSITY",
                                                             "MEAN_INTENSITY",
                                                             "SUM_INTENSITY",
                                                             "STANDARD_DEVIATION_INTENSITY",
                                                             "PIXEL_COUNT",
                                                             "SUM_INTENSITY_TIMES_X",
                                                             "SUM_INTENSITY_TIMES_Y",
                                                             "SUM_INTENSITY_TIMES_Z",
                                                             "MASS_CENTER_X",
                                                             "MASS_CENTER_Y",
                                                             "MASS_CENTER_Z",
                                                             "SUM_X",
                                                             "SUM_Y",
                                                             "SUM_Z",
                                                             "CENTROID_X",
                                                             "CENTROID_Y",
                                                             "CENTROID_Z",
                                                             "SUM_DISTANCE_TO_MASS_CENTER",
                                                             "MEAN_DISTANCE_TO_MASS_CENTER",
                                                             "MAX_DISTANCE_TO_MASS_CENTER",
                                                             "MAX_MEAN_DISTANCE_TO_MASS_CENTER_RATIO",
                                                             "SUM_DISTANCE_TO_CENTROID",
                                                             "MEAN_DISTANCE_TO_CENTROID",
                                                             "MAX_DISTANCE_TO_CENTROID",
                                                             "MAX_MEAN_DISTANCE_TO_CENTROID_RATIO"};

enum { SCALE_BITS = 29 };

/* ---- on the host, for devices without double precision */

static uint64_t sum_of(const uint32_t *counters)
{
    return pixels_of(counters) + (pixels_of(counters + 2) << 32);
}

#include "../../../kernels/labels/exact_orders.cl"
#include "../../../kernels/labels/statistics_cells.cl"

static void fill_on_host(drua_plan *p, const drua_label_table *table, double *cells)
{
    const size_t count = (size_t)(table->last - table->first) + 1, bytes = count * STATISTICS_ROW * sizeof(uint32_t);
    uint32_t *rows = plan_host_memory(p, bytes);
    float *centres = plan_host_memory(p, count * STATISTICS_CENTRE_ROW * sizeof *centres);
    plan_read(p, table->rows, rows, bytes);
    for (size_t i = 0; i < count && !plan_failed(p); i++) {
        double *cell = cells + i * STATISTICS_COLUMNS;
        cell[COLUMN_IDENTIFIER] = (double)(table->first + i);
        fill_intensities(rows + i * STATISTICS_ROW, table->source.layout.type, cell);
        fill_box(rows + i * STATISTICS_ROW, cell);
        fill_centres(cell, centres + i * STATISTICS_CENTRE_ROW);
    }
    drua_view centre = plan_scratch(p, (drua_shape){STATISTICS_CENTRE_ROW, (int64_t)count, 1, 2}, DRUA_FLOAT32);
    plan_write(p, centre, centres);
    drua_view distances = statistics_distances(p, table, centre);
    plan_read(p, distances, rows, count * STATISTICS_DISTANCE_ROW * sizeof *rows);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        fill_distances(rows + i * STATISTICS_DISTANCE_ROW, centres + i * STATISTICS_CENTRE_ROW,
                       cells + i * STATISTICS_COLUMNS);
    plan_free_scratch(p, distances);
    plan_free_scratch(p, centre);
}

void statistics_cells(drua_plan *p, const drua_label_table *table, double *cells)
{
    const size_t count = (size_t)(table->last - table->first) + 1, bytes = count * STATISTICS_ROW * sizeof(uint32_t);
    uint32_t *rows = plan_host_memory(p, bytes);
    plan_read(p, table->rows, rows, bytes);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        fill_intensities(rows + i * STATISTICS_ROW, table->source.layout.type, cells + i * STATISTICS_COLUMNS);
}

/* ---- on the device, with double precision */

static drua_view fill_on_device(drua_plan *p, const drua_label_table *table)
{
    const int64_t count = (int64_t)(table->last - table->first) + 1;
    drua_view centres = plan_scratch(p, (drua_shape){STATISTICS_CENTRE_ROW, count, 1, 2}, DRUA_FLOAT32);
    drua_view cells = plan_scratch_bytes(p, (uint64_t)count * STATISTICS_COLUMNS * sizeof(double));
    LAUNCH(p, "statistics_columns", LINE(count, 64), POINTER(table->rows), INT(table->source.layout.type),
           POINTER(cells), POINTER(centres), INT(table->first), INT(count));
    drua_view distances = statistics_distances(p, table, centres);
    LAUNCH(p, "distance_columns", LINE(count, 64), POINTER(distances), POINTER(centres), POINTER(cells), INT(count));
    plan_free_scratch(p, distances);
    plan_free_scratch(p, centres);
    return cells;
}

/* Returns the labels. A plane of labels counts for every slice of a stack, by a stride of 0 along z. */
static drua_view labels_for(drua_plan *p, drua_view source)
{
    drua_view labels = plan_image(p, "labels");
    if (labels.layout.depth == 1 && source.layout.depth > 1) {
        labels.layout.depth = source.layout.depth;
        labels.layout.plane = 0;
    }
    return labels;
}

void statistics_measure(drua_plan *p, uint32_t first, uint32_t last, double *cells)
{
    const drua_view source = plan_image(p, "source"), labels = labels_for(p, source);
    const size_t count = last < first || plan_failed(p) ? 0 : (size_t)(last - first) + 1,
                 at_once = statistics_at_once(p, first, last);
    if (!cells && !count)
        cells = plan_new_table(p, statistics_headings, STATISTICS_COLUMNS, 0);
    for (size_t done = 0; done < count && !plan_failed(p); done += at_once) {
        const size_t now = count - done < at_once ? count - done : at_once;
        const uint32_t from = first + (uint32_t)done;
        drua_label_table table = statistics_extents(p, labels, source, from, from + (uint32_t)(now - 1), EXTENTS_ALL);
        statistics_values(p, &table, VALUES_ALL);
        const bool doubles = strstr(plan_device(p)->extensions, "cl_khr_fp64") != NULL;
        drua_view columns = doubles ? fill_on_device(p, &table) : table.rows;
        if (!cells)     /* allocating host memory is slow; the device works meanwhile */
            cells = plan_new_table(p, statistics_headings, STATISTICS_COLUMNS, count);
        if (doubles && cells) {
            plan_read(p, columns, cells + done * STATISTICS_COLUMNS, now * STATISTICS_COLUMNS * sizeof *cells);
            plan_free_scratch(p, columns);
        } else if (cells) {
            fill_on_host(p, &table, cells + done * STATISTICS_COLUMNS);
        }
        statistics_drop(p, &table);
    }
}

static void launch_labels(drua_plan *p)
{
    uint32_t last = (uint32_t)plan_largest_label(p, "labels");
    statistics_measure(p, 1, last, NULL);
}

static void launch_background_and_labels(drua_plan *p)
{
    uint32_t last = (uint32_t)plan_largest_label(p, "labels");
    statistics_measure(p, 0, last, NULL);
}

#define TABLE_PARAMETER                                                                                                \
    DRUA_TABLE_OUT("table",                                                                                            \
                   "one row for each label, 36 columns; a mass centre is NaN if the intensities sum to 0, and "        \
                   "so is a ratio of distances that are all 0. Minimum and maximum are exact; the other columns take " \
                   "intensities as float32")
#define SOURCE DRUA_IMAGE_IN("source", "image whose intensities are measured")
#define LABELS                                                                                                         \
    DRUA_IMAGE_IN("labels", "label map that says which pixels belong together; a plane counts for every slice of a "   \
                            "stack")

DRUA_OP(statistics_of_labelled_pixels) = {
    .name = "statistics_of_labelled_pixels",
    .category = "measurement",
    .menu = true,
    .summary = "Measures size, position, shape and intensity of every label; one table row each.",
    .source =
        "sums for each label in a fixed order, then moments of a population; columns as ImageJ and CLIJ2 name them",
    DRUA_PARAMS(SOURCE, LABELS, TABLE_PARAMETER),
    DRUA_ALIASES("CLIJ2/CLIJx statisticsOfLabelledPixels: source, labels"),
    .numeric = DRUA_DEVICE,
    .launch = launch_labels,
};

DRUA_OP(statistics_of_background_and_labelled_pixels) = {
    .name = "statistics_of_background_and_labelled_pixels",
    .category = "measurement",
    .summary = "Measures the background as label 0, then every label; one table row each.",
    .source =
        "sums for each label in a fixed order, then moments of a population; columns as ImageJ and CLIJ2 name them",
    DRUA_PARAMS(SOURCE, LABELS, TABLE_PARAMETER),
    DRUA_ALIASES("CLIJ2 statisticsOfBackgroundAndLabelledPixels: source, labels"),
    .numeric = DRUA_DEVICE,
    .launch = launch_background_and_labels,
};
