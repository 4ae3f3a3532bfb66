/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups shape, moments, raw_moments and size of measure_labels. */
#include "measure_labels.h"

#include "cells_on_host.h"

#include <math.h>
#include <string.h>

#define PLACE_OF_PLANE "PIXEL_COUNT", "AREA", "CENTROID_X", "CENTROID_Y", "BOX_X", "BOX_Y", "BOX_END_X", "BOX_END_Y"
#define PLACE_OF_STACK                                                                                                 \
    "PIXEL_COUNT", "VOLUME", "CENTROID_X", "CENTROID_Y", "CENTROID_Z", "BOX_X", "BOX_Y", "BOX_Z", "BOX_END_X",         \
        "BOX_END_Y", "BOX_END_Z"

/* In the order in which kernels/labels/shape_cells.cl fills the columns. */
static const char *const of_plane[] = {PLACE_OF_PLANE,     "PERIMETER",      "PERIMETER_2_DIRECTIONS",
                                       "EULER_NUMBER_4",   "EULER_NUMBER_8", "ELLIPSE_RADIUS_1",
                                       "ELLIPSE_RADIUS_2", "ELLIPSE_ANGLE",  "ASPECT_RATIO",
                                       "ELONGATION",       "ECCENTRICITY",   "CIRCULARITY",
                                       "ROUNDNESS",        "COMPACTNESS",    NULL};
static const char *const of_stack[] = {PLACE_OF_STACK,
                                       "SURFACE_AREA",
                                       "SURFACE_AREA_3_DIRECTIONS",
                                       "MEAN_BREADTH",
                                       "MEAN_BREADTH_3_DIRECTIONS",
                                       "EULER_NUMBER_6",
                                       "EULER_NUMBER_26",
                                       "ELLIPSOID_RADIUS_1",
                                       "ELLIPSOID_RADIUS_2",
                                       "ELLIPSOID_RADIUS_3",
                                       "ELLIPSOID_PHI",
                                       "ELLIPSOID_THETA",
                                       "ELLIPSOID_PSI",
                                       "ELLIPSOID_AXIS_1_X",
                                       "ELLIPSOID_AXIS_1_Y",
                                       "ELLIPSOID_AXIS_1_Z",
                                       "ELLIPSOID_AXIS_2_X",
                                       "ELLIPSOID_AXIS_2_Y",
                                       "ELLIPSOID_AXIS_2_Z",
                                       "ELLIPSOID_AXIS_3_X",
                                       "ELLIPSOID_AXIS_3_Y",
                                       "ELLIPSOID_AXIS_3_Z",
                                       "ASPECT_RATIO_1_2",
                                       "ASPECT_RATIO_1_3",
                                       "ASPECT_RATIO_2_3",
                                       "ECCENTRICITY",
                                       "SPHERICITY",
                                       "SPHERICITY_WADELL",
                                       "ROUNDNESS",
                                       "COMPACTNESS",
                                       NULL};
static const char *const moments_of_plane[] = {"MOMENT_20", "MOMENT_02", "MOMENT_11", "MOMENT_30", "MOMENT_03",
                                               "MOMENT_21", "MOMENT_12", "HU_1",      "HU_2",      "HU_3",
                                               "HU_4",      "HU_5",      "HU_6",      "HU_7",      NULL};
static const char *const moments_of_stack[] = {"MOMENT_200", "MOMENT_020", "MOMENT_002", "MOMENT_110", "MOMENT_101",
                                               "MOMENT_011", "MOMENT_300", "MOMENT_030", "MOMENT_003", "MOMENT_210",
                                               "MOMENT_201", "MOMENT_120", "MOMENT_021", "MOMENT_102", "MOMENT_012",
                                               "MOMENT_111", NULL};

static const char *const raw_of_plane[] = {"RAW_MOMENT_00",
                                           "RAW_MOMENT_10",
                                           "RAW_MOMENT_01",
                                           "RAW_MOMENT_20",
                                           "RAW_MOMENT_02",
                                           "RAW_MOMENT_11",
                                           "RAW_MOMENT_30",
                                           "RAW_MOMENT_03",
                                           "RAW_MOMENT_21",
                                           "RAW_MOMENT_12",
                                           NULL};
static const char *const raw_of_stack[] = {"RAW_MOMENT_000", "RAW_MOMENT_100", "RAW_MOMENT_010",
                                           "RAW_MOMENT_001", "RAW_MOMENT_200", "RAW_MOMENT_020",
                                           "RAW_MOMENT_002", "RAW_MOMENT_110", "RAW_MOMENT_101",
                                           "RAW_MOMENT_011", "RAW_MOMENT_300", "RAW_MOMENT_030",
                                           "RAW_MOMENT_003", "RAW_MOMENT_210", "RAW_MOMENT_201",
                                           "RAW_MOMENT_120", "RAW_MOMENT_021", "RAW_MOMENT_102",
                                           "RAW_MOMENT_012", "RAW_MOMENT_111", NULL};

static const char *const size_of_plane[] = {"EQUIVALENT_DIAMETER", "BOX_AREA", "EXTENT", NULL};
static const char *const size_of_stack[] = {"EQUIVALENT_DIAMETER", "BOX_VOLUME", "EXTENT", NULL};

/* ---- on the host, for devices without double precision */

enum { COUNT = STATISTICS_COUNT, LOW = STATISTICS_LOW, HIGH = STATISTICS_HIGH, SUM = STATISTICS_SUM };

#include "../../../kernels/labels/shape_axes.cl"
#include "../../../kernels/labels/shape_cells.cl"
#include "../../../kernels/labels/shape_moments.cl"

/* Rows of a table on the device, copied to the host. */
static const uint32_t *copy_rows(drua_plan *p, drua_view rows, uint64_t words)
{
    uint32_t *copy = plan_host_memory(p, words * sizeof *copy);
    plan_read(p, rows, copy, words * sizeof *copy);
    return copy;
}

/* Fills one label's columns. */
typedef void fill_label(const shape_facts *facts, double *cell);

static void fill_on_host(drua_plan *p, const measure_part *part, drua_view configurations, int words, fill_label *fill,
                         int width, bool has_count)
{
    const uint32_t *rows = copy_rows(p, part->table.rows, (uint64_t)part->count * STATISTICS_ROW),
                   *powers = copy_rows(p, part->powers, (uint64_t)part->count * MEASURE_POWER_WORDS),
                   *found = words ? copy_rows(p, configurations, (uint64_t)part->count * (uint64_t)words) : NULL;
    for (size_t i = 0; i < part->count && !plan_failed(p); i++) {
        double *cell = part->host_cells + i * (size_t)part->columns + part->column;
        const shape_facts facts = {rows + i * STATISTICS_ROW,
                                   powers + i * MEASURE_POWER_WORDS,
                                   words ? found + i * (size_t)words : NULL,
                                   part->host_features,
                                   part->host_constants,
                                   part->flat};
        if (pixels_of(facts.row) > 0) {
            fill(&facts, cell);
            continue;
        }
        for (int column = 0; column < width; column++)
            cell[column] = has_count && column == 0 ? 0 : NAN;
    }
}

static void fill_shape_cell(const shape_facts *facts, double *cell)
{
    if (facts->flat)
        fill_plane(facts, cell);
    else
        fill_solid(facts, cell);
}

/* ---- from integers that blocks have added up */

static void put_counter(uint64_t number, uint32_t *words)
{
    words[0] = (uint32_t)number;
    words[1] = (uint32_t)(number >> 32);
}

static void put_sum(const uint64_t sum[2], uint32_t *words)
{
    put_counter(sum[0], words);
    put_counter(sum[1], words + 2);
}

/* Converts the integers to the rows that devices compute; sums of positions there count from the image's corner. */
static void put_rows(const drua_label_shape *shape, uint32_t row[STATISTICS_ROW], uint32_t powers[MEASURE_POWER_WORDS])
{
    memset(row, 0, STATISTICS_ROW * sizeof *row);
    put_counter(shape->pixels, row + COUNT);
    for (int axis = 0; axis < 3; axis++) {
        row[LOW + axis] = ~shape->low[axis];
        row[HIGH + axis] = shape->high[axis];
        const uint64_t all =
            shape->positions[axis][0] + (shape->positions[axis][1] << 32) + shape->pixels * shape->low[axis];
        put_sum((const uint64_t[]){(uint32_t)all, all >> 32}, row + SUM + 4 * axis);
    }
    for (int i = 0; i < MEASURE_POWER_WORDS / 4; i++)
        put_sum(shape->powers[i], powers + 4 * i);
}

static size_t count_headings(const char *const *headings)
{
    size_t count = 0;
    while (headings[count])
        count++;
    return count;
}

void measure_shape_row(const drua_label_columns *columns, const drua_label_shape *shape, double *cells)
{
    uint32_t row[STATISTICS_ROW], powers[MEASURE_POWER_WORDS];
    const shape_facts facts = {row,          powers, shape->configurations, columns->features, columns->constants,
                               columns->flat};
    if (shape->pixels == 0) {
        for (int i = 0; i < columns->count; i++)
            cells[i] = columns->groups & MEASURE_SHAPE && i == 0 ? 0 : (double)NAN;
        return;
    }
    put_rows(shape, row, powers);
    if (columns->groups & MEASURE_SHAPE) {
        fill_shape_cell(&facts, cells);
        cells += count_headings(columns->flat ? of_plane : of_stack);
    }
    if (columns->groups & MEASURE_MOMENTS) {
        fill_moments(&facts, cells);
        cells += count_headings(columns->flat ? moments_of_plane : moments_of_stack);
    }
    if (columns->groups & MEASURE_RAW_MOMENTS) {
        fill_raw_moments(&facts, cells);
        cells += count_headings(columns->flat ? raw_of_plane : raw_of_stack);
    }
    if (columns->groups & MEASURE_SIZE)
        fill_size(&facts, cells);
}

/* ---- on the device */

void measure_send_constants(drua_plan *p, measure_part *part)
{
    const drua_shape bytes = {MEASURE_CONFIGURATIONS * MEASURE_FEATURES, 1, 1, 2};
    double *constants = plan_host_memory(p, MEASURE_CONSTANTS * sizeof *constants);
    signed char *features = plan_host_memory(p, MEASURE_CONFIGURATIONS * MEASURE_FEATURES);
    part->features = plan_scratch(p, bytes, DRUA_INT8);
    part->constants = plan_scratch_bytes(p, MEASURE_CONSTANTS * sizeof *constants);
    if (plan_failed(p))
        return;
    measure_features(part->flat, features);
    measure_weights(part->flat, part->size, constants);
    plan_write(p, part->features, features);
    plan_write(p, part->constants, constants);
    part->host_constants = constants;
    part->host_features = features;
}

static void fill_shape(drua_plan *p, const measure_part *part, int width)
{
    enum { ROWS = 32 };
    const drua_layout l = part->labels.layout;
    const int words = part->flat ? 16 : MEASURE_CONFIGURATIONS;
    const drua_view configurations = plan_scratch_bytes(p, (uint64_t)part->count * (uint64_t)words * 4);
    plan_clear(p, configurations);
    LAUNCH(p, "count_configurations",
           GRID((int64_t)l.width + 1, ((int64_t)l.height + ROWS) / ROWS, (int64_t)l.depth + !part->flat, 64, 1, 1),
           ARG(part->labels), INT(part->first), INT(part->first + (part->count - 1)), INT(ROWS),
           POINTER(configurations));
    if (part->cells.buffer)
        LAUNCH(p, "shape_columns", LINE(part->count, 64), POINTER(part->table.rows), POINTER(part->powers),
               POINTER(configurations), POINTER(part->features), POINTER(part->constants), INT(part->flat),
               INT(part->count), POINTER(part->cells), INT(part->columns), INT(part->column), INT(width));
    else
        fill_on_host(p, part, configurations, words, fill_shape_cell, width, true);
    plan_free_scratch(p, configurations);
}

static void fill_moment_kind(drua_plan *p, const measure_part *part, int kind, int width)
{
    static fill_label *const fill[] = {fill_moments, fill_raw_moments, fill_size};
    if (part->cells.buffer)
        LAUNCH(p, "moment_columns", LINE(part->count, 64), POINTER(part->table.rows), POINTER(part->powers),
               POINTER(part->constants), INT(part->flat), INT(kind), INT(part->count), POINTER(part->cells),
               INT(part->columns), INT(part->column), INT(width));
    else
        fill_on_host(p, part, part->powers, 0, fill[kind], width, false);
}

static void fill_moment_columns(drua_plan *p, const measure_part *part, int width)
{
    fill_moment_kind(p, part, CENTRAL_COLUMNS, width);
}

static void fill_raw_moment_columns(drua_plan *p, const measure_part *part, int width)
{
    fill_moment_kind(p, part, RAW_COLUMNS, width);
}

static void fill_size_columns(drua_plan *p, const measure_part *part, int width)
{
    fill_moment_kind(p, part, SIZE_COLUMNS, width);
}

const measure_group measure_shape = {.name = "shape", .headings = {of_plane, of_stack}, .fill = fill_shape};
const measure_group measure_moments = {
    .name = "moments", .headings = {moments_of_plane, moments_of_stack}, .fill = fill_moment_columns};
const measure_group measure_raw_moments = {
    .name = "raw_moments", .headings = {raw_of_plane, raw_of_stack}, .fill = fill_raw_moment_columns};
const measure_group measure_size = {
    .name = "size", .headings = {size_of_plane, size_of_stack}, .fill = fill_size_columns};
