/* SPDX-License-Identifier: BSD-3-Clause */
/* One launch of pointwise work: what is computed from what, before it is told to a kernel. */
#ifndef DRUA_GRAPH_CHAIN_H
#define DRUA_GRAPH_CHAIN_H

#include "tune.h"
#include "value.h"

enum { DRUA_CHAIN_OUTPUTS = 3, DRUA_CHAIN_NUMBERS = 6 };

typedef struct drua_chain {
    drua_value *inputs[DRUA_CHAIN_INPUTS];
    int input_count;
    drua_value *made[DRUA_CHAIN_STEPS];                     /* the value of each step */
    int operands[DRUA_CHAIN_STEPS][DRUA_NODE_INPUTS];       /* step number, or -1 - input number */
    int step_count;
    int outputs[DRUA_CHAIN_OUTPUTS];                        /* steps whose values are stored; the last step is the first of them */
    int output_count;
    bool positional, exact;
    bool line;      /* all images dense and of one shape: one long line; else row by row */
} drua_chain;

/* As chain_step in kernels/chain/chain.cl. */
typedef struct drua_step {
    int32_t operation, a, b, c, keep, type;
    float scalars[DRUA_NODE_SCALARS];
    int32_t snapped, row, slice;        /* of the chain's first pixel in the whole image */
} drua_step;

/* ---- from recorded values to a chain */

/* The chain that ends in `root`, with its DRUA_CHAIN_STEPS zeroed steps; false where it is too large for one launch. */
bool drua_chain_form(const drua_engine *engine, drua_value *root, drua_chain *chain, drua_step *steps);

/* A virtual value below the root that has to become resident before the chain can run, or NULL. One call may wait for the chain. */
drua_value *drua_chain_blocking(const drua_engine *engine, drua_value *root);

/* What a call that waits makes of the chain's inputs, or NULL. */
drua_value *drua_chain_waiting_input(const drua_chain *chain);

/* What the call that makes `made` reads and the chain computes too, so that it has to be there before both; or NULL. */
drua_value *drua_chain_read_by_both(const drua_chain *chain, const drua_value *made);

/* Bytes that it reads for a pixel. */
size_t drua_chain_bytes_read(const drua_chain *chain);

/* Whether all its images are one long line of whole vectors, what may lie between rows included. */
bool drua_chain_is_line(const drua_engine *engine, const drua_chain *chain, int lanes);

/* Whether every vector of a row of `width` pixels is aligned in this image, and the last one has room. */
bool drua_rows_aligned(const drua_layout *layout, int32_t width, int lanes);

/* Whether the expression uses the name, a single letter. */
bool drua_op_mentions(const drua_op *op, char name);

/* ---- kernels compiled for chains */

/* DRUA_CHAINS: when a kernel of its own is compiled, in the background; "compile": at once, "interpret": never. */
typedef enum drua_when { DRUA_WHEN_WORTH, DRUA_WHEN_SEEN, DRUA_NEVER } drua_when;

drua_when drua_when_to_compile(void);

/* Chains that were seen, with their kernels. */
typedef struct drua_compiler drua_compiler;

drua_compiler *drua_compiler_new(void);
void drua_compiler_free(drua_engine *engine);

/*
 * Runs the chain by a kernel of its own if there is one that is faster; else *done stays false and its compilation may start.
 * What is launched then belongs to the trial.
 */
drua_status drua_compiler_run(drua_engine *engine, const drua_chain *chain, bool *done, const char **why, drua_trial *trial);

/* Numbers are arguments, in structs of DRUA_NUMBERS: how many the chain mentions, and the first `most` of them. */
int drua_chain_numbers(const drua_chain *chain, float *numbers, int most);

/* The text of the steps for vector `v` of a work-item: from inputs i0_V, i1_V, ... and numbers n0.v[0], ... results v0_V, v1_V, ... */
void drua_chain_add_steps(drua_text *text, const drua_chain *chain, int v);

/* Equal for chains of equal texts. */
uint64_t drua_chain_hash(const drua_chain *chain);

/* ---- what was done, for people */

typedef struct drua_record {
    char what[400], how[200];
    double bytes, seconds;      /* seconds 0: not measured */
} drua_record;

drua_record *drua_explain_new(drua_engine *engine);
void drua_explain_chain(drua_engine *engine, const drua_chain *chain, const char *variant, const char *why, double seconds);

/* An operation in so many launches with the chains that these ran; `bytes`: of its images. */
void drua_explain_operation(const struct drua_plan *plan, uint64_t launches, double bytes, double seconds);

#endif
