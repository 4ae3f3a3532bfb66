/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chain: a tree of pointwise operations that one launch computes pixel by pixel. The first part forms the chain. The
 * second part launches it, by a table-driven kernel or by one that was compiled for these steps. The results of both
 * kernels are bit-identical.
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
}; /* largest number of pending operations */

typedef struct drua_chain {
    drua_value *inputs[DRUA_CHAIN_INPUTS];
    int input_count;
    drua_value *values[DRUA_CHAIN_STEPS]; /* value of each step */
    int operands[DRUA_CHAIN_STEPS][DRUA_NODE_INPUTS];       /* step index, or -1 - input index */
    int step_count;
    int outputs[DRUA_CHAIN_OUTPUTS]; /* steps whose values are stored; the first entry is the last step */
    int output_count;
    bool positional, exact;
    bool line;      /* all images are dense and of one shape: one long line; otherwise row by row */
} drua_chain;

/* Has the same bytes as chain_step in kernels/chain/chain_table.cl. */
typedef struct drua_step {
    int32_t operation, a, b, c, keep, type;
    float scalars[DRUA_NODE_SCALARS];
    float roundings;
    int32_t row, slice;                 /* position of the chain's first pixel in the whole image */
} drua_step;

/* ---- from pending values to a chain */

/*
 * Forms the chain that ends in `root`. With `siblings`, it also computes other pending images that programs hold and
 * that read the same inputs. `steps` has DRUA_CHAIN_STEPS zeroed entries. Returns false if the chain is too large for
 * one launch.
 */
bool drua_chain_form(const drua_engine *engine, drua_value *root, bool siblings, drua_chain *chain, drua_step *steps);

/*
 * A pending value below the root that must become resident before the chain can run, or NULL. One of its inputs may be
 * a deferred call.
 */
drua_value *drua_chain_blocking(const drua_engine *engine, drua_value *root);

/* The deferred result among the chain's inputs, or NULL. */
drua_value *drua_chain_deferred_input(const drua_chain *chain);

/* A deferred result among all values on which `value` depends, including itself, or NULL. */
drua_value *drua_chain_find_deferred(drua_value *value);

/* A value that both the deferred call for `result` and the chain need, so it must be computed before both; or NULL. */
drua_value *drua_chain_read_by_both(const drua_chain *chain, const drua_value *result);

/* Whether `value` depends on `wanted` through pending pointwise work. */
bool drua_chain_depends_on(drua_value *value, const drua_value *wanted);

/* A pending value that the same work recorded, or NULL. `work->scalars` must not be NULL. */
drua_value *drua_chain_find(const drua_engine *engine, const drua_pointwise *work);

/* Bytes that the chain reads per pixel. */
size_t drua_chain_bytes_read(const drua_chain *chain);

/* Bytes that the chain reads and writes in total. */
double drua_chain_bytes(const drua_chain *chain);

/* ---- launches */

/* Allocates device memory for the chain's outputs that have none; on failure none of them has memory. */
drua_status drua_chain_allocate(drua_engine *engine, const drua_chain *chain);

/* Frees the memory of outputs that were not computed. */
void drua_chain_discard(drua_value *output);
void drua_chain_discard_outputs(const drua_chain *chain);

/*
 * Computes the chain; on failure its outputs have no memory. *is_final receives whether the kernel that will be used
 * from now on computed it; may be NULL.
 */
drua_status drua_chain_launch(drua_engine *engine, drua_chain *chain, const drua_step *steps, bool *is_final);

/* Computes the chain that ends in a value whose memory is already allocated. */
drua_status drua_chain_fill(drua_engine *engine, drua_value *root);

/* Marks the outputs as computed, and releases values that only their nodes held. */
void drua_chain_finish(drua_engine *engine, const drua_chain *chain);

/* Counts a chain in the statistics. */
void drua_chain_count(drua_engine *engine, const drua_chain *chain, bool compiled);

/* Adds the names of the chain's steps to a record. */
void drua_chain_describe(const drua_chain *chain, const char *before, struct drua_record *record);

#endif
