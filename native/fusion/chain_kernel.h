/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and vectors of chains, and kernels compiled for chains. */
#ifndef DRUA_CHAIN_KERNEL_H
#define DRUA_CHAIN_KERNEL_H

#include "chain.h"

/*
 * Whether no step of the chain uses the position, and all images are one long line of whole vectors, including any
 * padding between rows.
 */
bool drua_chain_is_line(const drua_engine *engine, const drua_chain *chain, int lanes);

/* Whether every vector of a row of `width` pixels is aligned in this image, and the last one has room. */
bool drua_rows_aligned(const drua_layout *layout, int32_t width, int lanes);

/*
 * Runs the chain in a kernel compiled for it, if that kernel exists and is faster. Otherwise *done stays false, *why
 * gives the reason, and the kernel may start compiling. The next launch then belongs to the trial.
 */
drua_status drua_chain_run_compiled(drua_engine *engine, const drua_chain *chain, bool *done, const char **why,
                                    drua_trial *trial);

/* Equal for chains of equal texts. */
uint64_t drua_chain_hash(const drua_chain *chain);

#endif
