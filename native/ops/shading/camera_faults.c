/* SPDX-License-Identifier: BSD-3-Clause */
/* Removes artefacts that a camera or a light sheet adds at fixed positions: single wrong pixels, and stripes. */
#include "plan.h"

enum { BRIGHT, DARK, BRIGHT_AND_DARK };

static void build_replace_hot_pixels(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source"), one = NUMBER(1);
    const drua_type type = plan_type(p, "source");
    const int which = plan_choice(p, "which");
    const drua_operand median = CALL(p, "median_box", type, source, one, one, NUMBER(0));
    /* float32, because the difference of two signed integers may exceed their type */
    const drua_operand difference =
        CALL(p, which == BRIGHT_AND_DARK ? "absolute_difference" : "subtract_images", DRUA_FLOAT32,
             which == DARK ? median : source, which == DARK ? source : median);
    const drua_operand wrong = CALL(p, "greater_constant", DRUA_UINT8, difference, NUMBER(plan_number(p, "threshold")));
    const drua_operand replaced = CALL(p, "mask", type, median, wrong),
                       kept = CALL(p, "binary_subtract", type, source, wrong);
    plan_return(p, "destination", CALL(p, "add_images", plan_type(p, "destination"), replaced, kept));
}

static drua_operand blur_one_axis(drua_plan *p, drua_operand image, double sigma, bool along_x)
{
    return CALL(p, "gaussian_blur", DRUA_FLOAT32, image, NUMBER(along_x ? sigma : 0), NUMBER(along_x ? 0 : sigma),
                NUMBER(0));
}

/* Blurring would spread a pixel that is NaN or infinite over all pixels around it. */
static void check_finite(drua_plan *p, drua_operand source)
{
    if (plan_type(p, "source") == DRUA_FLOAT32 && !isfinite(plan_call_number(p, "sum_of_all_pixels", &source, 1)))
        plan_fail(p, "source holds pixels that are NaN or infinite; replace them first, for example with "
                     "undefinedToZero");
}

static void build_remove_stripes(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source");
    check_finite(p, source);
    const bool horizontal = plan_choice(p, "direction") == 0;
    const drua_operand limited = CALL(p, "minimum_image_and_scalar", DRUA_FLOAT32, source,
                                      NUMBER(plan_number(p, "brightest"))),
                       lines = blur_one_axis(p, limited, plan_number(p, "stripe_length"), horizontal),
                       background = blur_one_axis(p, lines, plan_number(p, "stripe_width"), !horizontal),
                       stripes = CALL(p, "subtract_images", DRUA_FLOAT32, lines, background),
                       clean = CALL(p, "add_images_weighted", DRUA_FLOAT32, source, stripes, NUMBER(1), NUMBER(-1));
    /* power 1 rounds the result to integers */
    plan_return(p, "destination", CALL(p, "power", plan_type(p, "destination"), clean, NUMBER(1)));
}

#define RESULT DRUA_IMAGE_OUT("destination", "corrected image")

DRUA_OP(replace_hot_pixels) = {
    .name = "replace_hot_pixels",
    .category = "filter",
    .menu = true,
    .summary = "Replaces single pixels that differ much from their neighbours, such as hot pixels of a camera.",
    .source = "a pixel that differs from the median of the 3 x 3 pixels around it in its slice by more than the "
              "threshold becomes that median; ImageJ's Remove Outliers with radius 1",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image with hot pixels"), RESULT,
                DRUA_NUMBER("threshold", "difference from the median above which a pixel is wrong",
                            .unit = "grey value", DRUA_RANGE(0, 1e9), .default_value = 50),
                DRUA_CHOICE("which", "which wrong pixels to replace", .default_text = "bright",
                            DRUA_CHOICES("bright", "dark", "both"))),
    .numeric = DRUA_EXACT,
    .build = build_replace_hot_pixels,
};

DRUA_OP(remove_stripes) = {
    .name = "remove_stripes",
    .category = "filter",
    .menu = true,
    .summary = "Removes straight stripes along rows or columns, such as shadows of a light sheet or lines of a camera.",
    .source = "source - (L - G L): L is a Gaussian of the source along the stripes, G L a Gaussian of L across them. "
              "In Fourier space, this removes the band of waves that are long along the stripes and short across them",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image with stripes"), RESULT,
                DRUA_CHOICE("direction", "direction of the stripes", .default_text = "horizontal",
                            DRUA_CHOICES("horizontal", "vertical")),
                DRUA_NUMBER("stripe_length", "standard deviation along the stripes; objects must be shorter",
                            .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 50),
                DRUA_NUMBER("stripe_width", "standard deviation across the stripes; larger than the widest stripe",
                            .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 10),
                DRUA_NUMBER("brightest",
                            "upper limit: in the estimate of the stripes, brighter pixels get this grey value, so that "
                            "bright objects have no effect",
                            .unit = "grey value", DRUA_RANGE(0, 1e9), .default_value = 1e9)),
    .numeric = DRUA_DEVICE,
    .build = build_remove_stripes,
};
