/* SPDX-License-Identifier: BSD-3-Clause */
#include "binary_bits.h"

static void launch_lines(drua_plan *p, bool all)
{
    drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const bool deep = plan_shape(p, "source").dimension == 3 && plan_shape(p, "source").depth > 1;
    if (!drua_layout_is_same_size(&from.layout, &to.layout)) {
        LAUNCH(p, "lines_of_pixels", plan_grid(to.layout), ARG(from), ARG(to), INT(deep), INT(all));
        return;
    }
    drua_mask mask = mask_pack(p, false);
    mask.spare = plan_scratch_bytes(p, 4 * (uint64_t)mask.words);
    LAUNCH(p, "lines_of_words", GRID(mask.words, 1, 1, 64, 1, 1), POINTER(mask.bits), POINTER(mask.spare),
           INT(mask.row), INT(mask.width), INT(mask.height), INT(mask.depth), INT(deep), INT(all));
    mask.bits = mask.spare;
    mask_unpack(p, &mask, false);
}

static void plan_sup_inf(drua_plan *p)
{
    launch_lines(p, true);
}
static void plan_inf_sup(drua_plan *p)
{
    launch_lines(p, false);
}

#define LINES(name_, function, summary_)                                                                               \
    {                                                                                                                  \
        .name = #name_, .category = "binary", .summary = summary_, .numeric = DRUA_EXACT, .launch = function,          \
        .parts = plan_parts_neighbours,                                                                                \
        .source = "4 lines of 3 pixels, in stacks 9 planes of 3 x 3 pixels (Marquez-Neila et al. 2014); pixels "       \
                  "outside the image are background",                                                                  \
        DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "binary image"))            \
    }

DRUA_OP(binary_sup_inf) =
    LINES(binary_sup_inf, plan_sup_inf,
          "Smooths outlines from inside: keeps pixels in the middle of a full line, in stacks of a full plane.");
DRUA_OP(binary_inf_sup) =
    LINES(binary_inf_sup, plan_inf_sup,
          "Smooths outlines from outside: adds pixels that no empty line, in stacks no empty plane, runs through.");
