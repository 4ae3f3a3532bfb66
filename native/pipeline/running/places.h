/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan writes no file that it reads, and replaces no file of others unless the request allows it. */
#ifndef DRUA_PIPELINE_PLACES_H
#define DRUA_PIPELINE_PLACES_H

#include "job.h"

/*
 * Runs before anything is read. Refuses an output or a plan that is the input or the pipeline's file, lies in it or
 * contains it, however the path is spelled or linked. Refuses an output that exists, unless the request allows it to be
 * replaced or the plan in the file `plan` began it.
 */
drua_status places_check_request(const drua_blocks_request *request, const char *plan);

/* Checks all outputs and tables of the recorded pipeline in the same way, also against the files that it reads. Allows
 * outputs to be replaced if an earlier plan of this name has made them. */
drua_status places_check_job(job *j);

/* Refuses a page about progress that would replace a file of the plan, or lie in one of its images. */
drua_status places_check_page(const job *j, const char *page);

#endif
