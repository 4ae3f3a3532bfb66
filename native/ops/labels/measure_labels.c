/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure_choice.h"

#include <stdio.h>
#include <string.h>

/* Columns of the group shape, of planes and of stacks. */
enum { PERIMETER = 8, EULER_NUMBER_8 = 11, SURFACE_AREA = 11, EULER_NUMBER_26 = 16 };

static void number_labels(drua_plan *p, const measure_part *part)
{
    if (part->cells.buffer)
        LAUNCH(p, "number_rows", LINE(part->count, 64), POINTER(part->cells), INT(part->columns), INT(part->first),
               INT(part->count));
    for (size_t i = 0; !part->cells.buffer && i < part->count; i++)
        part->host_cells[i * (size_t)part->columns] = (double)part->first + (double)i;
}

/* Computes the sums of powers of positions. Only moments need the sums of order 3. */
static void sum_powers(drua_plan *p, measure_part *part, bool third)
{
    part->powers = plan_scratch_bytes(p, (uint64_t)part->count * MEASURE_POWER_WORDS * 4);
    plan_clear(p, part->powers);
    statistics_powers(p, &part->table, third, part->powers);
}

/* Finds the largest inscribed circles or balls, which several groups need. */
static void find_inscribed(drua_plan *p, measure_part *part, const measure_choice *c)
{
    const bool centres = c->group[INSCRIBED] || c->group[GEODESIC];
    part->longest = part->centres = (drua_view){0};
    if (centres || c->group[RADIAL]) {
        part->longest = plan_scratch_bytes(p, part->count * 4ull);
        measure_longest(p, part, part->squares, part->longest);
    }
    if (centres) {
        part->centres = plan_scratch_bytes(p, part->count * 4ull);
        measure_first(p, part, part->squares, part->longest, c->group[INSCRIBED] ? "inscribed" : "geodesic",
                      part->centres);
    }
}

static void measure_part_of_labels(drua_plan *p, measure_part *part, const measure_choice *c)
{
    const uint32_t last = part->first + (part->count - 1);
    part->table = c->group[INTENSITY] || c->group[PERCENTILES]
                      ? statistics_extents(p, part->labels, part->intensity, part->first, last, EXTENTS_ALL)
                      : statistics_extents(p, part->labels, part->labels, part->first, last, EXTENTS_POSITIONS);
    sum_powers(p, part, c->group[MOMENTS] || c->group[RAW_MOMENTS]);
    number_labels(p, part);
    find_inscribed(p, part, c);
    for (int i = 0; i < GROUPS; i++) {
        part->column = c->column[i];
        if (c->group[i] && c->width[i])
            measure_groups[i]->fill(p, part, c->width[i]);
    }
    if (part->centres.buffer)
        plan_free_scratch(p, part->centres);
    if (part->longest.buffer)
        plan_free_scratch(p, part->longest);
    plan_free_scratch(p, part->powers);
    statistics_drop(p, &part->table);
}

/* Returns how many labels fit a quarter of the free memory at once. */
static uint32_t labels_at_once(drua_plan *p, uint32_t count, int columns)
{
    enum { SHARE = 4, WORDS = STATISTICS_ROW + MEASURE_POWER_WORDS + MEASURE_CONFIGURATIONS };
    const uint64_t max = plan_memory_left(p) / SHARE / (4 * WORDS + 8 * (uint64_t)columns);
    return (uint32_t)(count < max ? count : max > 0 ? max : 1);
}

/* Finds the labels, their number and the size of voxels. */
static measure_part prepare_part(drua_plan *p)
{
    plan_check_same_extent(p, "intensity", "labels");
    measure_part part = {.labels = plan_image(p, "labels"), .intensity = plan_image(p, "intensity")};
    part.largest = (uint32_t)plan_largest_label(p, "labels");
    part.flat = part.labels.layout.depth == 1;
    if (!measure_voxels(p, "labels", part.size))
        measure_voxels(p, "intensity", part.size);
    return part;
}

/* Fills the rows of all labels. */
static void measure_all(drua_plan *p, measure_part *part, const measure_choice *c, double *cells)
{
    const bool doubles = strstr(plan_device(p)->extensions, "cl_khr_fp64") != NULL;
    measure_send_constants(p, part);
    if (c->distances && part->largest > 0)
        part->squares = measure_distances(p, part);
    const uint32_t at_once = labels_at_once(p, part->largest, c->columns);
    part->columns = c->columns;
    part->perimeter = c->column[SHAPE] + (part->flat ? PERIMETER : SURFACE_AREA);
    part->euler = c->column[SHAPE] + (part->flat ? EULER_NUMBER_8 : EULER_NUMBER_26);
    part->hull = c->column[HULL];
    part->hull_width = c->width[HULL];
    part->feret = c->column[FERET];
    part->feret_width = c->width[FERET];
    for (int64_t done = 0; done < part->largest && !plan_failed(p); done += at_once) {
        part->first = (uint32_t)done + 1;
        part->count = (uint32_t)(part->largest - done < at_once ? part->largest - done : at_once);
        const size_t numbers = (size_t)part->count * (size_t)c->columns;
        part->host_cells = cells + (size_t)done * (size_t)c->columns;
        part->cells = doubles ? plan_scratch_bytes(p, numbers * sizeof(double)) : (drua_view){0};
        measure_part_of_labels(p, part, c);
        if (doubles) {
            plan_read(p, part->cells, part->host_cells, numbers * sizeof(double));
            plan_free_scratch(p, part->cells);
        }
    }
}

static void launch_measure(drua_plan *p)
{
    measure_part part = prepare_part(p);
    measure_choice *c = plan_host_memory(p, sizeof *c);
    if (plan_failed(p))
        return;
    measure_choose_groups(p, part.flat, c);
    measure_all(p, &part, c, plan_new_table(p, c->headings, (size_t)c->columns, part.largest));
}

/* Chooses the columns of a table whose integers blocks add up. */
static void choose_shape_columns(drua_plan *p, drua_label_columns *columns)
{
    measure_choice *c = plan_host_memory(p, sizeof *c);
    columns->flat = plan_shape(p, "labels").depth == 1;
    if (plan_failed(p))
        return;
    measure_choose_groups(p, columns->flat, c);
    for (int i = 0; i < GROUPS && !plan_failed(p); i++)
        if (c->group[i] && i != SHAPE && i != MOMENTS && i != RAW_MOMENTS && i != SIZE)
            plan_fail(
                p,
                "options asks for the columns of %s, which need all pixels of a label at once; block by block, only "
                "shape, size, moments and raw_moments can be measured, so write only these words, or crop the image",
                measure_groups[i]->name);
    if (plan_failed(p))
        return;
    double size[3];
    columns->groups = (c->group[SHAPE] ? MEASURE_SHAPE : 0) | (c->group[MOMENTS] ? MEASURE_MOMENTS : 0) |
                      (c->group[RAW_MOMENTS] ? MEASURE_RAW_MOMENTS : 0) | (c->group[SIZE] ? MEASURE_SIZE : 0);
    columns->count = c->columns - 1;
    if (!measure_voxels(p, "labels", size))
        measure_voxels(p, "intensity", size);
    measure_features(columns->flat, columns->features);
    measure_weights(columns->flat, size, columns->constants);
    size_t used = 0;
    for (int i = 0; i < c->columns && used < sizeof columns->headings; i++)
        used += (size_t)snprintf(columns->headings + used, sizeof columns->headings - used, "%s%s", i ? "," : "",
                                 c->headings[i]);
    if (used >= sizeof columns->headings)
        plan_fail(p, "prefix in options makes all headings together longer than %zu characters; shorten it",
                  sizeof columns->headings - 1);
}

/* Paints each label with its number in one column; the background gets 0. */
static void launch_map(drua_plan *p)
{
    measure_part part = prepare_part(p);
    measure_choice *c = plan_host_memory(p, sizeof *c);
    if (plan_failed(p))
        return;
    const int column = measure_choose_column(p, part.flat, plan_text(p, "column"), c);
    const size_t columns = (size_t)c->columns, rows = part.largest;
    double *cells = plan_host_memory(p, (rows * columns + 1) * sizeof *cells);
    float *numbers = plan_host_memory(p, (rows + 1) * sizeof *numbers);
    measure_all(p, &part, c, cells);
    const drua_view values = plan_scratch(p, (drua_shape){(int64_t)rows + 1, 1, 1, 2}, DRUA_FLOAT32);
    if (plan_failed(p))
        return;
    for (size_t row = 0; row < rows; row++)
        numbers[row + 1] = (float)cells[row * columns + (size_t)column];
    plan_write(p, values, numbers);
    labels_replace(p, part.labels, values, plan_image(p, "destination"));
}

#define INTENSITY_AND_LABELS                                                                                           \
    DRUA_IMAGE_IN("intensity", "image whose intensities are measured; of the same size as the labels"),                \
        DRUA_IMAGE_IN("labels", "label map that says which pixels belong together")

#define DETAILS                                                                                                        \
    DRUA_TEXT("percentiles", "percentiles of the intensity to measure, such as 10,50,90: numbers from 0 to 100",       \
              .default_text = "", .group = "Details"),                                                                 \
        DRUA_INTEGER("grey_levels", "texture: number of grey levels", DRUA_RANGE(2, 128), .default_value = 16),        \
        {.name = "grey_range",                                                                                         \
         .doc = "texture: intensities of the lowest and highest level; 0,0: the smallest and largest in all labels",   \
         .kind = DRUA_KIND_ARRAY_IN,                                                                                   \
         .default_text = "0,0",                                                                                        \
         DRUA_RANGE(-3e38, 3e38)},                                                                                     \
        DRUA_INTEGER("shells", "radial: number of shells", DRUA_RANGE(2, 16), .default_value = 4),                     \
        DRUA_INTEGER("rim_width", "rim: width of the rim and of the ring around it", .unit = "pixel",                  \
                     DRUA_RANGE(1, 100), .default_value = 2),                                                          \
        DRUA_CHOICE("geodesic_steps",                                                                                  \
                    "geodesic: steps have their true lengths, or lengths of 3/3, 4/3 and 5/3 "                         \
                    "pixels",                                                                                          \
                    DRUA_CHOICES("quasi-euclidean", "borgefors"))

#define SOURCE                                                                                                         \
    "Crofton's formula, Euler numbers and inertia ellipsoids as in MorphoLibJ; docs/shape.md has the formulas"

DRUA_OP(measure_labels) = {
    .name = "measure_labels",
    .category = "measurement",
    .menu = true,
    .summary = "Measures the shape of every label, with lengths in the image's unit; one table row each.",
    .source = SOURCE,
    DRUA_PARAMS(
        INTENSITY_AND_LABELS,
        {.name = "options",
         .doc = "groups of columns and settings, such as \"shape moments units=pixels\"",
         .kind = DRUA_KIND_OPTIONS,
         .default_text = "",
         .example_text = "shape",
         DRUA_SETTINGS(
             DRUA_BOOLEAN("all", "all groups of columns", .group = "Columns"),
             DRUA_BOOLEAN("shape", "size, place, outline, Euler number and ellipse; also if no group is named"),
             DRUA_BOOLEAN("moments", "central moments to order 3, and Hu's invariants of planes"),
             DRUA_BOOLEAN("hull", "convex hull: area or volume, perimeter or surface, solidity, convexity; adds shape"),
             DRUA_BOOLEAN("feret", "largest distance between two corners; of planes also the smallest width"),
             DRUA_BOOLEAN("inscribed", "largest circle or ball inside the label: centre and radius"),
             DRUA_BOOLEAN("intensity", "mean, deviation, quartiles, mode and more of the intensity image"),
             DRUA_BOOLEAN("neighbors", "number of touching labels, and the share of the outline that they touch"),
             DRUA_BOOLEAN("texture", "13 features of the grey-level co-occurrence matrix (Haralick)"),
             DRUA_BOOLEAN("radial", "share and mean of the intensity in shells by distance to the rim"),
             DRUA_BOOLEAN("rim", "mean intensity of each label's rim, and of the background around it"),
             DRUA_BOOLEAN("skeleton", "length, branch points and ends of each label's skeleton"),
             DRUA_BOOLEAN("geodesic", "longest shortest path inside each label; adds feret"),
             DRUA_BOOLEAN("outline",
                          "pieces, holes, cavities, tunnels, size without holes, ImageJ's perimeter; adds shape"),
             DRUA_BOOLEAN("raw_moments", "moments to order 3 about the corner of the image"),
             DRUA_BOOLEAN("size", "diameter of a disc or ball of equal size, and the share of its box"), DETAILS,
             MEASURE_UNITS, MEASURE_UNIT_NAMES,
             DRUA_TEXT("prefix", "text before each column's name", .default_text = ""))},
        DRUA_TABLE_OUT("table", "one row for each label up to the largest; a label without pixels has NaN")),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_measure,
    .shape_columns = choose_shape_columns,
    .shape_row = measure_shape_row,
};

DRUA_OP(measure_labels_map) = {
    .name = "measure_labels_map",
    .category = "measurement",
    .menu = true,
    .summary = "Paints each label with its number in a column of measure_labels.",
    .source = SOURCE,
    DRUA_PARAMS(INTENSITY_AND_LABELS,
                DRUA_IMAGE_OUT("destination", "map of the column, 0 in the background", .type = DRUA_FLOAT32),
                DRUA_TEXT("column", "name of the column, such as ELONGATION", .default_text = "PIXEL_COUNT"),
                {.name = "options",
                 .doc = "settings such as \"units=pixels\"",
                 .kind = DRUA_KIND_OPTIONS,
                 .default_text = "",
                 DRUA_SETTINGS(DETAILS, MEASURE_UNITS)}),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_map,
};
