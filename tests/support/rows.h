/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file of rows shares with the others: a row is an operation, the contents of its inputs, and a call of the reference. */
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

/* ROWS(X) of a file lists X(operation, contents, statements). */
#define ROW_FUNCTION(name, contents, statements) \
    static void run_##name(call *c)              \
    {                                            \
        statements;                              \
    }
#define ROW_LINE(name, contents, statements) {#name, contents, run_##name, NULL},
#define DEFINE_ROWS(family) \
    ROWS(ROW_FUNCTION)      \
    const call_row rows_##family[] = {ROWS(ROW_LINE){NULL, NULL, NULL, NULL}};

extern const call_row rows_image[], rows_filter[], rows_measure[], rows_labels[], rows_graph[], rows_composed[], rows_steps[], rows_maxima[],
    rows_elsewhere[];

/** One of reference_pointwise, with the call's images and scalars. */
void row_pointwise(call *c, const char *name);

/** A new image of that extent. The caller frees. */
reference_image row_like(const reference_image *image, drua_type type);

/** A copy whose pixels are float32. The caller frees. */
reference_image row_float(const reference_image *image);

#endif
