/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures of the agreement between two images. */
#include "reduction.h"

static reduction count_overlap(drua_plan *p, const char *kernel)
{
    return reduction_read(p, reduction_send_exactly(p, kernel, plan_image(p, "source1"), plan_image(p, "source2")));
}

static void launch_jaccard(drua_plan *p)
{
    reduction t = count_overlap(p, "reduce_overlap");
    plan_set_number(p, "jaccard_index", t.sum[0] / t.sum[1]);
}

static void launch_dice(drua_plan *p)
{
    reduction t = count_overlap(p, "reduce_overlap");
    plan_set_number(p, "sorensen_dice_coefficient", 2 * t.sum[0] / (t.sum[0] + t.sum[1]));
}

static void launch_equal(drua_plan *p)
{
    drua_shape a = plan_shape(p, "source1"), b = plan_shape(p, "source2");
    bool same = drua_shape_is_same_size(a, b);
    plan_set_number(p, "equal", same && count_overlap(p, "reduce_differences").high <= plan_number(p, "tolerance"));
}

#define IMAGES DRUA_IMAGE_IN("source1", "image"), DRUA_IMAGE_IN("source2", "image of the same size")

DRUA_OP(jaccard_index) = {
    .name = "jaccard_index",
    .category = "measurement",
    .summary = "Measures how well two masks agree: pixels marked in both, divided by pixels marked in at least one.",
    .source = "intersection divided by union (Jaccard 1912)",
    DRUA_PARAMS(IMAGES, DRUA_NUMBER_OUT("jaccard_index", "0 to 1; not a number if both images are 0")),
    DRUA_ALIASES("CLIJ2/CLIJx jaccardIndex: source1, source2; Jaccard_Index=jaccard_index",
                 "CLIJ2 getJaccardIndex: source1, source2, &jaccard_index"),
    .numeric = DRUA_EXACT,
    .launch = launch_jaccard,
};

DRUA_OP(sorensen_dice_coefficient) = {
    .name = "sorensen_dice_coefficient",
    .category = "measurement",
    .summary = "Measures how well two masks agree: twice the pixels marked in both, divided by the sum of those marked "
               "in each.",
    .source = "twice the intersection divided by the sum of both sizes (Dice 1945; Sorensen 1948)",
    DRUA_PARAMS(IMAGES, DRUA_NUMBER_OUT("sorensen_dice_coefficient", "0 to 1; not a number if both images are 0")),
    DRUA_ALIASES(
        "CLIJ2/CLIJx sorensenDiceCoefficient: source1, source2; Sorensen_Dice_coefficient=sorensen_dice_coefficient",
        "CLIJ2 getSorensenDiceCoefficient: source1, source2, &sorensen_dice_coefficient"),
    .numeric = DRUA_EXACT,
    .launch = launch_dice,
};

DRUA_OP(matrix_equal) = {
    .name = "matrix_equal",
    .category = "measurement",
    .summary = "Returns whether two images have the same size and no pixels that differ by more than a tolerance.",
    .source = "largest absolute difference of two pixels",
    DRUA_PARAMS(IMAGES, DRUA_NUMBER("tolerance", "largest difference", .unit = "grey value", .default_value = 0),
                DRUA_NUMBER_OUT("equal", "1 or 0")),
    DRUA_ALIASES("CLIJ2 matrixEqual: source1, source2, tolerance; MatrixEqual=equal"),
    .numeric = DRUA_EXACT,
    .launch = launch_equal,
};
