/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PIPELINE_SHARE_PASSES_H
#define DRUA_PIPELINE_SHARE_PASSES_H

#include "block_pipeline.h"

/*
 * Does the due passes within a share of a shared plan. `more` is set if the plan is complete and the share is one of
 * its blocks.
 */
drua_status passes_share(const char *plan, const drua_blocks_share *share, drua_blocks_watch watch, void *payload,
                         bool *more);

#endif
