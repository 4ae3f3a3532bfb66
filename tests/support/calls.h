/* SPDX-License-Identifier: BSD-3-Clause */
/* One random call of an operation, with the results that the reference expects. */
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
     * A letter for the contents of each image input; the last letter repeats. Letters: g grey, b binary, l labels, p
     * spots, s grey with NaN and infinity, c three slices, f small shifts, P float32 above 0, B one bead, D the drift
     * of each slice, M the transform of each slice, W a deformation, E grey of an even width, T twelve slices, N nine
     * numbers, A nine numbers in which the diagonal outweighs the rest, F a forest of two trees, k a list of tracks, Z
     * nine rows of 0, q points, w points with values, i numbers of points, m touch matrix, d distance matrix, v a grey
     * value and L a label for each point, U a grey value (or NaN) and V a flag for each label.
     *
     * CALL_MARKS may precede the letters. These marks choose the images: '=' no destinations of other sizes, '^' only
     * destinations of the natural extent, '!' only new destinations, '+' no inputs that are 0 everywhere. These marks
     * describe the result: '~' float32 sums whose bits are the same on every device but differ from the reference's,
     * '2' the difference of two integers that may each be off by one, '/' a quotient of small differences, '*'
     * differences times the last number, '%' exp(-d^2 / n) of a difference d and the last number n.
     */
    const char *contents;
    void (*reference)(call *c);         /**< NULL: `note` names the test that covers the operation */
    const char *note;
} call_row;

struct call {
    const drua_op *op;
    const call_row *row;                /**< NULL: a pointwise operation, which the reference knows by its name */
    reference_image before[CALL_PARAMS];        /**< by parameter: image inputs, and outputs that exist before the
                                                     call */
    reference_image expected[CALL_PARAMS];      /**< by parameter: image outputs, filled by the reference */
    double numbers[CALL_PARAMS];        /**< by parameter */
    const char *texts[CALL_PARAMS];     /**< by parameter */
    double *array;                      /**< one number per pixel of the output */
    size_t length;
    int inputs[CALL_PARAMS], outputs[CALL_PARAMS], scalars[CALL_PARAMS], input_count, output_count, scalar_count;
    double values[CALL_VALUES];         /**< expected numbers, in the order of the number outputs */
    int value_count;
    double *table;                      /**< expected numbers, row after row */
    size_t rows, columns;
};

/** The row of an operation, or NULL if the operation has no row. Pointwise operations need none. */
const call_row *call_row_of(const drua_op *op);

/** Whether the reference knows the operation. If not, `note` says why; NULL means that the operation has no row. */
bool call_is_known(const drua_op *op, const char **note);

/**
 * A call with random images of that shape and type (further inputs: any type) and random arguments. Free it with
 * call_free.
 */
call call_make(harness_random *random, const drua_op *op, drua_shape shape, drua_type type);
void call_free(call *c);

/** Fills the call's array with numbers for `count` pixels. Does nothing if the operation takes no array. */
void call_fill_array(call *c, harness_random *random, size_t count);

/** Whether the operation's row has the mark =, ^, !, 2 or /. */
bool call_keeps_extent(const drua_op *op);
bool call_needs_natural(const drua_op *op);
bool call_makes_images(const drua_op *op);
bool call_is_two_apart(const drua_op *op);
bool call_divides_differences(const drua_op *op);
double call_magnifies(const call *c, double scale);
bool call_is_rounded(const drua_op *op);

/** Computes the expected outputs and values. The expected images already have their extent and type. */
void call_reference(call *c);

/**
 * Whether output i (a parameter's number) agrees with the reference within the operation's tolerance; if not, `message`
 * describes the difference. Clips expected values to the range of float32, and compares as float32 if an intermediate
 * result was rounded.
 */
bool call_output_agrees(call *c, int i, reference_image *pulled, char *message, size_t size);

/** Fills in the arguments of drua_invoke and returns their number. `handles` has an image per parameter (0: none). */
size_t call_arguments(const call *c, const drua_image *handles, drua_argument *arguments);

/**
 * Invokes the operation on `handles` (an image per parameter) and pulls its image outputs into `results`, in order.
 * Returns false if the operation refuses the call.
 */
bool call_run(const call *c, drua_context *context, const drua_image *handles, reference_image *results);

/** The call as "op(images; numbers; texts)" for messages, in a static buffer. */
const char *call_text(const call *c);

#endif
