/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts with a memory budget, and single operations in them. */
#ifndef DRUA_TESTS_LIMITED_H
#define DRUA_TESTS_LIMITED_H

#include "harness.h"
#include "loader.h"

drua_context *limited_open(const char *budget);
drua_statistics limited_statistics(drua_context *context);

/** The largest finite absolute value of a pixel. */
double limited_largest(const reference_image *image);

/** Runs an operation in `context`; its result is argument number `output`. */
#define STEP(result, name, ...)                                                                          \
    do {                                                                                                 \
        drua_argument arguments[] = {__VA_ARGS__};                                                       \
        REQUIRE(drua_invoke(context, name, arguments, sizeof arguments / sizeof *arguments, NULL));      \
        result = limited_image(&arguments[output]);                                                      \
    } while (0)

/** The argument's image. This is a function because a compiler cannot know that arguments[output] exists. */
drua_image limited_image(const drua_argument *argument);

#endif
