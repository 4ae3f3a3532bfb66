/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains as text: separate kernels, and functions before and after the text of another kernel. */
#ifndef DRUA_CHAIN_TEXT_H
#define DRUA_CHAIN_TEXT_H

#include "chain.h"

enum { DRUA_CHAIN_GROUP = 256 };    /* work-items per group of that kernel if the chain is a line */

/* Numbers are arguments, in structs of DRUA_NUMBERS. Returns how many the chain uses and stores the first `max`. */
int drua_chain_numbers(const drua_chain *chain, float *numbers, int max);

/* Index of one of the chain's inputs. */
int drua_chain_input_number(const drua_chain *chain, const drua_value *input);

/*
 * Text of the kernel "chain_compiled", whose work-items compute this many vectors each if the chain is a line. The
 * caller frees it with drua_free. NULL without memory.
 */
char *drua_chain_kernel_text(const drua_chain *chain, int vectors);

/* Adds the chain as a function that reads the source of another kernel. */
void drua_chain_add_prologue(drua_text *text, const drua_chain *chain);

/* Adds the chain as a function that takes the values that another kernel stores as `result`, an input of the chain. */
void drua_chain_add_epilogue(drua_text *text, const drua_chain *chain, const drua_value *result, bool keeps_result);

#endif
