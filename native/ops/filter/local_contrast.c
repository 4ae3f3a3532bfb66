/* SPDX-License-Identifier: BSD-3-Clause */
/* Contrast-limited adaptive histogram equalization (CLAHE), slice by slice. */
#include "../measure/reduction.h"
#include "recorded_calls.h"

/* Grey values that the histograms count as 0 and 255, for images that are not uint8. */
typedef struct range {
    double low, high;
} range;

static void equalize_range(drua_plan *p, const range *r)
{
    enum { ITEMS = 64, SEGMENT = 256, LEVELS = 256 };
    const drua_view from = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = from.layout;
    const uint64_t bytes = (uint64_t)l.width * (uint64_t)l.height * (uint64_t)l.depth;
    const drua_view levels = plan_memory(p, bytes), made = plan_memory(p, bytes);
    const int last_bin = (int)plan_integer(p, "bins") - 1, radius = ((int)plan_integer(p, "block_size") - 1) / 2;
    const int64_t segments = (l.width + SEGMENT - 1) / SEGMENT;
    uint8_t bin_of[LEVELS];
    for (int level = 0; level < LEVELS; level++)
        bin_of[level] = (uint8_t)((float)level / 255.0f * (float)last_bin + 0.5f);
    drua_grid grid = GRID(segments * ITEMS, l.height, l.depth, ITEMS, 1, 1);
    grid.turns = (int64_t)SEGMENT * ITEMS;
    LAUNCH(p, "contrast_levels", plan_grid(l), ARG(from), POINTER(levels), REAL(r->low), REAL(r->high));
    if (plan_device(p)->is_gpu)
        LAUNCH(p, "contrast_equalize", grid, POINTER(levels), TABLE(bin_of, sizeof bin_of), INT(l.width), INT(l.height),
               INT(l.depth), INT(radius), INT(last_bin), REAL(plan_number(p, "slope")), INT(SEGMENT), POINTER(made));
    else
        LAUNCH(p, "contrast_equalize_in_order", GRID(l.height, l.depth, 1, 1, 1, 1), POINTER(levels),
               TABLE(bin_of, sizeof bin_of), INT(l.width), INT(l.height), INT(l.depth), INT(radius), INT(last_bin),
               REAL(plan_number(p, "slope")), POINTER(made));
    LAUNCH(p, "contrast_apply", plan_grid(to.layout), ARG(from), POINTER(levels), POINTER(made), REAL(r->low), ARG(to));
}

#define SETTINGS                                                                                                       \
    DRUA_INTEGER("block_size", "side of the square around each pixel from which the histogram is made",                \
                 .unit = "pixel", DRUA_RANGE(1, 4095), .preset = 127),                                                 \
        DRUA_INTEGER("bins", "number of grey values in histograms", DRUA_RANGE(2, 256), .preset = 256),                \
        DRUA_NUMBER("slope", "limit of contrast: 1 changes nothing, large values equalize fully", DRUA_RANGE(1, 1000), \
                    .preset = 3)

static void window_parts(drua_plan *p, drua_parts *parts)
{
    parts->halo[0] = parts->halo[1] = (plan_integer(p, "block_size") - 1) / 2;
    parts->columns = true;
}

static void plan_equalize(drua_plan *p)
{
    equalize_range(p, plan_state(p));
}

static const drua_op equalize = {
    .name = "equalize",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                DRUA_IMAGE_OUT("destination", "equalized image", .type = DRUA_TYPE_OF_SOURCE), SETTINGS),
    .numeric = DRUA_EXACT,
    .plan = plan_equalize,
    .parts = window_parts,
};

/* Pipelines by blocks record numbers instead of a state. */
static void plan_equalize_between(drua_plan *p)
{
    equalize_range(p, &(range){plan_number(p, "low"), plan_number(p, "high")});
}

static const drua_op equalize_between = {
    .name = "enhance_local_contrast",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"),
                DRUA_IMAGE_OUT("destination", "equalized image", .type = DRUA_TYPE_OF_SOURCE), SETTINGS,
                DRUA_NUMBER("low", "grey value that counts as 0"),
                DRUA_NUMBER("high", "grey value that counts as 255")),
    .numeric = DRUA_EXACT,
    .plan = plan_equalize_between,
    .parts = window_parts,
};

static range measure_range(drua_plan *p)
{
    range r = {0, 255};
    if (plan_type(p, "source") != DRUA_UINT8)
        reduction_finite_extremes(p, "source", &r.low, &r.high);
    return r;
}

static void local_contrast_within(drua_plan *p, int64_t margin)
{
    const range r = measure_range(p);
    (void)margin;
    plan_return(p, "destination",
                CALL_RECORDED(p, &equalize_between, plan_type(p, "destination"), plan_operand(p, "source"),
                              NUMBER((double)plan_integer(p, "block_size")), NUMBER((double)plan_integer(p, "bins")),
                              NUMBER(plan_number(p, "slope")), NUMBER(r.low), NUMBER(r.high)));
}

static void build_local_contrast(drua_plan *p)
{
    range r = measure_range(p);
    const drua_operand source = plan_operand(p, "source");
    const drua_operand operands[] = {source, NUMBER((double)plan_integer(p, "block_size")),
                                     NUMBER((double)plan_integer(p, "bins")), NUMBER(plan_number(p, "slope"))};
    plan_return(
        p, "destination",
        plan_call_private(p, &equalize, &r, plan_type(p, "destination"), operands, sizeof operands / sizeof *operands));
}

DRUA_OP(enhance_local_contrast) = {
    .name = "enhance_local_contrast",
    .category = "filter",
    .menu = true,
    .summary = "Stretches the contrast around each pixel of a slice according to the grey values near it (CLAHE).",
    .source = "contrast-limited adaptive histogram equalization (Zuiderveld 1994) as ImageJ's Enhance Local Contrast "
              "computes it without a mask and without \"fast\", for uint8 (if half a block is wider than the image, "
              "ImageJ leaves out the last column). Images of other types are "
              "equalized as if they had 8 bits from their smallest to their largest grey value, and scaled by the "
              "result",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"), DRUA_IMAGE_OUT("destination", "image with even contrast"), SETTINGS),
    .numeric = DRUA_EXACT,
    .build = build_local_contrast,
    .within = local_contrast_within,
};
