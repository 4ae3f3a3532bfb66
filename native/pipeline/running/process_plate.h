/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PIPELINE_PROCESS_PLATE_H
#define DRUA_PIPELINE_PROCESS_PLATE_H

#include "block_pipeline.h"
#include "plate.h"

/* Processes one image, as drua_blocks_process. */
drua_status process_image(const drua_blocks_request *request, const drua_blocks_share *share, drua_blocks_watch watch,
                          void *payload);

/*
 * Processes all fields of a plate, whose metadata are read already. The results are a plate with the same wells and
 * fields. Their tables are joined, with the columns WELL and FIELD in front.
 *
 * A field that fails does not stop the others, unless a retry may succeed. The plate gets its name when all fields are
 * done; until then the same call resumes.
 */
drua_status process_plate(const plate *p, const drua_blocks_request *request, const drua_blocks_share *share,
                          drua_blocks_watch watch, void *payload);

#endif
