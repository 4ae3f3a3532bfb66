/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines about a new plan, for the user. */
#ifndef DRUA_PIPELINE_PLAN_REPORT_H
#define DRUA_PIPELINE_PLAN_REPORT_H

#include "job.h"

/*
 * Adds the images, blocks, memory, passes and notes of a plan to `report`, one line each; `done` blocks are finished.
 * Needs the recorded pipeline, its device and the chosen blocks.
 */
void plan_report_add(const job *j, int64_t done, drua_text *report);

#endif
