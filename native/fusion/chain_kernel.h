/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels compiled for chains. */
#ifndef DRUA_CHAIN_KERNEL_H
#define DRUA_CHAIN_KERNEL_H

#include "chain.h"

/*
 * Runs the chain in a kernel compiled for it, if that kernel exists and is faster. Otherwise *done stays false, *why
 * gives the reason, and the kernel may start compiling. The next launch then belongs to the trial.
 */
drua_status drua_chain_run_compiled(drua_engine *engine, const drua_chain *chain, bool *done, const char **why,
                                    drua_trial *trial);

/* Equal for chains of equal texts. */
uint64_t drua_chain_hash(const drua_chain *chain);

#endif
