/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains as text: kernels of their own, and functions before and after the text of another kernel. */
#ifndef DRUA_CHAIN_TEXT_H
#define DRUA_CHAIN_TEXT_H

#include "chain.h"

enum { DRUA_CHAIN_GROUP = 256 };    /* work-items of a group of that kernel where the chain is a line */

/* Numbers are arguments, in structs of DRUA_NUMBERS: how many the chain mentions, and the first `most` of them. */
int drua_chain_numbers(const drua_chain *chain, float *numbers, int most);

/* The number of one of the chain's inputs. */
int drua_chain_input_number(const drua_chain *chain, const drua_value *input);

/* The kernel "chain_compiled", whose work-items compute so many vectors each where the chain is a line; NULL without
 * memory; drua_free. */
char *drua_chain_kernel_text(const drua_chain *chain, int vectors);

/* The chain as a function that reads the source of another kernel. */
void drua_chain_add_prologue(drua_text *text, const drua_chain *chain);

/* The chain as a function that takes what another kernel stores as `result`, an input of the chain. */
void drua_chain_add_epilogue(drua_text *text, const drua_chain *chain, const drua_value *result, bool keeps_result);

#endif
