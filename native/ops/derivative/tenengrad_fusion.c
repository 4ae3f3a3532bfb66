/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuses several stacks to a sharp one. Each pixel is a weighted mean of the stacks; the weights measure how sharp each
 * stack is around the pixel.
 */
#include "plan.h"

#define FLOATS(name, ...) CALL(p, name, DRUA_FLOAT32, __VA_ARGS__)

static drua_operand build_sharpness(drua_plan *p, drua_operand stack, double exponent)
{
    drua_operand energy = FLOATS("tenengrad", stack, NUMBER(0));
    if (exponent != 1)
        energy = FLOATS("power", energy, NUMBER(exponent));
    return FLOATS("gaussian_blur", energy, NUMBER(plan_number(p, "sigma_x")), NUMBER(plan_number(p, "sigma_y")),
                  NUMBER(plan_number(p, "sigma_z")));
}

static void build_fusion(drua_plan *p, const drua_operand *stacks, int count, double exponent)
{
    drua_operand sum = {0}, weights = {0};
    for (int i = 0; i < count; i++) {
        drua_operand weight = build_sharpness(p, stacks[i], exponent),
                     part = FLOATS("multiply_images", stacks[i], weight);
        sum = i ? FLOATS("add_images", sum, part) : part;
        weights = i ? FLOATS("add_images", weights, weight) : weight;
    }
    drua_operand mean = FLOATS("divide_images", sum, FLOATS("add_image_and_scalar", weights, NUMBER(1e-30)));
    plan_return(p, "destination",
                /* power 1 rounds the mean to integers */
                CALL(p, "power", plan_type(p, "destination"), mean, NUMBER(1)));
}

enum { LIMIT = 12 };

static void fuse_sources(drua_plan *p, int count)
{
    static const char *const names[] = {"source1", "source2", "source3", "source4", "source5", "source6",
                                        "source7", "source8", "source9", "source10", "source11", "source12"};
    drua_operand stacks[LIMIT];
    for (int i = 0; i < count; i++)
        stacks[i] = plan_operand(p, names[i]);
    build_fusion(p, stacks, count, 1);
}

static void build_interleaved(drua_plan *p)
{
    drua_operand stacks[LIMIT];
    int count = (int)plan_integer(p, "number_of_stacks");
    for (int i = 0; i < count; i++)
        stacks[i] = CALL(p, "reduce_stack", DRUA_NO_TYPE, plan_operand(p, "source"), NUMBER(count), NUMBER(i));
    build_fusion(p, stacks, count, plan_number(p, "exponent"));
}

static void interleaved_shape(drua_plan *p, drua_shape *shape)
{
    int64_t count = plan_integer(p, "number_of_stacks");
    if (shape->depth < count)
        plan_fail(p, "number_of_stacks must be 1 to %lld, the number of slices, got %lld", (long long)shape->depth,
                  (long long)count);
    shape->depth /= count;
}

#define STACK(n) DRUA_IMAGE_IN("source" #n, "stack")
#define RESULT(...) DRUA_IMAGE_OUT("destination", "fused stack", __VA_ARGS__)
#define SIGMAS DRUA_SIGMA("x", 15), DRUA_SIGMA("y", 15), DRUA_SIGMA("z", 5)
#define METHOD "weights are the energy of Sobel's gradient, smoothed by a Gaussian (Tenengrad)"

DRUA_OP(tenengrad_fusion) = {
    .name = "tenengrad_fusion",
    .category = "filter",
    .summary = "Makes one sharp stack from interleaved stacks: each pixel comes mostly from the sharpest stack.",
    .source = METHOD,
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "frames or stacks, interleaved"), RESULT(.shape = interleaved_shape),
                DRUA_INTEGER("number_of_stacks", "number of interleaved stacks", DRUA_RANGE(1, 12), .default_value = 1,
                             .example = 2),
                SIGMAS,
                DRUA_NUMBER("exponent", "larger values give the sharpest stack more weight", .default_value = 1)),
    DRUA_ALIASES("CLIJx tenengradFusion: source, destination, number_of_stacks, sigma_x, sigma_y, sigma_z, exponent"),
    .numeric = DRUA_DEVICE,
    .build = build_interleaved,
};

#define FUSION_OF(count)                                                                                               \
    static void fuse_##count(drua_plan *p)                                                                             \
    {                                                                                                                  \
        fuse_sources(p, count);                                                                                        \
    }
#define FUSION(name_, count, names_, ...)                                                                              \
    {                                                                                                                  \
        .name = #name_, .category = "filter", .source = METHOD, .numeric = DRUA_DEVICE, .build = fuse_##count,         \
        .summary = "Makes one sharp stack from " #count " stacks: each pixel comes mostly from the sharpest one.",     \
        DRUA_PARAMS(__VA_ARGS__, RESULT(.shape = NULL), SIGMAS),                                                       \
        DRUA_ALIASES("CLIJx tenengradFusionOf" #count ": source1, source2" names_                                      \
                     ", destination, sigma_x, sigma_y, sigma_z")                                                       \
    }

FUSION_OF(2)
DRUA_OP(tenengrad_fusion_of_2) = FUSION(tenengrad_fusion_of_2, 2, "", STACK(1), STACK(2));
FUSION_OF(3)
DRUA_OP(tenengrad_fusion_of_3) = FUSION(tenengrad_fusion_of_3, 3, ", source3", STACK(1), STACK(2), STACK(3));
FUSION_OF(4)
DRUA_OP(tenengrad_fusion_of_4) = FUSION(tenengrad_fusion_of_4, 4, ", source3, source4", STACK(1), STACK(2), STACK(3),
                                        STACK(4));
FUSION_OF(5)
DRUA_OP(tenengrad_fusion_of_5) = FUSION(tenengrad_fusion_of_5, 5, ", source3, source4, source5", STACK(1), STACK(2),
                                        STACK(3), STACK(4), STACK(5));
FUSION_OF(6)
DRUA_OP(tenengrad_fusion_of_6) = FUSION(tenengrad_fusion_of_6, 6, ", source3, source4, source5, source6", STACK(1),
                                        STACK(2), STACK(3), STACK(4), STACK(5), STACK(6));
FUSION_OF(7)
DRUA_OP(tenengrad_fusion_of_7) = FUSION(tenengrad_fusion_of_7, 7, ", source3, source4, source5, source6, source7",
                                        STACK(1), STACK(2), STACK(3), STACK(4), STACK(5), STACK(6), STACK(7));
FUSION_OF(8)
DRUA_OP(tenengrad_fusion_of_8) = FUSION(tenengrad_fusion_of_8, 8,
                                        ", source3, source4, source5, source6, source7, source8", STACK(1), STACK(2),
                                        STACK(3), STACK(4), STACK(5), STACK(6), STACK(7), STACK(8));
FUSION_OF(9)
DRUA_OP(tenengrad_fusion_of_9) = FUSION(tenengrad_fusion_of_9, 9,
                                        ", source3, source4, source5, source6, source7, source8, source9", STACK(1),
                                        STACK(2), STACK(3), STACK(4), STACK(5), STACK(6), STACK(7), STACK(8), STACK(9));
FUSION_OF(10)
DRUA_OP(tenengrad_fusion_of_10) = FUSION(tenengrad_fusion_of_10, 10,
                                         ", source3, source4, source5, source6, source7, source8, source9, source10",
                                         STACK(1), STACK(2), STACK(3), STACK(4), STACK(5), STACK(6), STACK(7), STACK(8),
                                         STACK(9), STACK(10));
FUSION_OF(11)
DRUA_OP(tenengrad_fusion_of_11) = FUSION(
    tenengrad_fusion_of_11, 11, ", source3, source4, source5, source6, source7, source8, source9, source10, source11",
    STACK(1), STACK(2), STACK(3), STACK(4), STACK(5), STACK(6), STACK(7), STACK(8), STACK(9), STACK(10), STACK(11));
FUSION_OF(12)
DRUA_OP(tenengrad_fusion_of_12) = FUSION(
    tenengrad_fusion_of_12, 12,
    ", source3, source4, source5, source6, source7, source8, source9, source10, source11, source12", STACK(1), STACK(2),
    STACK(3), STACK(4), STACK(5), STACK(6), STACK(7), STACK(8), STACK(9), STACK(10), STACK(11), STACK(12));
