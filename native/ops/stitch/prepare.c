/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters tiles for the measurement of shifts. */
#include "stitch.h"

static drua_operand read_tile(drua_plan *p, const stitch_job *j, int32_t tile)
{
    const drua_operand raw = CALL(p, "read_part", DRUA_NO_TYPE, TEXT(j->paths[tile]), NUMBER((double)j->channel),
                                  NUMBER((double)j->frame)),
                       floats = CALL(p, "copy", DRUA_FLOAT32, raw);
    plan_operand_image(p, floats); /* computes it before its source goes */
    plan_release_image(p, raw);
    return floats;
}

/* A tile as float32. */
static drua_operand tile_at(drua_plan *p, const stitch_job *j, int32_t tile)
{
    if (j->paths)
        return read_tile(p, j, tile);
    return CALL(p, "crop", DRUA_FLOAT32, plan_operand(p, "tiles"), NUMBER(0), NUMBER(0),
                NUMBER((double)tile * (double)j->shape.depth), NUMBER((double)j->shape.width),
                NUMBER((double)j->shape.height), NUMBER((double)j->shape.depth));
}

/* Returns a mask of the pixels that are 0, and replaces these pixels with the mean of all others. */
static drua_operand fill_zeros(drua_plan *p, const stitch_job *j, drua_operand *tile)
{
    const drua_operand zeros = CALL(p, "equal_constant", DRUA_UINT8, *tile, NUMBER(0));
    const double all = (double)(j->shape.width * j->shape.height * j->shape.depth),
                 others = all - plan_call_number(p, "sum_of_all_pixels", &zeros, 1),
                 mean = others > 0 ? plan_call_number(p, "sum_of_all_pixels", tile, 1) / others : 0;
    const drua_operand filled = CALL(p, "add_images_weighted", DRUA_FLOAT32, *tile, zeros, NUMBER(1), NUMBER(mean));
    plan_release_image(p, *tile);
    *tile = filled;
    return zeros;
}

/* Makes missing pixels NaN or infinite, and also pixels so near that the filter has read a missing pixel. */
static drua_operand mark_missing(drua_plan *p, drua_operand filtered, drua_operand zeros)
{
    const double reach = 6;
    const drua_operand near = CALL(p, "maximum_box", DRUA_UINT8, zeros, NUMBER(reach), NUMBER(reach), NUMBER(0)),
                       known = CALL(p, "equal_constant", DRUA_UINT8, near, NUMBER(0)),
                       marked = CALL(p, "divide_images", DRUA_FLOAT32, filtered, known);
    plan_operand_image(p, marked); /* computes it before its sources go */
    plan_release_image(p, near);
    plan_release_image(p, known);
    plan_release_image(p, filtered);
    return marked;
}

static void check_finite(drua_plan *p, const stitch_job *j, drua_operand tile, int32_t i)
{
    if (j->type != DRUA_FLOAT32 || isfinite(plan_call_number(p, "sum_of_all_pixels", &tile, 1)))
        return;
    if (j->paths)
        plan_fail(p, "the tile %s has pixels that are not finite numbers; replace them with undefinedToZero",
                  j->paths[i]);
    plan_fail(p, "tile %d has pixels that are not finite numbers; replace them with undefinedToZero", (int)i + 1);
}

void stitch_prepare_tile(drua_plan *p, stitch_job *j, int32_t i)
{
    const double fine = 0.7, coarse = 4;
    if (j->prepared[i] || plan_failed(p))
        return;
    drua_operand tile = tile_at(p, j, i), zeros = {0};
    j->prepared[i] = true;
    check_finite(p, j, tile, i);
    const double top = plan_call_number(p, "maximum_of_all_pixels", &tile, 1);
    if (j->misses_zeros)
        zeros = fill_zeros(p, j, &tile);
    const double low = plan_call_number(p, "minimum_of_all_pixels", &tile, 1),
                 high = j->misses_zeros ? plan_call_number(p, "maximum_of_all_pixels", &tile, 1) : top;
    j->tiles[i].flat = !(high > low);
    j->tiles[i].empty = j->tiles[i].flat && low == 0;
    j->filtered[i] = CALL(p, "difference_of_gaussian", DRUA_FLOAT32, tile, NUMBER(fine), NUMBER(fine), NUMBER(0),
                          NUMBER(coarse), NUMBER(coarse), NUMBER(0));
    if (j->misses_zeros) {
        j->filtered[i] = mark_missing(p, j->filtered[i], zeros);
        plan_release_image(p, zeros);
    }
    plan_release_image(p, tile);
}
