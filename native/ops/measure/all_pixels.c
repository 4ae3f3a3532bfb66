/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that describe all pixels of an image, or the pixels in a mask. */
#include "reduction.h"

static const drua_view nothing;

/*
 * Returns the smallest and the largest pixel. With a mask, also returns a sum, which is above 0 if the mask selects any
 * pixel.
 */
static reduction read_extremes(drua_plan *p, drua_view mask)
{
    const drua_view source = plan_image(p, "source");
    if (drua_type_is_wide_integer((drua_type)source.layout.type))
        return reduction_integer_extremes(p, source, mask);
    return reduction_read(
        p, reduction_send_exactly(p, mask.buffer ? "reduce_masked_extremes" : "reduce_extremes", source, mask));
}

/* Population variance, computed from differences from a value near the mean, which avoids cancellation. */
static double variance_of(drua_plan *p, drua_view differences)
{
    const reduction t = reduction_read(p, differences);
    const double square = (t.sum[2] - t.sum[0] * t.sum[0] / t.sum[1]) / t.sum[1];
    return square < 0 ? 0 : square;
}

static double variance_of_all(drua_plan *p)
{
    const drua_view source = plan_image(p, "source");
    return variance_of(p, reduction_send(p, "reduce_deviations", source, reduction_sample(p, source)));
}

/* A sample could miss all pixels of a small mask, so a separate pass computes the mean. */
static double variance_of_masked(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), mask = plan_image(p, "mask");
    return variance_of(p, reduction_send_two(p, "reduce_masked_deviations", source, mask,
                                             reduction_send_two(p, "reduce_masked", source, mask, nothing)));
}

static void plan_sum(drua_plan *p)
{
    plan_set_number(p, "sum", reduction_sum(p, plan_image(p, "source")));
}
/* If all pixels are NaN, the extremes are NaN. */
static void plan_minimum(drua_plan *p)
{
    const reduction t = read_extremes(p, nothing);
    plan_set_number(p, "minimum", t.low <= t.high ? t.low : NAN);
}

static void plan_maximum(drua_plan *p)
{
    const reduction t = read_extremes(p, nothing);
    plan_set_number(p, "maximum", t.low <= t.high ? t.high : NAN);
}

static void plan_count(drua_plan *p)
{
    const drua_view source = plan_image(p, "source");
    const reduction t = reduction_read(p, reduction_send_exactly(p, "reduce_nonzero", source, nothing));
    plan_set_number(p, "count", t.sum[2]);
}

static void plan_mean(drua_plan *p)
{
    const drua_view source = plan_image(p, "source");
    const double sum = reduction_sum(p, source);
    plan_set_number(p, "mean", sum / (double)drua_layout_count(&source.layout));
}

static void plan_variance(drua_plan *p) { plan_set_number(p, "variance", variance_of_all(p)); }
static void plan_deviation(drua_plan *p) { plan_set_number(p, "standard_deviation", sqrt(variance_of_all(p))); }

static void plan_masked_mean(drua_plan *p)
{
    reduction t = reduction_read(
        p, reduction_send_two(p, "reduce_masked", plan_image(p, "source"), plan_image(p, "mask"), nothing));
    plan_set_number(p, "mean", t.sum[0] / t.sum[1]);
}

/* Without any pixel, the extremes are NaN. */
static void plan_masked_minimum(drua_plan *p)
{
    reduction t = read_extremes(p, plan_image(p, "mask"));
    plan_set_number(p, "minimum", t.low <= t.high ? t.low : NAN);
}

static void plan_masked_maximum(drua_plan *p)
{
    reduction t = read_extremes(p, plan_image(p, "mask"));
    plan_set_number(p, "maximum", t.low <= t.high ? t.high : NAN);
}

static void plan_masked_variance(drua_plan *p) { plan_set_number(p, "variance", variance_of_masked(p)); }

static void plan_masked_deviation(drua_plan *p)
{
    plan_set_number(p, "standard_deviation", sqrt(variance_of_masked(p)));
}

static void plan_error(drua_plan *p)
{
    reduction t = reduction_read(
        p, reduction_send_two(p, "reduce_errors", plan_image(p, "source1"), plan_image(p, "source2"), nothing));
    plan_set_number(p, "mean_squared_error", t.sum[0] / t.sum[1]);
}

#define SOURCE "the pixels of blocks of fixed size are combined, then the blocks in a fixed order"
#define MEASURE(name_, plan_, numeric_, summary_, params_, ...)                                                        \
    {                                                                                                                  \
        .name = #name_, .category = "measurement", .summary = summary_, .source = SOURCE, params_,                     \
        DRUA_ALIASES(__VA_ARGS__), .numeric = numeric_, .launch = plan_                                                \
    }
#define ALL(result, doc)                                                                                               \
    .traits = DRUA_PROLOGUE, DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"), DRUA_NUMBER_OUT(result, doc))
#define MASKED(result, doc)                                                                                            \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to measure"), DRUA_IMAGE_IN("mask", "mask; nonzero is inside"),         \
                DRUA_NUMBER_OUT(result, doc))

DRUA_OP(sum_of_all_pixels) =
    MEASURE(sum_of_all_pixels, plan_sum, DRUA_EXACT, "Adds up all pixels.", ALL("sum", "sum of all pixels"),
            "CLIJ2/CLIJx/CLIJ sumOfAllPixels: source; Sum=sum", "CLIJ2 getSumOfAllPixels: source, &sum");
DRUA_OP(mean_of_all_pixels) = MEASURE(mean_of_all_pixels, plan_mean, DRUA_EXACT, "Takes the mean of all pixels.",
                                      ALL("mean", "mean of all pixels"),
                                      "CLIJ2/CLIJx/CLIJ meanOfAllPixels: source; Mean=mean",
                                      "CLIJ2 getMeanOfAllPixels: source, &mean");
DRUA_OP(minimum_of_all_pixels) = MEASURE(minimum_of_all_pixels, plan_minimum, DRUA_EXACT, "Finds the smallest pixel.",
                                         ALL("minimum", "smallest pixel"),
                                         "CLIJ2/CLIJx/CLIJ minimumOfAllPixels: source; Min=minimum",
                                         "CLIJ2 getMinimumOfAllPixels: source, &minimum");
DRUA_OP(maximum_of_all_pixels) = MEASURE(maximum_of_all_pixels, plan_maximum, DRUA_EXACT, "Finds the largest pixel.",
                                         ALL("maximum", "largest pixel"),
                                         "CLIJ2/CLIJx/CLIJ maximumOfAllPixels: source; Max=maximum",
                                         "CLIJ2 getMaximumOfAllPixels: source, &maximum");
DRUA_OP(count_nonzero_pixels) = MEASURE(count_nonzero_pixels, plan_count, DRUA_EXACT, "Counts pixels that are not 0.",
                                        ALL("count", "number of pixels that are not 0"),
                                        "CLIJ2/CLIJx countNonZeroPixels: source; CountNonZero=count");
DRUA_OP(variance_of_all_pixels) = MEASURE(variance_of_all_pixels, plan_variance, DRUA_DEVICE,
                                          "Takes the variance of all pixels, as of a whole population.",
                                          ALL("variance", "variance of all pixels"),
                                          "CLIJ2/CLIJx varianceOfAllPixels: source; Variance=variance");
DRUA_OP(standard_deviation_of_all_pixels) =
    MEASURE(standard_deviation_of_all_pixels, plan_deviation, DRUA_DEVICE,
            "Takes the standard deviation of all pixels, as of a whole population.",
            ALL("standard_deviation", "standard deviation of all pixels"),
            "CLIJ2/CLIJx standardDeviationOfAllPixels: source; StandardDeviation=standard_deviation");

DRUA_OP(mean_of_masked_pixels) =
    MEASURE(mean_of_masked_pixels, plan_masked_mean, DRUA_EXACT, "Takes the mean of the pixels inside a mask.",
            MASKED("mean", "mean inside the mask; not a number if the mask is empty"),
            "CLIJ2/CLIJx meanOfMaskedPixels: source, mask; Masked_mean=mean",
            "CLIJ2 getMeanOfMaskedPixels: source, mask, &mean");
DRUA_OP(minimum_of_masked_pixels) =
    MEASURE(minimum_of_masked_pixels, plan_masked_minimum, DRUA_EXACT, "Finds the smallest pixel inside a mask.",
            MASKED("minimum", "smallest pixel inside the mask"),
            "CLIJ2/CLIJx minimumOfMaskedPixels: source, mask; Masked_min=minimum");
DRUA_OP(maximum_of_masked_pixels) =
    MEASURE(maximum_of_masked_pixels, plan_masked_maximum, DRUA_EXACT, "Finds the largest pixel inside a mask.",
            MASKED("maximum", "largest pixel inside the mask"),
            "CLIJ2/CLIJx maximumOfMaskedPixels: source, mask; Masked_max=maximum");
DRUA_OP(variance_of_masked_pixels) =
    MEASURE(variance_of_masked_pixels, plan_masked_variance, DRUA_DEVICE,
            "Takes the variance of the pixels inside a mask.", MASKED("variance", "variance inside the mask"),
            "CLIJ2/CLIJx varianceOfMaskedPixels: source, mask; Masked_variance=variance");
DRUA_OP(standard_deviation_of_masked_pixels) =
    MEASURE(standard_deviation_of_masked_pixels, plan_masked_deviation, DRUA_DEVICE,
            "Takes the standard deviation of the pixels inside a mask.",
            MASKED("standard_deviation", "standard deviation inside the mask"),
            "CLIJ2/CLIJx standardDeviationOfMaskedPixels: source, mask; Masked_standard_deviation=standard_deviation");

DRUA_OP(mean_squared_error) =
    MEASURE(mean_squared_error, plan_error, DRUA_DEVICE,
            "Measures how much two images differ: the mean of their squared differences.",
            DRUA_PARAMS(DRUA_IMAGE_IN("source1", "first image"),
                        DRUA_IMAGE_IN("source2", "second image; if it is smaller, its border is repeated"),
                        DRUA_NUMBER_OUT("mean_squared_error", "mean of the squared differences")),
            "CLIJ2/CLIJx meanSquaredError: source1, source2; MSE=mean_squared_error",
            "CLIJ2 getMeanSquaredError: source1, source2, &mean_squared_error");
