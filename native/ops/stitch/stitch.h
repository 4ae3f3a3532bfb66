/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of overlapping tiles. */
#ifndef DRUA_OPS_STITCH_H
#define DRUA_OPS_STITCH_H

#include "plan.h"

/** A tile, with two positions of its first pixel, in pixels: that of the stage and that of the fit. */
typedef struct stitch_tile {
    double stage[3], at[3];
    bool flat; /**< all pixels are equal */
    bool empty; /**< all pixels are 0 */
    int links; /**< number of pairs that determine the position */
    double quality; /**< largest correlation of these pairs; 0: the position is that of the stage */
} stitch_tile;

/** Two overlapping tiles, and the position of the second relative to the first. */
typedef struct stitch_pair {
    int32_t first, second;
    double shift[3], correlation;
    double chance; /**< largest correlation that tiles without a common scene can have over so few pixels */
    double rival; /**< largest correlation of the tiles at another shift; -1: no other shift was a candidate */
    bool used;
} stitch_pair;

typedef struct stitch_job {
    stitch_tile *tiles;
    stitch_pair *pairs;
    int32_t count, pair_count;
    drua_shape shape; /**< of a tile */
    drua_operand *filtered; /**< tiles without their background, for correlation; NaN or infinite at missing pixels */
    bool misses_zeros; /**< pixels that are 0 are missing */
    double threshold, tolerance;
} stitch_job;

/**
 * Sets `flat`, `empty` and the filtered image of a tile: without its background and the finest noise. Fails if a pixel
 * is not finite.
 */
void stitch_prepare_tile(drua_plan *plan, stitch_job *job, int32_t tile);

/** Whether the tiles of a pair fit about as well at another shift, as tiles with a repeating pattern do. */
static inline bool stitch_is_ambiguous(const stitch_pair *pair)
{
    return pair->rival > 0.95 * pair->correlation;
}

/**
 * Lists the tiles that lie side by side according to the stage, and measures the shift of each pair. A pair is used if
 * its correlation reaches the threshold, cannot be chance, and is clearly higher than at any other shift.
 */
void stitch_measure_pairs(drua_plan *plan, stitch_job *job);

/**
 * Finds the positions that fit the shifts of all pairs best, by least squares. Leaves out, one after the other, the
 * pair that contradicts the others most, and reports it. Tiles without a pair keep the position of the stage.
 */
void stitch_solve(drua_plan *plan, stitch_job *job);

#endif
