/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#define BLUR(p, source, n)                                                                                                       \
    CALL(p, "gaussian_blur", plan_type(p, "source"), source, NUMBER(plan_number(p, "sigma" n "_x")), NUMBER(plan_number(p, "sigma" n "_y")), \
         NUMBER(plan_number(p, "sigma" n "_z")))

/* Both blurs have the source's type, as in CLIJ2: for a difference with a sign give a float32 image. */
static void build(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"), narrow = BLUR(p, source, "1"), wide = BLUR(p, source, "2");
    plan_return(p, "destination", CALL(p, "subtract_images", plan_type(p, "destination"), narrow, wide));
}

#define SIGMA(name, doc, preset_) DRUA_NUMBER(name, doc, .unit = "pixel", DRUA_RANGE(0, 1000), .preset = preset_)
#define SIGMAS(n, which, xy) SIGMA("sigma" n "_x", which " along x", xy), SIGMA("sigma" n "_y", which " along y", xy), SIGMA("sigma" n "_z", which " along z", 0)

const drua_op drua_op_difference_of_gaussian = {
    .name = "difference_of_gaussian",
    .category = "filter",
    .menu = true,
    .summary = "Subtracts a wide Gaussian from a narrow one: keeps structures of one size, removes noise and background.",
    .source = "gaussian_blur twice, each in the source's type",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to filter"), DRUA_IMAGE_OUT("destination", "filtered image"),
                SIGMAS("1", "standard deviation of the narrow Gaussian", 2), SIGMAS("2", "standard deviation of the wide Gaussian", 10)),
    DRUA_ALIASES("CLIJ2/CLIJx differenceOfGaussian3D: source, &destination, sigma1_x, sigma1_y, sigma1_z, sigma2_x, sigma2_y, sigma2_z",
                 "CLIJ2/CLIJx differenceOfGaussian2D: source, &destination, sigma1_x, sigma1_y, sigma1_z=0, sigma2_x, sigma2_y, sigma2_z=0"),
    .numeric = DRUA_DEVICE,
    .build = build,
};
