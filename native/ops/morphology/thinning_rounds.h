/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounds of thinning until a round removes nothing. The number of rounds depends on the thickest object, so the host
 * sends them in batches, each twice as long as the one before it, and checks after each batch.
 */
#ifndef DRUA_THINNING_ROUNDS_H
#define DRUA_THINNING_ROUNDS_H

#include "plan.h"

enum {
    THINNING_MAX_ROUNDS = 64, /* in a batch */
    THINNING_TILE_ITEMS = 256 /* work-items of a tile of a plane; as in kernels/morphology/skeleton_plane.cl */
};

typedef struct thinning_rounds {
    drua_view changed; /* THINNING_MAX_ROUNDS + 1 numbers: changed[round] says whether the previous round removed
                          something */
    drua_view counts; /* numbers that each batch begins with 0; without them `counters` is 0 */
    int counters; /* of one round */
    void (*send)(drua_plan *plan, void *state, int round);
    void *state;
} thinning_rounds;

/* Number of tiles of a plane whose rows consist of this many pairs of words. */
int64_t thinning_tiles(int32_t pairs, int32_t height);

void thin_until_stable(drua_plan *plan, const thinning_rounds *rounds);

#endif
