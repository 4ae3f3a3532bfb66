/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BENCH_ARGUMENTS_H
#define DRUA_BENCH_ARGUMENTS_H

#include <drua/drua.h>

#include <stdbool.h>

enum { DRUA_BENCH_MAX_PARAMS = 32 };

/**
 * The images that operations receive, chosen by the parameter's name. If an operation takes two images of a kind, they
 * differ: reading one image twice is half the work, and comparing an image with itself is meaningless.
 */
typedef struct drua_bench_inputs {
    drua_image grey[2], mask[2], labels[2], spots[2], changed[2];
    drua_image vector, matrix, points, kernel, colours, three, drift, transforms;
    drua_shape shape;
} drua_bench_inputs;

/** The arguments of a call and the data to which they point. The caller frees `numbers`. */
typedef struct drua_bench_arguments {
    drua_argument arguments[DRUA_BENCH_MAX_PARAMS], named[4];
    double *numbers;
    size_t count;
    bool changes; /* the call changes an image that it receives */
} drua_bench_arguments;

/** Pushes all images of a shape and type. `drua_clear` releases them. */
drua_status drua_bench_push_inputs(drua_context *context, drua_shape shape, drua_type type, drua_bench_inputs *in);

/** Fills the arguments from the operation's defaults; returns false if the operation needs ImageJ or a file. */
bool drua_bench_fill_arguments(size_t operation, const drua_bench_inputs *in, drua_bench_arguments *arguments);

/** Releases the images that a call has made, so that the next call makes them anew. */
void drua_bench_release_results(drua_context *context, size_t operation, drua_argument *arguments);

#endif
