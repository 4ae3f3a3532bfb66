/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells how a result came about: a JSON object with Drua's version, the pipeline, the device that planned, and each
 * input with its checksum. It depends on nothing else, so that equal work gives equal bytes.
 */
#ifndef DRUA_PIPELINE_PROVENANCE_H
#define DRUA_PIPELINE_PROVENANCE_H

#include "job.h"

/* Sets text.provenance of an open plan, unless the plan has it already. */
drua_status provenance_make(job *j);

/* The path of the file beside a TIFF. */
void provenance_path(const job *j, char path[JOB_PATH + 8]);

/* Writes this file if the plan asks for it. */
drua_status provenance_write(const job *j);

#endif
