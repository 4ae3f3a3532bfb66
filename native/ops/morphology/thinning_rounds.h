/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounds of thinning until a round removes nothing. The number of rounds depends on the thickest object, so the host
 * sends them in batches. A batch has half as many rounds as all batches before it, but at least four and at most
 * THINNING_MAX_ROUNDS. After each batch, the host checks whether its last round removed something.
 */
#ifndef DRUA_THINNING_ROUNDS_H
#define DRUA_THINNING_ROUNDS_H

#include "plan.h"

enum {
    THINNING_MAX_ROUNDS = 64, /* in a batch */
    THINNING_TILE_ITEMS = 256 /* work-items of a tile of a plane; as in kernels/morphology/skeleton_plane.cl */
};

typedef struct thinning_rounds {
    drua_view changed; /* THINNING_MAX_ROUNDS + 1 numbers: changed[i + 1] says whether round i of the batch removed
                          something; changed[0] is 1 */
    drua_view counts; /* set to 0 before each batch, `counters` numbers for each round; unused if `counters` is 0 */
    int counters; /* of one round */
    void (*send)(drua_plan *plan, void *state, int round);
    void *state;
} thinning_rounds;

/* Number of tiles of a plane whose rows consist of this many pairs of words. */
int64_t thinning_tiles(int32_t pairs, int32_t height);

void thin_until_stable(drua_plan *plan, const thinning_rounds *rounds);

#endif
