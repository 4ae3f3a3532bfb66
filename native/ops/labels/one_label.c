/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the pixels of one label. The kernels keep all bits of 32-bit integers, which expressions round to float32. */
#include "plan.h"

#include <math.h>

/* The label as an integer of 64 bits, and as float32; no pixel has INT64_MIN or NaN. */
#define LABEL(number)   LONG((number) == floor(number) && fabs(number) < 0x1p62 ? (int64_t)(number) : INT64_MIN)
#define EXACTLY(number) REAL((double)(float)(number) == (number) ? (float)(number) : NAN)

static void launch_label_to_mask(drua_plan *p)
{
    const drua_view mask = plan_image(p, "destination");
    const double index = plan_number(p, "label_index");
    LAUNCH(p, "label_to_mask", plan_grid(mask.layout), ARG(plan_image(p, "label_map")), LABEL(index), EXACTLY(index),
           ARG(mask));
}

static void launch_mask_label(drua_plan *p)
{
    const drua_view result = plan_image(p, "destination");
    const double index = plan_number(p, "label_index");
    LAUNCH(p, "mask_label", plan_grid(result.layout), ARG(plan_image(p, "source")), ARG(plan_image(p, "label_map")),
           LABEL(index), EXACTLY(index), ARG(result));
}

#define LABELS DRUA_IMAGE_IN("label_map", "label map")
#define INDEX  DRUA_NUMBER("label_index", "label of the object", .unit = "label", .default_value = 1)

DRUA_OP(mask_label) = {
    .name = "mask_label",
    .category = "labels",
    .summary = "Keeps an image inside one labelled object and sets it to 0 outside.",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to read"), LABELS, DRUA_IMAGE_OUT("destination", "result"), INDEX),
    DRUA_ALIASES("CLIJ2/CLIJx maskLabel: source, label_map, &destination, label_index"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_KEEPS_LABELS,
    .expression = "IF(b == s, a, 0.0f)",
    .launch = launch_mask_label,
    .parts = plan_parts_pixels,
};

DRUA_OP(label_to_mask) = {
    .name = "label_to_mask",
    .category = "labels",
    .summary = "Marks the pixels of one labelled object.",
    DRUA_PARAMS(LABELS, DRUA_IMAGE_OUT("destination", "mask: 1 inside the object, else 0"), INDEX),
    DRUA_ALIASES("CLIJ2/CLIJx labelToMask: label_map, &destination, label_index"),
    .numeric = DRUA_EXACT,
    .expression = "IF(a == s, 1.0f, 0.0f)",
    .launch = launch_label_to_mask,
    .parts = plan_parts_pixels,
};
