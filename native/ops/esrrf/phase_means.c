/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Means of the phases of a magnified image; macro-pixel correction divides by them. A phase consists of the magnified
 * pixels at one position within a pixel of the movie.
 */
#include "stream.h"

enum { BLOCK = 256 }; /* as in kernels/esrrf */

drua_view esrrf_phase_means(drua_plan *p, drua_view image, int32_t width, int32_t height, int32_t phases,
                            int magnification)
{
    const int32_t blocks = (height + ESRRF_BLOCK_ROWS - 1) / ESRRF_BLOCK_ROWS;
    drua_view sums = plan_scratch_bytes(p, (uint64_t)blocks * (uint64_t)phases * 2 * sizeof(float));
    drua_view means = plan_scratch_bytes(p, (uint64_t)phases * sizeof(float));
    LAUNCH(p, "esrrf_sum_rows", GRID(BLOCK, blocks, phases, BLOCK, 1, 1), ARG(image), POINTER(sums), INT(width),
           INT(height), INT(blocks), INT(magnification));
    LAUNCH(p, "esrrf_means", GRID(BLOCK, phases, 1, BLOCK, 1, 1), POINTER(sums), POINTER(means), INT(blocks),
           REAL((double)width * height));
    return means;
}
