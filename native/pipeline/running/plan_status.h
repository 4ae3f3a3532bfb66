/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PIPELINE_PLAN_STATUS_H
#define DRUA_PIPELINE_PLAN_STATUS_H

#include "job.h"
#include "journal.h"

/*
 * Loads a plan's file and its journal. `due` is the current pass; 0: the plan's blocks. If all passes of a shared plan
 * are joined but the plan is not complete yet, `due` is the last pass. Close both also after a failure.
 */
drua_status status_load(const char *plan, job *j, journal_state *state, int *due);

/* Returns the first pass (from 1) of a shared plan whose results are not all joined; 0: there is no such pass. */
int first_due_pass(const job *j);

/* Counts the finished blocks of a pass (from 1), over all channels and frames. */
drua_status status_count_pass(const job *j, int pass, int64_t *done, int64_t *blocks);

#endif
