/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_PIPELINE_FINISH_TIFF_H
#define DRUA_PIPELINE_FINISH_TIFF_H

#include "job.h"

/* Writes the TIFF of a job with finished blocks; does nothing if the blocks are removed already. */
drua_status finish_tiff_write(const job *j);

/* Removes the blocks of a TIFF that is written. Calling it again has no further effect. */
drua_status finish_tiff_clean(const job *j);

#endif
