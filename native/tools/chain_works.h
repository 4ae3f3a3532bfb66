/* SPDX-License-Identifier: BSD-3-Clause */
/* Common chains of pointwise operations, alone and before and after filters: to compile in advance, and to time. */
#ifndef DRUA_TOOLS_CHAIN_WORKS_H
#define DRUA_TOOLS_CHAIN_WORKS_H

#include <drua/drua.h>

#include <stdbool.h>

/*
 * `numbers`: how many times the number is passed; 0: once, unless the number is 0. `joins`: the step also takes a
 * second image.
 */
typedef struct chain_step {
    const char *operation;
    double number;
    int numbers;
    bool joins;
} chain_step;

/*
 * The steps of a work. With one result, each step works on the result of the previous one; with several, each step
 * works on the source. Arguments that are numbers, lines or planes do not count as images.
 */
typedef struct chain_work {
    const char *name;
    const chain_step *steps;
    int count, images, results;
    bool gives_floats; /* for any type of the source */
} chain_work;

enum { CHAIN_STEPS = 6, CHAIN_WORKS = 19, CHAIN_TYPES = 3 };

extern const chain_work chain_works[CHAIN_WORKS];

/** The types of the images on which the works run. */
extern const struct chain_type {
    drua_type type;
    const char *name;
    size_t element; /* bytes */
} chain_types[CHAIN_TYPES];

/** Makes three images of random grey values, the same on every computer. The caller releases them. */
drua_status chain_work_push(drua_context *context, drua_shape shape, const struct chain_type *type, drua_image *images);

/** Runs a work on images of chain_work_push, waits for the device, and releases the results. */
drua_status chain_work_run(drua_context *context, const chain_work *work, const drua_image *sources);

#endif
