/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of measure_labels, for its tests. */
#ifndef DRUA_TESTS_MEASURED_H
#define DRUA_TESTS_MEASURED_H

#include "harness.h"

/** The table of a label map, which is also its intensity. Freed by drua_table_free. */
drua_table *measured_table(drua_context *context, const reference_image *labels, const char *options);

/** The table of a label map and an intensity image. Freed by drua_table_free. */
drua_table *measured_table_of(drua_context *context, const reference_image *intensity, const reference_image *labels,
                              const char *options);

/** A number of a label's row. A missing column fails the test. */
double measured_cell(const drua_table *table, int label, const char *heading);

/** Fails the test unless the number is expected; NaN equals NaN. */
void measured_check(const drua_table *table, int label, const char *heading, double expected, double tolerance);

/** Fails the test unless a label's row says that the label has no pixels. */
void measured_absent(const drua_table *table, int label);

/** Number of pixels of a label. */
int64_t measured_count(const reference_image *labels, int label);

/**
 * A map of labels 1 to `count` without label 2, which are blobs that overwrite each other, with grains of noise. The
 * caller frees it.
 */
reference_image measured_labels(harness_random *chance, drua_shape shape, drua_type type, int count);

/** Tests random labels of this shape with an intensity image of this type. */
typedef void (*measured_test)(drua_context *context, harness_random *chance, drua_shape shape, drua_type type);

/** Calls `test` for planes and stacks, each with another type. `turn` is the number of the loop test. */
void measured_test_shapes(int turn, uint64_t seed, measured_test test);

#endif
