/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers for the files of rows. A row consists of an operation, the contents of its inputs, and a function that
 * computes the expected result.
 */
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

/* An operation, the contents of its inputs, and the function that computes the expected result. */
#define ROW(name, contents, reference) {#name, contents, reference, NULL}

extern const call_row rows_image[], rows_filter[], rows_measure[], rows_labels[], rows_graph[], rows_maps[],
    rows_composed[], rows_steps[], rows_maxima[], rows_geodesic[], rows_elsewhere[];

/** Calls reference_pointwise with the call's images and scalars. */
void row_pointwise(call *c, const char *name);

/** A new image of the same extent. The caller frees it. */
reference_image row_like(const reference_image *image, drua_type type);

/**
 * The graph of labels whose centroids lie within a range of distances, and the graph of each label's n nearest labels.
 * The caller frees the graph, or passes it to a function that does.
 */
reference_graph row_graph_of_proximal(const reference_image *labels, double low, double high);
reference_graph row_graph_of_nearest(const reference_image *labels, int64_t n);

/** A vector with one value per label and for the background. The caller frees it. */
reference_image row_vector_of(const reference_image *labels);

/** A float32 copy. The caller frees it. */
reference_image row_float(const reference_image *image);

#endif
