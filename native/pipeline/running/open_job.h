/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a plan: records its pipeline and compares hashes. */
#ifndef DRUA_PIPELINE_OPEN_JOB_H
#define DRUA_PIPELINE_OPEN_JOB_H

#include "job.h"
#include "script.h"

/*
 * Opens a plan on a device, following the plan's text. If `fresh`, sets the hashes and the blocks; else compares them
 * with the plan's and fails if they differ.
 */
drua_status job_open(job *j, const char *device, pass_mode passes, bool fresh);

/*
 * Fails if the input has changed since finished blocks and passes read it. Opens the input first if necessary. A
 * process checks only the part of the input that belongs to `share`, because all processes together check the whole
 * input. If `share` is NULL, it checks the whole input.
 */
drua_status job_check_input(job *j, const drua_blocks_share *share);

/* Records the commands for one channel and frame. */
drua_status job_record_volume(job *j, const script *s, int64_t volume, graph *g);

/* Sets the grid and the hashes of a plan whose blocks are chosen. */
drua_status job_seal(job *j);

/* Opens the plan in a file. The plan must be complete. */
drua_status job_load(job *j, const char *path, const char *device);

#endif
