/* SPDX-License-Identifier: BSD-3-Clause */
#include "chamfer.h"

#include <stdlib.h>

/*
 * Returns the weight of a step by one pixel along `ones` axes and by two pixels along `twos` axes; 0: the metric has no
 * such step.
 */
static float weight_of(int choice, bool flat, int ones, int twos)
{
    static const float weights[][3] = {{1, 1, 1}, {1, 2, 3}, {1, 1.41421356f, 1.73205081f}, {3, 4, 5}, {3, 4, 5}};
    const bool knight = choice == CHAMFER_CHESSKNIGHT;
    if (knight && twos == 1)
        return flat && ones == 1 ? 11 : !flat && ones == 2 ? 7.0f : 0.0f;
    if (twos > 0 || ones == 0)
        return 0;
    if (knight && flat)
        return ones == 1 ? 5 : 7;
    return weights[choice][ones - 1];
}

chamfer_metric chamfer_metric_of(int choice, bool flat)
{
    chamfer_metric metric = {.unit = weight_of(choice, flat, 1, 0)};
    const int deep = flat ? 0 : 2;
    for (int z = -deep; z <= deep; z++)
        for (int y = -2; y <= 2; y++)
            for (int x = -2; x <= 2; x++) {
                const int ones = (abs(x) == 1) + (abs(y) == 1) + (abs(z) == 1),
                          twos = (abs(x) == 2) + (abs(y) == 2) + (abs(z) == 2);
                const float weight = weight_of(choice, flat, ones, twos);
                if (weight > 0)
                    metric.steps[metric.count++] = (chamfer_step){x, y, z, weight};
            }
    return metric;
}

drua_view chamfer_keys(drua_plan *p, drua_layout of)
{
    return plan_scratch_bytes(p, (uint64_t)drua_layout_count(&of) * sizeof(uint64_t));
}

/* The arguments that all launches of chamfer_spread share. */
typedef struct spreading {
    drua_view keys;
    const chamfer_metric *metric;
    bool grows;
    float limit;
} spreading;

/* Lowers the keys of tiles around which the last launch has changed something. */
static void relax_tiles(drua_plan *p, const geodesic_pass *pass, const void *state)
{
    const spreading *s = state;
#define RELAX POINTER(s->keys), STEPS_OF(s->metric), INT(s->grows), REAL(s->limit), EXTENT_OF(pass->of), PASS_OF(pass)
    if (plan_device(p)->is_gpu)
        LAUNCH(p, "chamfer_relax", GEODESIC_TILES(pass), RELAX);
    else
        LAUNCH(p, "chamfer_relax_in_order", GRID(pass->tiles, 1, 1, 1, 1, 1), RELAX, INT(pass->tiles));
}

void chamfer_spread(drua_plan *p, drua_view keys, drua_layout of, const chamfer_metric *metric, bool grows, float limit)
{
    const spreading s = {keys, metric, grows, limit};
    geodesic_repeat(p, of, relax_tiles, &s);
}
