/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file of rows shares with the others: a row is an operation, the contents of its inputs, and a call of the
 * reference. */
#ifndef DRUA_TESTS_ROWS_H
#define DRUA_TESTS_ROWS_H

#include "calls.h"

#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IN(i) (&c->before[c->inputs[i]])
#define OUT(i) (&c->expected[c->outputs[i]])
#define S(i) (c->numbers[c->scalars[i]])
#define N(i) ((int64_t)c->numbers[c->scalars[i]])
#define TEXT_OF(name) (c->texts[drua_find_param(c->op, name)])
#define RESULT(value) (c->values[c->value_count++] = (value))
#define IS_FLAT (IN(0)->shape.dimension == 2)

/* An operation, the contents of its inputs, and the function that makes what is right. */
#define ROW(name, contents, reference) {#name, contents, reference, NULL}

extern const call_row rows_image[], rows_filter[], rows_measure[], rows_labels[], rows_graph[], rows_maps[],
    rows_composed[], rows_steps[], rows_maxima[], rows_elsewhere[];

/** One of reference_pointwise, with the call's images and scalars. */
void row_pointwise(call *c, const char *name);

/** A new image of that extent. The caller frees. */
reference_image row_like(const reference_image *image, drua_type type);

/** Labels whose centroids lie so far apart; the n nearest of each. The caller, or what takes the graph, frees it. */
reference_graph row_graph_of_proximal(const reference_image *labels, double low, double high);
reference_graph row_graph_of_nearest(const reference_image *labels, int64_t n);

/** A value for each label and the background. The caller frees. */
reference_image row_vector_of(const reference_image *labels);

/** A copy whose pixels are float32. The caller frees. */
reference_image row_float(const reference_image *image);

#endif
