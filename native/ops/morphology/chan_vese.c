/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

/* Mean grey values on both sides of the outline. */
typedef struct means {
    double inside, outside;
} means;

static void launch_step(drua_plan *p)
{
    const means *m = plan_state(p);
    const drua_view to = plan_image(p, "destination");
    LAUNCH(p, "chan_vese_step", plan_grid(to.layout), ARG(plan_image(p, "source")), ARG(plan_image(p, "mask")), ARG(to),
           REAL(m->inside), REAL(m->outside), REAL(plan_number(p, "weight_inside")),
           REAL(plan_number(p, "weight_outside")));
}

#define WEIGHTS                                                                                                        \
    DRUA_NUMBER("weight_inside",                                                                                       \
                "weight of differences from the mean inside; larger values make the inside more even",                 \
                DRUA_RANGE(0, 1e6), .default_value = 1),                                                               \
        DRUA_NUMBER("weight_outside", "weight of differences from the mean outside", DRUA_RANGE(0, 1e6),               \
                    .default_value = 1)

static const drua_op step = {
    .name = "chan_vese_step",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image"), DRUA_IMAGE_IN("mask", "binary image"),
                DRUA_IMAGE_OUT("destination", "binary image after the step", .type = DRUA_UINT8), WEIGHTS),
    .numeric = DRUA_DEVICE,
    .launch = launch_step,
    .parts = plan_parts_neighbours,
};

/* `total` and `pixels`: the sum and the number of all pixels. An empty side has the mean 0. */
static means measure_means(drua_plan *p, drua_operand source, drua_operand mask, double total, double pixels)
{
    const drua_operand images[] = {source, mask};
    const double count = plan_call_number(p, "sum_of_all_pixels", &mask, 1);
    const double sum = count > 0 ? count * plan_call_number(p, "mean_of_masked_pixels", images, 2) : 0;
    return (means){count > 0 ? sum / count : 0, count < pixels ? (total - sum) / (pixels - count) : 0};
}

/* Smooths the outline in two halves. Callers alternate the order of the halves from step to step. */
static drua_operand build_smoothing(drua_plan *p, drua_operand mask, bool infimum_first)
{
    const drua_operand half = CALL(p, infimum_first ? "binary_inf_sup" : "binary_sup_inf", DRUA_UINT8, mask);
    const drua_operand result = CALL(p, infimum_first ? "binary_sup_inf" : "binary_inf_sup", DRUA_UINT8, half);
    plan_release_image(p, half);
    plan_release_image(p, mask);
    return result;
}

static void build_chan_vese(drua_plan *p)
{
    const drua_shape shape = plan_shape(p, "source");
    const drua_operand source = plan_operand(p, "source");
    plan_check_same_extent(p, "source", "start");
    const double pixels = (double)shape.width * (double)shape.height * (double)shape.depth,
                 total = plan_call_number(p, "sum_of_all_pixels", &source, 1);
    drua_operand mask = CALL(p, "greater_constant", DRUA_UINT8, plan_operand(p, "start"), NUMBER(0));
    bool infimum_first = true;
    for (int64_t i = 0; i < plan_integer(p, "iterations") && !plan_failed(p); i++) {
        means m = measure_means(p, source, mask, total, pixels);
        const drua_operand arguments[] = {source, mask, NUMBER(plan_number(p, "weight_inside")),
                                          NUMBER(plan_number(p, "weight_outside"))};
        const drua_operand moved = plan_call_private(p, &step, &m, DRUA_UINT8, arguments, 4);
        plan_release_image(p, mask);
        mask = moved;
        for (int64_t k = 0; k < plan_integer(p, "smoothing"); k++, infimum_first = !infimum_first)
            mask = build_smoothing(p, mask, infimum_first);
    }
    plan_return(p, "destination", mask);
}

DRUA_OP(morphological_chan_vese) = {
    .name = "morphological_chan_vese",
    .category = "binary",
    .menu = true,
    .summary = "Moves the outline of a mask until the grey values inside and outside are as even as possible.",
    .source = "morphological active contours without edges (Marquez-Neila 2014), in the steps of scikit-image",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to segment"), DRUA_IMAGE_IN("start", "binary image: above 0 inside"),
                DRUA_IMAGE_OUT("destination", "binary image of the object", .type = DRUA_UINT8),
                DRUA_INTEGER("iterations", "number of steps; the outline moves at most one pixel in each",
                             DRUA_RANGE(0, 10000), .default_value = 35),
                DRUA_INTEGER("smoothing", "smoothing steps after each step", DRUA_RANGE(0, 100), .default_value = 1),
                WEIGHTS),
    .numeric = DRUA_DEVICE,
    .build = build_chan_vese,
};
