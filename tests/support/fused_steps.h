/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise operations on two contexts that do what only GPUs do: one sends them one by one, the other computes them
 * where they are used. */
#ifndef DRUA_TESTS_FUSED_STEPS_H
#define DRUA_TESTS_FUSED_STEPS_H

#include "sides.h"

enum { MOST_NUMBERS = 6, MOST_STEPS = 2 };

/* A pointwise operation on an image and a number, or on it and the second source; to a new image or one of that type.
 */
typedef struct step {
    const char *operation;
    bool joins;
    double number;
    drua_type made;
} step;

/** Sets the environment for calls to one of them. */
void use(int side);

/** sides[0] sends steps one by one, sides[1] computes them where they are used. close_sides closes both. */
void open_step_sides(void);

/** How many kernels it has launched. */
uint64_t launches_of(drua_context *context);

/** A new image for DRUA_NO_TYPE. */
drua_argument destination(drua_context *context, drua_shape shape, drua_type type);

/** What an operation makes of an image, which is released. */
drua_image apply(drua_context *context, const step *s, drua_image image, drua_image second, drua_shape shape);
drua_image with_number(drua_context *context, const char *operation, drua_image image, double number);

/** Fails unless images of the two sides are the same. `what` and `number` say of what. */
void check_same(drua_image one, drua_image other, const char *what, size_t number);

#endif
