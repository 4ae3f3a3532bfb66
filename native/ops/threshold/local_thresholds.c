/* SPDX-License-Identifier: BSD-3-Clause */
/* Local thresholds: each pixel is compared with a value computed from a disk or ball around it. */
#include "plan.h"

#define PIXELS(name, ...) CALL(p, name, DRUA_FLOAT32, __VA_ARGS__)
#define MARKS(name, ...) CALL(p, name, DRUA_UINT8, __VA_ARGS__)

static drua_operand filter_source(drua_plan *p, const char *filter)
{
    drua_operand radius = NUMBER((double)plan_integer(p, "radius"));
    return PIXELS(filter, plan_operand(p, "source"), radius, radius, radius);
}

/* Marks the pixels above the threshold. */
static void return_pixels_above(drua_plan *p, drua_operand threshold)
{
    plan_return(p, "destination",
                CALL(p, "greater", plan_type(p, "destination"), plan_operand(p, "source"), threshold));
}

static void larger_by(drua_plan *p, drua_operand threshold)
{
    return_pixels_above(p, PIXELS("add_image_and_scalar", threshold, NUMBER(-plan_number(p, "c_value"))));
}

static drua_operand mean_of_two(drua_plan *p, drua_operand low, drua_operand high)
{
    return PIXELS("add_images_weighted", low, high, NUMBER(0.5), NUMBER(0.5));
}

static void build_mean(drua_plan *p)
{
    larger_by(p, filter_source(p, "mean_sphere"));
}
static void build_mid_grey(drua_plan *p)
{
    larger_by(p, mean_of_two(p, filter_source(p, "minimum_sphere"), filter_source(p, "maximum_sphere")));
}

/* Compares with the median. Sorting is faster for the smallest windows, counting for larger ones. */
static void build_median(drua_plan *p)
{
    drua_operand radius = NUMBER((double)plan_integer(p, "radius"));
    if (plan_integer(p, "radius") < 2)
        larger_by(p, filter_source(p, "median_sphere"));
    else
        plan_return(p, "destination",
                    CALL(p, "above_median_sphere", plan_type(p, "destination"), plan_operand(p, "source"), radius,
                         radius, radius, NUMBER(plan_number(p, "c_value"))));
}

static void build_bernsen(drua_plan *p)
{
    drua_operand low = filter_source(p, "minimum_sphere"), high = filter_source(p, "maximum_sphere"),
                 mid = mean_of_two(p, low, high);
    drua_operand flat =
        MARKS("smaller_constant", PIXELS("subtract_images", high, low), NUMBER(plan_number(p, "contrast")));
    drua_operand bright = MARKS("binary_and", flat, MARKS("greater_or_equal_constant", mid, NUMBER(128)));
    drua_operand above = MARKS("binary_subtract", MARKS("greater_or_equal", plan_operand(p, "source"), mid), flat);
    plan_return(p, "destination", CALL(p, "binary_or", plan_type(p, "destination"), above, bright));
}

static void build_contrast(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"), low = filter_source(p, "minimum_sphere"),
                 high = filter_source(p, "maximum_sphere");
    drua_operand to_high = PIXELS("subtract_images", high, source), to_low = PIXELS("subtract_images", source, low);
    plan_return(p, "destination",
                CALL(p, "binary_and", plan_type(p, "destination"), MARKS("smaller_or_equal", to_high, to_low), source));
}

/*
 * A parameter of 0 selects the value that the method's authors recommend, as in Fiji's Auto Local Threshold and in
 * CLIJx.
 */
static double given_or(drua_plan *p, const char *name, double usual)
{
    double given = plan_number(p, name);
    return given == 0 ? usual : given;
}

static void build_niblack(drua_plan *p)
{
    drua_operand spread =
        PIXELS("add_image_and_scalar", filter_source(p, "variance_sphere"), NUMBER(-plan_number(p, "c_value")));
    drua_operand deviation = PIXELS("power", PIXELS("maximum_image_and_scalar", spread, NUMBER(0)), NUMBER(0.5));
    return_pixels_above(p, PIXELS("add_images_weighted", filter_source(p, "mean_sphere"), deviation, NUMBER(1),
                                  NUMBER(given_or(p, "k", 0.2))));
}

/* Returns 1 + k (deviation / r - 1). */
static drua_operand build_weight(drua_plan *p, drua_operand deviation, double scale, double k, double r)
{
    return PIXELS("add_image_and_scalar", PIXELS("multiply_image_and_scalar", deviation, NUMBER(k * scale / r)),
                  NUMBER(1 - k));
}

static void build_sauvola(drua_plan *p)
{
    drua_operand factor =
        build_weight(p, filter_source(p, "standard_deviation_sphere"), 1, given_or(p, "k", 0.5), given_or(p, "r", 128));
    return_pixels_above(p, PIXELS("multiply_images", filter_source(p, "mean_sphere"), factor));
}

/* Phansalkar's formula applies to grey values divided by 255. */
static void build_phansalkar(drua_plan *p)
{
    const double scale = 1.0 / 255;
    const double k = given_or(p, "k", 0.25), r = given_or(p, "r", 0.5);
    drua_operand mean = filter_source(p, "mean_sphere"),
                 factor = build_weight(p, filter_source(p, "standard_deviation_sphere"), scale, k, r);
    drua_operand lift = PIXELS("exponential", PIXELS("multiply_image_and_scalar", mean, NUMBER(-10 * scale)));
    return_pixels_above(
        p, PIXELS("multiply_images", mean, PIXELS("add_images_weighted", factor, lift, NUMBER(1), NUMBER(2))));
}

#define IMAGES                                                                                                         \
    DRUA_IMAGE_IN("source", "image to segment"), DRUA_IMAGE_OUT("destination", "mask"),                                \
        DRUA_INTEGER("radius", "radius of the disk or ball", .unit = "pixel", DRUA_RANGE(0, 1000),                     \
                     .default_value = 15)
#define VALUE(name, doc_, default_) DRUA_NUMBER(name, doc_, .default_value = default_)
#define LARGEST(doc_, default_)     DRUA_NUMBER("r", doc_, DRUA_RANGE(0, 1e9), .default_value = default_)
#define C_VALUE VALUE("c_value", "subtracted from the threshold", 7)

#define LOCAL_THRESHOLD(name_, function, camel_, method_, numeric_, summary_, params_, ...)                            \
    {                                                                                                                  \
        .name = #name_, .category = "threshold", .summary = summary_, .source = method_, .numeric = numeric_,          \
        .build = function, params_,                                                                                    \
        DRUA_ALIASES("CLIJx localThreshold" camel_ ": source, "                                                        \
                     "&destination, radius" __VA_ARGS__)                                                               \
    }

DRUA_OP(local_threshold_bernsen) = LOCAL_THRESHOLD(
    local_threshold_bernsen, build_bernsen, "Bernsen", "Bernsen 1986", DRUA_EXACT,
    "Marks pixels above the mean of the darkest and the brightest pixel around them. If these two differ little, marks "
    "all pixels of a bright area.",
    DRUA_PARAMS(IMAGES, VALUE("contrast",
                              "smallest difference between the brightest and the darkest pixel; below it, "
                              "the area is treated as uniform",
                              15)),
    ", contrast");
DRUA_OP(local_threshold_contrast) =
    LOCAL_THRESHOLD(local_threshold_contrast, build_contrast, "Contrast", "toggle contrast (Soille 2004)", DRUA_EXACT,
                    "Marks pixels at least as near to the brightest grey value around them as to the darkest.",
                    DRUA_PARAMS(IMAGES), "");
DRUA_OP(local_threshold_mean) = LOCAL_THRESHOLD(local_threshold_mean, build_mean, "Mean", "mean of the disk or ball",
                                                DRUA_EXACT,
                                                "Marks pixels brighter than the mean around them, minus an offset.",
                                                DRUA_PARAMS(IMAGES, C_VALUE), ", c_value");
DRUA_OP(local_threshold_median) = LOCAL_THRESHOLD(local_threshold_median, build_median, "Median",
                                                  "median of the disk or ball", DRUA_EXACT,
                                                  "Marks pixels brighter than the median around them, minus an offset.",
                                                  DRUA_PARAMS(IMAGES, C_VALUE), ", c_value");
DRUA_OP(local_threshold_mid_grey) = LOCAL_THRESHOLD(
    local_threshold_mid_grey, build_mid_grey, "MidGrey", "mean of minimum and maximum of the disk or ball", DRUA_EXACT,
    "Marks pixels brighter than the mean of the darkest and the brightest around them, minus an offset.",
    DRUA_PARAMS(IMAGES, C_VALUE), ", c_value");
DRUA_OP(local_threshold_niblack) = LOCAL_THRESHOLD(
    local_threshold_niblack, build_niblack, "Niblack", "mean + k sqrt(variance - c); Niblack 1986", DRUA_DEVICE,
    "Marks pixels that exceed the mean around them by a fraction of the standard deviation.",
    DRUA_PARAMS(IMAGES, VALUE("k", "share of the standard deviation; 0: 0.2", 0.2),
                VALUE("c_value", "subtracted from the variance", 0)),
    ", k, c_value");
DRUA_OP(local_threshold_phansalkar) = LOCAL_THRESHOLD(
    local_threshold_phansalkar, build_phansalkar, "Phansalkar",
    "mean (1 + 2 exp(-10 mean) + k (deviation / r - 1)) of grey values divided by 255; Phansalkar et al. 2011",
    DRUA_DEVICE, "Marks bright pixels of 8-bit images with little contrast, such as stained tissue.",
    DRUA_PARAMS(IMAGES, VALUE("k", "weight of the standard deviation; 0: 0.25", 0.25),
                LARGEST("largest standard deviation, as a share of 255; 0: 0.5", 0.5)),
    ", k, r", "CLIJx localThresholdPhansalkarFast: source, &destination, radius, k, r");
DRUA_OP(local_threshold_sauvola) = LOCAL_THRESHOLD(
    local_threshold_sauvola, build_sauvola, "Sauvola", "mean (1 + k (deviation / r - 1)); Sauvola and Pietikainen 2000",
    DRUA_DEVICE,
    "Marks pixels brighter than a fraction of the mean around them; the fraction grows with the standard deviation.",
    DRUA_PARAMS(IMAGES, VALUE("k", "weight of the standard deviation; 0: 0.5", 0.5),
                LARGEST("largest standard deviation; 0: 128", 128)),
    ", k, r");
