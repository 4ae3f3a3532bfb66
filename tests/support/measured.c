/* SPDX-License-Identifier: BSD-3-Clause */
#include "measured.h"

#include <math.h>
#include <string.h>

drua_table *measured_table_of(drua_context *context, const reference_image *intensity, const reference_image *labels,
                              const char *options)
{
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(harness_push(context, intensity)), IMAGE(harness_push(context, labels)),
                                 NAME(options)};
    REQUIRE(drua_invoke(context, "measure_labels", arguments, 3, &table));
    REQUIRE(drua_clear(context));
    return table;
}

drua_table *measured_table(drua_context *context, const reference_image *labels, const char *options)
{
    return measured_table_of(context, labels, labels, options);
}

double measured_cell(const drua_table *table, int label, const char *heading)
{
    for (size_t i = 0; i < table->columns; i++)
        if (!strcmp(table->headings[i], heading))
            return table->cells[(size_t)(label - 1) * table->columns + i];
    ck_abort_msg("no column %s", heading);
    return NAN;
}

void measured_check(const drua_table *table, int label, const char *heading, double expected, double tolerance)
{
    const double got = measured_cell(table, label, heading);
    if (isnan(expected) && isnan(got))
        return;
    ck_assert_msg(fabs(got - expected) <= tolerance, "%s of label %d: expected %.12g, got %.12g", heading, label,
                  expected, got);
}

reference_image measured_labels(harness_random *chance, drua_shape shape, drua_type type, int count)
{
    reference_image image = reference_make(type, shape);
    for (int label = 1; label <= count; label++) {
        const int64_t x0 = harness_below(chance, (int)shape.width), y0 = harness_below(chance, (int)shape.height),
                      z0 = harness_below(chance, (int)shape.depth);
        const int radius = harness_below(chance, 7);
        REFERENCE_EACH_PIXEL (shape, x, y, z)
            if (label != 2 && (x - x0) * (x - x0) + 2 * (y - y0) * (y - y0) + (z - z0) * (z - z0) <= radius * radius &&
                harness_below(chance, 9))
                reference_put(&image, x, y, z, label);
    }
    return image;
}

int64_t measured_count(const reference_image *labels, int label)
{
    int64_t count = 0;
    REFERENCE_EACH_PIXEL (labels->shape, x, y, z)
        count += (int)reference_at(labels, x, y, z) == label;
    return count;
}

void measured_absent(const drua_table *table, int label)
{
    const double *row = table->cells + (size_t)(label - 1) * table->columns;
    ck_assert_double_eq(row[0], label);
    ck_assert_double_eq(row[1], 0);
    for (size_t i = 2; i < table->columns; i++)
        ck_assert_msg(isnan(row[i]), "%s of absent label %d is %g", table->headings[i], label, row[i]);
}

void measured_test_shapes(int turn, uint64_t seed, measured_test test)
{
    enum { TYPES = 7 };
    static const drua_shape shapes[] = {{23, 19, 1, 2}, {64, 33, 1, 2}, {9, 1, 1, 2}, {13, 11, 9, 3}, {5, 6, 2, 3}};
    drua_context *context = harness_open();
    harness_random chance = {(uint64_t)turn + seed};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        test(context, &chance, shapes[i], harness_types[(i + (size_t)turn) % TYPES]);
    drua_close(context);
}
