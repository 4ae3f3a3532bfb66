/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BLOCKS_FINISH_TIFF_H
#define DRUA_BLOCKS_FINISH_TIFF_H

#include "job.h"

/* Writes the TIFF of a job with finished blocks and removes the blocks. Calling it again has no further effect. */
drua_status finish_tiff(const job *j);

#endif
