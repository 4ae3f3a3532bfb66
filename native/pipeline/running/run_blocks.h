/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PIPELINE_RUN_BLOCKS_H
#define DRUA_PIPELINE_RUN_BLOCKS_H

#include "block_pipeline.h"

/* Fails if a share is not within this number of blocks. */
drua_status job_check_share(const drua_blocks_share *share, int64_t blocks);

#endif
