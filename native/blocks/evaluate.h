/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of a graph on one device. */
#ifndef DRUA_BLOCKS_EVALUATE_H
#define DRUA_BLOCKS_EVALUATE_H

#include "inputs.h"

/* A device with an engine of its own and the images that every block reads as a whole. One thread. */
typedef struct evaluator {
    char wish[256];             /* how it was opened */
    pthread_mutex_t lock;       /* the engine's, for one thread */
    drua_device *device;
    drua_engine engine;
    bool is_open;
    drua_value **files;         /* of the graph; NULL before the first block */
    int file_count;
} evaluator;

/* `memory` as drua_set_memory takes it. Presets serve where measurement could choose: results do not depend on what was
 * timed. */
drua_status evaluator_open(const char *wish, const char *memory, evaluator *e);
void evaluator_close(evaluator *e);

/* Seconds that a block took, by what. */
typedef struct block_seconds {
    double up, compute, down;
} block_seconds;

/*
 * Computes the outputs of a block from what it reads into dense memory for each output.
 * DRUA_E_MEMORY where the device is too small for the block; then it can be done in parts.
 */
drua_status evaluate_block(evaluator *e, const graph *g, const int *outputs, int output_count, const block_boxes *b,
                           const block_inputs *in, void *const *made, block_seconds *seconds);

/* The same; where the device is too small in halves of halves. `parts`: how many it took is added. */
drua_status evaluate_in_parts(evaluator *e, const graph *g, const int *outputs, int output_count, const block_boxes *b,
                              const block_inputs *in, void *const *made, block_seconds *seconds, int *parts);

/* The values of a block on the device, for what is measured there: one reference for each output. DRUA_E_MEMORY as
 * above. */
drua_status evaluate_values(evaluator *e, const graph *g, const int *outputs, int output_count, const block_boxes *b,
                            const block_inputs *in, drua_value **results, block_seconds *seconds);

/* The pixels of a value, dense, and a value of such pixels. Under the lock. */
drua_status evaluator_download(evaluator *e, drua_value *image, void *pixels);
drua_status evaluator_upload(evaluator *e, const drua_box *box, const drua_value *whole, void *pixels,
                             drua_value **image);

#endif
