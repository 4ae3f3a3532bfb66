/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PIPELINE_MAKE_PLAN_H
#define DRUA_PIPELINE_MAKE_PLAN_H

#include "job.h"

/* Chooses the blocks of a recorded plan and sets its hashes. */
drua_status job_choose_blocks(job *j);

#endif
