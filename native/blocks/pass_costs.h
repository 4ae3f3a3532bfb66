/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates the costs of passes and chooses the images that are computed once and stored. The estimate uses only
 * extents and the efforts of operations (op.h), so it is the same on all computers.
 */
#ifndef DRUA_BLOCKS_PASS_COSTS_H
#define DRUA_BLOCKS_PASS_COSTS_H

#include "job.h"

/* Fills text.stored of a recorded plan whose passes are counted. */
drua_status stored_images_choose(job *j);

/* Sets job.costs: the cost of each pass and of the blocks, the stored images, and the space that the plan needs. */
drua_status passes_price(job *j);

#endif
