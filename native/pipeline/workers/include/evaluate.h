/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes one block of a graph on one device. */
#ifndef DRUA_PIPELINE_EVALUATE_H
#define DRUA_PIPELINE_EVALUATE_H

#include "inputs.h"

/* A device with its own engine and the images that every block reads as a whole. For one thread. */
typedef struct evaluator {
    char device_name[256]; /* the device name with which it was opened */
    pthread_mutex_t lock; /* the engine's lock, held by one thread */
    drua_device *device;
    drua_engine engine;
    bool is_open;
    bool is_absent; /* the device is of another computer: it computes nothing */
    drua_value **files; /* files of the graph; NULL before the first block */
    int file_count;
} evaluator;

/*
 * Opens a device; `memory` is as in drua_set_memory. The engine uses defaults instead of timing measurements, so that
 * results do not depend on timings.
 */
drua_status evaluator_open(const char *device, const char *memory, evaluator *e);

/* Opens an evaluator that only records, for another computer's device with this many bytes; `memory` says the same. */
drua_status evaluator_open_absent(const char *memory, uint64_t bytes, evaluator *e);
void evaluator_close(evaluator *e);

/* Seconds that the steps of a block took. */
typedef struct block_seconds {
    double up, compute, down;
} block_seconds;

/* Values of a graph to compute for one block. */
typedef struct evaluation {
    const graph *graph;
    const int *outputs;
    int output_count;
    const block_boxes *boxes;
    const block_inputs *in;
} evaluation;

/*
 * Computes the outputs of a block from its inputs into dense memory, one buffer for each output. Fails with
 * DRUA_E_MEMORY if the block does not fit the device; the block can then be computed in parts.
 */
drua_status evaluate_block(evaluator *e, const evaluation *v, void *const *made, block_seconds *seconds);

/*
 * Computes a block like evaluate_block, but halves it repeatedly if it does not fit the device. Adds the number of
 * parts to `parts`.
 */
drua_status evaluate_in_parts(evaluator *e, const evaluation *v, void *const *made, block_seconds *seconds, int *parts);

/*
 * Computes values of a block that stay on the device, for measurements there. Returns one reference for each output.
 * Fails with DRUA_E_MEMORY like evaluate_block.
 */
drua_status evaluate_values(evaluator *e, const evaluation *v, drua_value **results, block_seconds *seconds);

/* Gives a file of the graph, reading the files first if necessary. The evaluator keeps the reference. */
drua_status evaluator_file(evaluator *e, const graph *g, int file, drua_value **image);

/* Downloads the dense pixels of a value; makes a value of dense pixels. Both need the lock. */
drua_status evaluator_download(evaluator *e, drua_value *image, void *pixels);
drua_status evaluator_upload(evaluator *e, const drua_box *box, const drua_value *whole, void *pixels,
                             drua_value **image);

#endif
