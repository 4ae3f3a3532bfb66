/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

/* Pixels are immutable, so a copy of the same type is the same memory until one of the two changes. */
static bool view(drua_plan *p)
{
    plan_share(p, "destination", "source", plan_image(p, "source").layout);
    return true;
}

const drua_op drua_op_copy = {
    .name = "copy",
    .category = "image",
    .summary = "Copies an image; an existing destination keeps its size and type.",
    .source = "pixels are copied",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to copy"), DRUA_IMAGE_OUT("destination", "copy")),
    DRUA_ALIASES("CLIJ2/CLIJx/CLIJ copy: source, &destination"),
    .numeric = DRUA_EXACT,
    .expression = "a",
    .view = view,
};
