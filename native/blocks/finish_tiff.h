/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_BLOCKS_FINISH_TIFF_H
#define DRUA_BLOCKS_FINISH_TIFF_H

#include "job.h"

/* Writes the TIFF of a job whose blocks are finished, and removes these. Twice is as good as once. */
drua_status finish_tiff(const job *j);

#endif
