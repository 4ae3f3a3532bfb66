/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows labels until no free pixel is left, on tiles with a margin. */
#include "labels.h"
#include "margins.h"

/*
 * Makes as many steps as the margin has pixels. A pixel that has a label then keeps it, and depends on no pixel beyond
 * the margin. Marks free pixels that touch a label as undecided.
 */
static void launch_grow_near(drua_plan *p)
{
    const drua_view from = plan_image(p, "source"), mask = plan_image(p, "mask"), to = plan_image(p, "destination");
    const drua_shape of = plan_shape(p, "source");
    const drua_view grown[] = {plan_scratch(p, of, DRUA_UINT32), plan_scratch(p, of, DRUA_UINT32)},
                    marks = plan_scratch(p, of, DRUA_UINT8);
    const int64_t margin = plan_integer(p, "margin");
    LAUNCH(p, "mask_labels", plan_grid(from.layout), ARG(from), ARG(mask), INT(1), ARG(grown[0]));
    for (int64_t step = 0; step < margin && !plan_failed(p); step++)
        LAUNCH(p, "grow_in_mask", plan_grid(from.layout), ARG(grown[step % 2]), ARG(mask), INT(step % 2 == 0),
               ARG(grown[(step + 1) % 2]));
    LAUNCH(p, "margin_of_growth", plan_grid(from.layout), ARG(grown[margin % 2]), ARG(mask), ARG(marks), ARG(to));
    margin_check(p, "source", marks, "region");
}

static const drua_op grow_near = {
    .name = "grow_labels",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"), DRUA_IMAGE_IN("mask", "labels grow where it is not 0"),
                DRUA_LABELS_OUT("destination", "label map, grown", .type = DRUA_UINT32), MARGIN),
    .numeric = DRUA_EXACT,
    .launch = launch_grow_near,
    .parts = margin_parts,
};

drua_operand labels_grow_within(drua_plan *p, drua_operand labels, drua_operand mask, int64_t margin)
{
    return CALL_RECORDED(p, &grow_near, DRUA_UINT32, labels, mask, NUMBER((double)margin));
}

drua_operand labels_grow_everywhere_within(drua_plan *p, drua_operand labels, int64_t margin)
{
    const drua_operand everywhere = CALL(p, "not_equal_constant", DRUA_UINT8, labels, NUMBER(-1));
    return labels_grow_within(p, labels, everywhere, margin);
}
