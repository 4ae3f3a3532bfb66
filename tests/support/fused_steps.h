/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies pointwise operations in two contexts that behave as on GPUs: one runs each operation as its own kernel, the
 * other fuses operations into the kernels that use their results.
 */
#ifndef DRUA_TESTS_FUSED_STEPS_H
#define DRUA_TESTS_FUSED_STEPS_H

#include "sides.h"

enum { MAX_NUMBERS = 6, MAX_STEPS = 2 };

/*
 * A pointwise operation on an image and a number, or on an image and the second source. DRUA_NO_TYPE makes a new image;
 * any other type names the destination's type.
 */
typedef struct step {
    const char *operation;
    bool joins;
    double number;
    drua_type made;
} step;

/** Sets the environment for calls of one of the two sides. */
void use(int side);

/** Opens both contexts: sides[0] runs operations one by one, sides[1] fuses them. close_sides closes both. */
void open_step_sides(void);

/** The number of kernels that the context has launched. */
uint64_t launches_of(drua_context *context);

/** An image of that shape and type as destination; DRUA_NO_TYPE asks the operation for a new image. */
drua_argument destination(drua_context *context, drua_shape shape, drua_type type);

/** Applies a step to `image`, releases `image` and returns the result. */
drua_image apply(drua_context *context, const step *s, drua_image image, drua_image second, drua_shape shape);
drua_image with_number(drua_context *context, const char *operation, drua_image image, double number);

/** Applies an operation to two images and returns the result. */
drua_image of_two(drua_context *context, const char *operation, drua_image a, drua_image b);

/** Fails unless the images of the two sides are equal. `what` and `number` name the case in the message. */
void check_same(drua_image one, drua_image other, const char *what, size_t number);

#endif
