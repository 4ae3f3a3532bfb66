/* SPDX-License-Identifier: BSD-3-Clause */
#include "thinning_rounds.h"

int64_t thinning_tiles(int32_t pairs, int32_t height)
{
    enum { PAIRS = 2, ROWS = 64 }; /* of a tile; as in kernels/morphology/skeleton_plane.cl */
    return ((int64_t)pairs + PAIRS - 1) / PAIRS * (((int64_t)height + ROWS - 1) / ROWS);
}

void thin_until_stable(drua_plan *p, const thinning_rounds *r)
{
    enum { FIRST = 4, GROUP = 128 };
    uint32_t changed[THINNING_MAX_ROUNDS + 1];
    bool more = true;
    for (int batch = FIRST, done = 0; more && !plan_failed(p);) {
        const int counters = batch * r->counters, items = counters > batch ? counters : batch + 1;
        LAUNCH(p, "skeleton_batch", GRID(items, 1, 1, GROUP, 1, 1), POINTER(r->changed), INT(batch),
               POINTER(counters ? r->counts : r->changed), INT(counters));
        for (int round = 0; round < batch; round++)
            r->send(p, r->state, round);
        plan_read(p, r->changed, changed, sizeof changed);
        more = changed[batch] != 0;
        done += batch;
        batch = done / 2 < FIRST ? FIRST : done / 2 < THINNING_MAX_ROUNDS ? done / 2 : THINNING_MAX_ROUNDS;
    }
}
