/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact percentiles over all pixels: each pass counts the pixels of all blocks by one digit of 16 bits of their sort
 * keys (percentile_search.h). Types of 8 and 16 bits need one pass, types of 32 bits two.
 */
#ifndef DRUA_PIPELINE_PERCENTILE_PASS_H
#define DRUA_PIPELINE_PERCENTILE_PASS_H

#include "block_passes.h"
#include "percentile_search.h"

typedef struct percentile_pass percentile_pass;

/* Returns NULL after a failure. Free with percentile_pass_free. */
percentile_pass *percentile_pass_new(drua_type type, const double percents[DRUA_SELECTED]);
void percentile_pass_free(percentile_pass *counted);

/* Returns whether another pass is needed. */
bool percentile_pass_is_next(const percentile_pass *counted);

/*
 * percentile_pass_begin sets the functions of a pass over one value of the type. Run this pass, then call
 * percentile_pass_end. If passes are only counted (PASSES_COUNTED), the percentiles are undefined.
 */
void percentile_pass_begin(percentile_pass *counted, block_pass *pass);
void percentile_pass_end(percentile_pass *counted);

/* Sets the percentiles after the last pass; NaN if no pixel is finite. */
void percentile_pass_numbers(const percentile_pass *counted, double numbers[DRUA_SELECTED]);

#endif
