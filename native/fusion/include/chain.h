/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chain: a tree of pointwise operations that one launch computes, every pixel by itself. First what is computed from
 * what (form), then the launch: by a kernel that reads the steps from a table, or by one that was compiled for these
 * steps, with the same bits.
 */
#ifndef DRUA_CHAIN_H
#define DRUA_CHAIN_H

#include "text.h"
#include "tune.h"
#include "value.h"

struct drua_record;

enum {
    DRUA_CHAIN_INPUTS = 4,
    DRUA_CHAIN_OUTPUTS = 3,
    DRUA_CHAIN_STEPS = 32,
    DRUA_CHAIN_REGISTERS = 4,
    DRUA_CHAIN_NUMBERS = 6,
    DRUA_PENDING_VALUES = 64
}; /* more than so many are not left pending */

typedef struct drua_chain {
    drua_value *inputs[DRUA_CHAIN_INPUTS];
    int input_count;
    drua_value *values[DRUA_CHAIN_STEPS];                   /* of each step */
    int operands[DRUA_CHAIN_STEPS][DRUA_NODE_INPUTS];       /* step number, or -1 - input number */
    int step_count;
    int outputs[DRUA_CHAIN_OUTPUTS]; /* steps whose values are stored; the last step is the first of them */
    int output_count;
    bool positional, exact;
    bool line;      /* all images dense and of one shape: one long line; else row by row */
} drua_chain;

/* As chain_step in kernels/chain/chain.cl. */
typedef struct drua_step {
    int32_t operation, a, b, c, keep, type;
    float scalars[DRUA_NODE_SCALARS];
    float roundings;
    int32_t row, slice;                 /* of the chain's first pixel in the whole image */
} drua_step;

/* ---- from pending values to a chain */

/* The chain that ends in `root`, with its DRUA_CHAIN_STEPS zeroed steps; false where it is too large for one launch. */
bool drua_chain_form(const drua_engine *engine, drua_value *root, drua_chain *chain, drua_step *steps);

/* A pending value below the root that has to become resident before the chain can run, or NULL. One deferred call may
 * be among its inputs. */
drua_value *drua_chain_blocking(const drua_engine *engine, drua_value *root);

/* The deferred result among the chain's inputs, or NULL. */
drua_value *drua_chain_deferred_input(const drua_chain *chain);

/* A deferred result among all that `value` is made of, itself included, or NULL. */
drua_value *drua_chain_find_deferred(drua_value *value);

/* What the deferred call that makes `result` reads and the chain computes too, so that it has to be there before both;
 * or NULL. */
drua_value *drua_chain_read_by_both(const drua_chain *chain, const drua_value *result);

/* Whether `value` is made of `wanted` by pending pointwise work. */
bool drua_chain_depends_on(drua_value *value, const drua_value *wanted);

/* A pending value that was recorded by the same operation on the same images, or NULL. */
drua_value *drua_chain_find(const drua_engine *engine, const drua_op *op, drua_shape shape, drua_type type,
                            drua_value *const *inputs, int input_count, const float *scalars);

/* Bytes that it reads for a pixel. */
size_t drua_chain_bytes_read(const drua_chain *chain);

/* Bytes of all that it reads and writes. */
double drua_chain_bytes(const drua_chain *chain);

/* Whether all its images are one long line of whole vectors, what may lie between rows included. */
bool drua_chain_is_line(const drua_engine *engine, const drua_chain *chain, int lanes);

/* Whether every vector of a row of `width` pixels is aligned in this image, and the last one has room. */
bool drua_rows_aligned(const drua_layout *layout, int32_t width, int lanes);

/* ---- launches */

/* Device memory for the chain's outputs that have none yet; on failure none has any. */
drua_status drua_chain_allocate(drua_engine *engine, const drua_chain *chain);

/* Gives the memory of outputs back that were not computed. */
void drua_chain_discard(drua_value *output);
void drua_chain_discard_outputs(const drua_chain *chain);

/* Computes the chain; on failure its outputs have no memory. `is_final`: by the kernel that will do it from now on; may
 * be NULL. */
drua_status drua_chain_launch(drua_engine *engine, drua_chain *chain, const drua_step *steps, bool *is_final);

/* Computes the chain that ends in a value whose memory is there already. */
drua_status drua_chain_fill(drua_engine *engine, drua_value *root);

/* The outputs are pixels from now on; what only their nodes held goes. */
void drua_chain_finish(drua_engine *engine, const drua_chain *chain);

/* Counts a chain among the statistics. */
void drua_chain_count(drua_engine *engine, const drua_chain *chain, bool compiled);

/* Adds the names of its steps to a record. */
void drua_chain_describe(const drua_chain *chain, const char *before, struct drua_record *record);

#endif
