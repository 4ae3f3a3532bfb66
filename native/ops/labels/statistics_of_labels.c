/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

const char *const statistics_headings[STATISTICS_COLUMNS] = {
    "IDENTIFIER", "BOUNDING_BOX_X", "BOUNDING_BOX_Y", "BOUNDING_BOX_Z", "BOUNDING_BOX_END_X", "BOUNDING_BOX_END_Y",
    "BOUNDING_BOX_END_Z", "BOUNDING_BOX_WIDTH", "BOUNDING_BOX_HEIGHT", "BOUNDING_BOX_DEPTH", "MINIMUM_INTENSITY",
    "MAXIMUM_INTENSITY", "MEAN_INTENSITY", "SUM_INTENSITY", "STANDARD_DEVIATION_INTENSITY", "PIXEL_COUNT",
    "SUM_INTENSITY_TIMES_X", "SUM_INTENSITY_TIMES_Y", "SUM_INTENSITY_TIMES_Z", "MASS_CENTER_X", "MASS_CENTER_Y", "MASS_CENTER_Z",
    "SUM_X", "SUM_Y", "SUM_Z", "CENTROID_X", "CENTROID_Y", "CENTROID_Z", "SUM_DISTANCE_TO_MASS_CENTER",
    "MEAN_DISTANCE_TO_MASS_CENTER", "MAX_DISTANCE_TO_MASS_CENTER", "MAX_MEAN_DISTANCE_TO_MASS_CENTER_RATIO",
    "SUM_DISTANCE_TO_CENTROID", "MEAN_DISTANCE_TO_CENTROID", "MAX_DISTANCE_TO_CENTROID", "MAX_MEAN_DISTANCE_TO_CENTROID_RATIO"};

/* Labels `first` to `last` and their rows of the table. */
static void measure(drua_plan *p, drua_view labels, uint32_t first, uint32_t last, double *cells)
{
    size_t count = (size_t)(last - first) + 1, bytes = count * STATISTICS_ROW * sizeof(uint32_t);
    drua_label_table table = statistics_extents(p, labels, plan_image(p, "source"), first, last, EXTENTS_ALL);
    statistics_values(p, &table, VALUES_ALL);
    uint32_t *rows = plan_host(p, bytes);
    float *centres = plan_host(p, count * STATISTICS_CENTRE_ROW * sizeof *centres);
    for (size_t i = 0; i < count && !plan_failed(p); i++) {     /* new memory is slow to touch first, and the device works meanwhile */
        cells[i * STATISTICS_COLUMNS + COLUMN_IDENTIFIER] = (double)(first + i);
        rows[i * STATISTICS_ROW] = 0;
    }
    plan_read(p, table.rows, rows, bytes);
    for (size_t i = 0; i < count && !plan_failed(p); i++) {
        double *cell = cells + i * STATISTICS_COLUMNS;
        statistics_fill_sums(rows + i * STATISTICS_ROW, cell);
        statistics_fill_centres(cell, centres + i * STATISTICS_CENTRE_ROW);
    }
    drua_view centre = plan_scratch(p, (drua_shape){STATISTICS_CENTRE_ROW, (int64_t)count, 1, 2}, DRUA_FLOAT32);
    plan_write(p, centre, centres);
    drua_view distances = statistics_distances(p, &table, centre);
    plan_read(p, distances, rows, count * STATISTICS_DISTANCE_ROW * sizeof *rows);
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        statistics_fill_distances(rows + i * STATISTICS_DISTANCE_ROW, centres + i * STATISTICS_CENTRE_ROW, cells + i * STATISTICS_COLUMNS);
    plan_drop(p, distances);
    plan_drop(p, centre);
    plan_drop(p, table.rows);
}

static void measure_all(drua_plan *p, drua_view labels, uint32_t first, uint32_t last)
{
    const size_t count = last < first || plan_failed(p) ? 0 : (size_t)(last - first) + 1;
    const uint32_t at_once = statistics_at_once(p, first, last);
    double *cells = plan_new_table(p, statistics_headings, STATISTICS_COLUMNS, count);
    for (size_t done = 0; done < count && !plan_failed(p); done += at_once) {
        const size_t now = count - done < at_once ? count - done : at_once;
        measure(p, labels, first + (uint32_t)done, first + (uint32_t)(done + now - 1), cells + done * STATISTICS_COLUMNS);
    }
}

static void plan_labels(drua_plan *p)
{
    uint32_t last = (uint32_t)plan_largest_label(p, "labels");
    measure_all(p, plan_image(p, "labels"), 1, last);
}

static void plan_background_and_labels(drua_plan *p)
{
    uint32_t last = (uint32_t)plan_largest_label(p, "labels");
    measure_all(p, plan_image(p, "labels"), 0, last);
}

#define TABLE_PARAMETER DRUA_TABLE_OUT("table", "one row for each label, 36 columns")
#define SOURCE DRUA_IMAGE_IN("source", "image whose intensities are measured")
#define LABELS DRUA_IMAGE_IN("labels", "label map that says which pixels belong together")

const drua_op drua_op_statistics_of_labelled_pixels = {
    .name = "statistics_of_labelled_pixels",
    .category = "measurement",
    .menu = true,
    .summary = "Measures size, position, shape and intensity of every label; one table row each.",
    .source = "sums for each label in a fixed order, then moments of a population; columns as ImageJ and CLIJ2 name them",
    DRUA_PARAMS(SOURCE, LABELS, TABLE_PARAMETER),
    DRUA_ALIASES("CLIJ2/CLIJx statisticsOfLabelledPixels: source, labels"),
    .numeric = DRUA_DEVICE,
    .plan = plan_labels,
};

const drua_op drua_op_statistics_of_background_and_labelled_pixels = {
    .name = "statistics_of_background_and_labelled_pixels",
    .category = "measurement",
    .summary = "Measures the background as label 0, then every label; one table row each.",
    .source = "sums for each label in a fixed order, then moments of a population; columns as ImageJ and CLIJ2 name them",
    DRUA_PARAMS(SOURCE, LABELS, TABLE_PARAMETER),
    DRUA_ALIASES("CLIJ2 statisticsOfBackgroundAndLabelledPixels: source, labels"),
    .numeric = DRUA_DEVICE,
    .plan = plan_background_and_labels,
};
