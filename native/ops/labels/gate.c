/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the labels whose point in a scatter plot of two measurements lies inside a polygon. */
#include "measure_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CORNERS = 1000 };

typedef struct gate {
    size_t count;
    double corners[MAX_CORNERS][2];
} gate;

/* ---- values of a column */

static void shape_of_values(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_largest_label(p, "labels") + 1, 1, 1, 3};
}

static void launch_column(drua_plan *p)
{
    const int column = *(const int *)plan_state(p);
    const drua_view values = plan_image(p, "values");
    const size_t labels = (size_t)values.layout.width - 1;
    double *cells = plan_host_memory(p, (labels + 1) * STATISTICS_COLUMNS * sizeof *cells);
    float *numbers = plan_host_memory(p, (labels + 1) * sizeof *numbers);
    if (plan_failed(p))
        return;
    statistics_measure(p, 1, (uint32_t)labels, cells);
    for (size_t i = 0; i < labels; i++)
        numbers[i + 1] = (float)cells[i * STATISTICS_COLUMNS + (size_t)column];
    plan_write(p, values, numbers);
}

static const drua_op column_of_statistics = {
    .name = "column_of_statistics",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image whose intensities are measured"), DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("values", "vector: one value for each label, the first for background",
                               .shape = shape_of_values, .type = DRUA_FLOAT32)),
    .numeric = DRUA_DEVICE,
    .launch = launch_column,
};

/* The values of all labels in the column that a parameter names. */
static drua_operand values_of(drua_plan *p, const char *parameter)
{
    drua_operand images[] = {plan_operand(p, "source"), plan_operand(p, "labels")};
    const char *name = plan_text(p, parameter);
    if (plan_choice(p, "table") == 1) {
        drua_operand map = CALL(p, "measure_labels_map", DRUA_FLOAT32, images[0], images[1], TEXT(name),
                                TEXT(plan_text(p, "options")));
        return CALL(p, "read_values_from_map", DRUA_FLOAT32, images[1], map);
    }
    int column = 0;
    while (column < STATISTICS_COLUMNS && name && strcmp(statistics_headings[column], name) != 0)
        column++;
    if (column == STATISTICS_COLUMNS)
        plan_fail(p, "%s must be a column of statistics_of_labelled_pixels, such as \"MEAN_INTENSITY\", got \"%s\"",
                  parameter, name);
    return plan_call_private(p, &column_of_statistics, &column, DRUA_FLOAT32, images, 2);
}

/* ---- the polygon */

static void read_gate(drua_plan *p, gate *g)
{
    const char *text = plan_text(p, "gate");
    for (const char *at = text; at && *(at += strspn(at, " \t\n")); g->count++) {
        char *comma = NULL, *end = NULL;
        const double x = strtod(at, &comma), y = *comma == ',' ? strtod(comma + 1, &end) : NAN;
        if (!isfinite(x) || !isfinite(y) || end == comma + 1 || (*end && !strchr(" \t\n", *end))) {
            plan_fail(p, "gate must have corners such as \"0,10 50,10 50,200\", got \"%s\"", text);
            return;
        }
        if (g->count == MAX_CORNERS) {
            plan_fail(p, "gate has more than %d corners; draw a simpler outline", MAX_CORNERS);
            return;
        }
        g->corners[g->count][0] = x;
        g->corners[g->count][1] = y;
        at = end;
    }
    if (g->count < 3)
        plan_fail(p, "gate must have at least 3 corners, got \"%s\"", text);
}

/*
 * Counts the sides that a line from the point to the right crosses. False for NaN. Computed from halves, because
 * differences of corners may overflow.
 */
static bool is_inside(const gate *g, double x, double y)
{
    bool inside = false;
    for (size_t i = 0, before = g->count - 1; i < g->count; before = i++) {
        const double *a = g->corners[i], *b = g->corners[before];
        if ((a[1] > y) != (b[1] > y) &&
            x / 2 < a[0] / 2 + (b[0] / 2 - a[0] / 2) * ((y / 2 - a[1] / 2) / (b[1] / 2 - a[1] / 2)))
            inside = !inside;
    }
    return inside;
}

static void launch_flags(drua_plan *p)
{
    const gate *g = plan_state(p);
    const drua_view x = plan_image(p, "x"), y = plan_image(p, "y"), flags = plan_image(p, "flags");
    const size_t count = (size_t)flags.layout.width;
    float *xs = plan_host_memory(p, count * sizeof *xs), *ys = plan_host_memory(p, count * sizeof *ys);
    unsigned char *outside = plan_host_memory(p, count);
    if (plan_failed(p))
        return;
    plan_read_floats(p, x, xs);
    plan_read_floats(p, y, ys);
    for (size_t i = 1; i < count; i++)
        outside[i] = !is_inside(g, xs[i], ys[i]);
    plan_write(p, flags, outside);
}

static const drua_op flags_of_gate = {
    .name = "flags_of_gate",
    DRUA_PARAMS(DRUA_IMAGE_IN("x", "vector"), DRUA_IMAGE_IN("y", "vector"),
                DRUA_IMAGE_OUT("flags", "1 for each label outside the gate", .type = DRUA_UINT8)),
    .numeric = DRUA_EXACT,
    .launch = launch_flags,
};

static void build_gate(drua_plan *p)
{
    gate *g = plan_host_memory(p, sizeof *g);
    if (plan_failed(p))
        return;
    read_gate(p, g);
    drua_operand values[] = {values_of(p, "x_column"), values_of(p, "y_column")},
                 flags = plan_call_private(p, &flags_of_gate, g, DRUA_UINT8, values, 2);
    plan_return(p, "destination",
                CALL(p, "exclude_labels", plan_type(p, "destination"), flags, plan_operand(p, "labels")));
}

static void shape_of_labels(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "labels");
}

static drua_type type_of_labels(drua_plan *p)
{
    return plan_type(p, "labels");
}

DRUA_OP(keep_labels_in_gate) = {
    .name = "keep_labels_in_gate",
    .category = "labels",
    .menu = true,
    .summary = "Keeps labels whose two measurements lie inside a polygon, and renumbers them in their order.",
    .source = "a point is inside if a line from it to the right crosses an odd number of the polygon's sides",
    DRUA_PARAMS(
        DRUA_IMAGE_IN("source", "image whose intensities are measured"), DRUA_IMAGE_IN("labels", "label map"),
        DRUA_LABELS_OUT("destination", "label map, renumbered", .shape = shape_of_labels, .type_rule = type_of_labels),
        DRUA_CHOICE("table", "operation that makes the table with both columns",
                    DRUA_CHOICES("statistics_of_labelled_pixels", "measure_labels")),
        DRUA_TEXT("x_column", "column of the first number of a corner", .default_text = "PIXEL_COUNT"),
        DRUA_TEXT("y_column", "column of the second number of a corner", .default_text = "MEAN_INTENSITY"),
        DRUA_TEXT("gate", "corners of the polygon in order, such as \"0,10 50,10 50,200\"",
                  .default_text = "0,0 1000000,0 1000000,65535 0,65535", .example_text = "0,0 400,0 400,255 0,255"),
        {.name = "options",
         .doc = "settings of measure_labels such as \"units=pixels\"",
         .kind = DRUA_KIND_OPTIONS,
         .default_text = "",
         DRUA_SETTINGS(MEASURE_UNITS)}),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_gate,
};
