/* SPDX-License-Identifier: BSD-3-Clause */
/* One random call of an operation, with what the reference says of it. */
#ifndef DRUA_TESTS_CALLS_H
#define DRUA_TESTS_CALLS_H

#include "harness.h"

#include "op.h"

enum { CALL_PARAMS = 32, CALL_VALUES = 8 };

#define CALL_MARKS "=^!+~2/*%"

typedef struct call call;

typedef struct call_row {
    const char *op;
    /**
     * Of the image inputs, the last one repeats: g grey, b binary, l labels, p spots, s grey with NaN and infinity, c
     * three slices, f small shifts, P float32 above 0, B one bead, D the drift of each slice, E grey of an even width,
     * T twelve slices, N nine numbers, A nine of which the diagonal outweighs the rest, F a forest of two trees, q
     * points, w points with values, i numbers of points, m touch matrix, d distance matrix, v a grey and L a label for
     * each point, U a grey (with NaN) and V a flag for each label. Before them CALL_MARKS:
     * '=' destinations of other sizes are not tried, '^' of the natural extent only, '!' new destinations only, '+'
     * inputs are not 0 everywhere, '~' sums in float32, the same bits everywhere but not those of the reference, '2'
     * the difference of two integers that may be one off each, '/' a quotient of small differences, '*' differences
     * times the last number, '%' e to minus the square of a difference over the last number.
     */
    const char *contents;
    void (*reference)(call *c);         /**< NULL: `note` says where it is tested instead */
    const char *note;
} call_row;

struct call {
    const drua_op *op;
    const call_row *row;                /**< NULL: pointwise, by its own name */
    reference_image before[CALL_PARAMS];        /**< by parameter: image inputs, and outputs that exist */
    reference_image expected[CALL_PARAMS];      /**< by parameter: image outputs; the reference fills them */
    double numbers[CALL_PARAMS];        /**< by parameter */
    const char *texts[CALL_PARAMS];     /**< by parameter */
    double *array;                      /**< one number for each pixel of the output */
    size_t length;
    int inputs[CALL_PARAMS], outputs[CALL_PARAMS], scalars[CALL_PARAMS], input_count, output_count, scalar_count;
    double values[CALL_VALUES];         /**< expected numbers, in the order of the number outputs */
    int value_count;
    double *table;                      /**< expected numbers, row after row */
    size_t rows, columns;
};

/** The row of an operation, or NULL if nothing says how it is tested. Pointwise operations need none. */
const call_row *call_row_of(const drua_op *op);

/** Whether the reference knows the operation; else why not, in `note`. An operation without a word on it gives NULL. */
bool call_is_known(const drua_op *op, const char **note);

/** Random images of that shape and type (further inputs: any type) and random arguments. Freed by call_free. */
call call_make(harness_random *random, const drua_op *op, drua_shape shape, drua_type type);
void call_free(call *c);

/** Numbers for an array that fills so many pixels; for operations without an array nothing happens. */
void call_fill_array(call *c, harness_random *random, size_t count);

/** What the row says before the contents. */
bool call_keeps_extent(const drua_op *op);
bool call_needs_natural(const drua_op *op);
bool call_makes_images(const drua_op *op);
bool call_is_two_apart(const drua_op *op);
bool call_divides_differences(const drua_op *op);
double call_magnifies(const call *c, double scale);
bool call_is_rounded(const drua_op *op);

/** Fills expected outputs and values; expected images have their extent and type already. */
void call_reference(call *c);

/**
 * Whether an output, by parameter, is what the reference expects, as closely as the operation promises; else what
 * differs. Clips what is expected to numbers that float32 holds, and compares as float32 what was rounded on the way.
 */
bool call_output_agrees(call *c, int i, reference_image *pulled, char *message, size_t size);

/** Arguments of drua_invoke; images come from `handles` by parameter (0: none). Returns their number. */
size_t call_arguments(const call *c, const drua_image *handles, drua_argument *arguments);

/** Calls it with images `handles` by parameter and pulls its image outputs into `results`, one after another; false if
 * it is refused. */
bool call_run(const call *c, drua_context *context, const drua_image *handles, reference_image *results);

/** "op(images; numbers; texts)" for messages. Static. */
const char *call_text(const call *c);

#endif
