/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PIPELINE_SHARE_PASSES_H
#define DRUA_PIPELINE_SHARE_PASSES_H

#include "block_pipeline.h"

/*
 * Computes a share of the unfinished passes of a shared plan. `more` is set if the plan is complete and the share
 * consists of blocks of the plan.
 */
drua_status passes_share(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload,
                         bool *more);

#endif
