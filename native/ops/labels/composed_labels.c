/* SPDX-License-Identifier: BSD-3-Clause */
/* Label operations that are composed of several steps. */
#include "plan.h"

#define LABELS(name, ...) CALL(p, name, DRUA_UINT32, __VA_ARGS__)
#define MARKS(name, ...) CALL(p, name, DRUA_UINT8, __VA_ARGS__)

static drua_operand build_otsu_mask(drua_plan *p)
{
    drua_operand sigma = NUMBER(plan_number(p, "outline_sigma")),
                 source = CALL(p, "convert_float", DRUA_FLOAT32, plan_operand(p, "source"));
    drua_operand smooth = CALL(p, "gaussian_blur", DRUA_FLOAT32, source, sigma, sigma, sigma);
    return MARKS("automatic_threshold", smooth, TEXT("Otsu"));
}

static void build_gauss_otsu(drua_plan *p)
{
    plan_return(p, "destination", CALL(p, "connected_components_box", plan_type(p, "destination"), build_otsu_mask(p)));
}

static void build_eroded_otsu(drua_plan *p)
{
    const drua_operand mask = build_otsu_mask(p), radius = NUMBER((double)plan_integer(p, "number_of_erosions"));
    const drua_operand small = MARKS("minimum_box", mask, radius, radius, radius);
    plan_return(p, "destination", CALL(p, "masked_voronoi_labeling", plan_type(p, "destination"), small, mask));
}

/* ---- opening and closing of labels: steps alternate between side neighbours and all neighbours */

/*
 * First removes pixels with a side neighbour of another label, which separates touching objects. The rest is then
 * eroded as one mask.
 */
static drua_operand build_opened_labels(drua_plan *p, drua_operand labels)
{
    const drua_operand one = NUMBER(1);
    int64_t radius = plan_integer(p, "radius");
    drua_operand small = radius > 0 ? LABELS("reduce_labels_to_label_edges", labels, NUMBER(0)) : labels;
    if (radius > 1) {
        drua_operand kept = MARKS("not_equal_constant", small, NUMBER(0));
        for (int64_t i = 1; i < radius; i++)
            kept = MARKS(i % 2 ? "minimum_sphere" : "minimum_box", kept, one, one, one);
        small = LABELS("mask_labels", small, kept, NUMBER(1));
    }
    return LABELS("dilate_labels", small, NUMBER((double)radius));
}

static void build_opening(drua_plan *p)
{
    drua_operand labels = build_opened_labels(p, plan_operand(p, "source"));
    plan_return(p, "destination", CALL(p, "close_index_gaps_in_label_map", plan_type(p, "destination"), labels));
}

static void build_closing(drua_plan *p)
{
    int64_t radius = plan_integer(p, "radius");
    drua_operand grown = LABELS("dilate_labels", plan_operand(p, "source"), NUMBER((double)radius));
    drua_operand kept = MARKS("not_equal_constant", grown, NUMBER(0));
    for (int64_t i = 0; i < radius; i++)
        kept = MARKS(i % 2 ? "erode_box" : "erode_sphere", kept);
    plan_return(p, "destination", CALL(p, "mask_labels", plan_type(p, "destination"), grown, kept, NUMBER(1)));
}

static void build_smooth(drua_plan *p)
{
    const drua_operand labels = plan_operand(p, "source");
    const drua_type type = plan_type(p, "destination");
    if (plan_integer(p, "radius") > 0)
        plan_return(p, "destination",
                    CALL(p, "mask_labels", type, LABELS("extend_labeling_via_voronoi", build_opened_labels(p, labels)),
                         labels, NUMBER(1)));
    else
        plan_return(p, "destination", CALL(p, "copy", type, labels));
}

/* ---- two label maps */

static void build_combine(drua_plan *p)
{
    drua_operand both = LABELS("overlay_labels", plan_operand(p, "labels1"), plan_operand(p, "labels2"));
    plan_return(p, "destination", CALL(p, "close_index_gaps_in_label_map", plan_type(p, "destination"), both));
}

static void build_subtract(drua_plan *p)
{
    drua_operand labels = plan_operand(p, "labels1"),
                 other = MARKS("not_equal_constant", plan_operand(p, "labels2"), NUMBER(0));
    drua_operand touched = CALL(p, "maximum_intensity_map", DRUA_FLOAT32, other, labels);
    drua_operand rest = LABELS("mask_labels", labels, touched, NUMBER(0));
    plan_return(p, "destination", CALL(p, "close_index_gaps_in_label_map", plan_type(p, "destination"), rest));
}

/* Pixels with the new or the old value form components. Components that contain the new value receive it everywhere. */
static void build_flood_fill(drua_plan *p)
{
    drua_operand source = plan_operand(p, "source"), fill = NUMBER(plan_number(p, "value_replacement"));
    drua_operand empty = MARKS("equal_constant", source, NUMBER(plan_number(p, "value_to_replace"))),
                 full = MARKS("equal_constant", source, fill);
    drua_operand parts = LABELS("connected_components_diamond", MARKS("binary_or", empty, full));
    drua_operand reached = MARKS("mask", MARKS("maximum_intensity_map", full, parts), empty);
    drua_operand kept = CALL(p, "binary_subtract", plan_type(p, "source"), source, reached);
    drua_operand filled = CALL(p, "multiply_image_and_scalar", plan_type(p, "source"), reached, fill);
    plan_return(p, "destination", CALL(p, "add_images", plan_type(p, "destination"), kept, filled));
}

#define MAP DRUA_IMAGE_IN("source", "label map")
#define RESULT DRUA_LABELS_OUT("destination", "label map; 0 is background", .type = DRUA_FLOAT32)
#define SIGMA                                                                                                          \
    DRUA_NUMBER("outline_sigma", "standard deviation of the Gaussian before the threshold", .unit = "pixel",           \
                DRUA_RANGE(0, 1000), .default_value = 2)
#define RADIUS DRUA_INTEGER("radius", "number of steps", .unit = "pixel", DRUA_RANGE(0, 1000), .default_value = 1)
#define TWO DRUA_IMAGE_IN("labels1", "label map"), DRUA_IMAGE_IN("labels2", "other label map")
#define LABELING(name_, function, numeric_, summary_, method_, ...)                                                    \
    {                                                                                                                  \
        .name = #name_, .category = "labels", .summary = summary_, .source = method_, .numeric = numeric_,             \
        .build = function, DRUA_PARAMS(__VA_ARGS__)                                                                    \
    }

DRUA_OP(gauss_otsu_labeling) = LABELING(gauss_otsu_labeling, build_gauss_otsu, DRUA_DEVICE,
                                        "Segments bright objects: a Gaussian, Otsu's threshold, connected components.",
                                        "Otsu 1979 on the smoothed image; components by side and corner",
                                        DRUA_IMAGE_IN("source", "image to segment"), RESULT, SIGMA);
DRUA_OP(eroded_otsu_labeling) =
    LABELING(eroded_otsu_labeling, build_eroded_otsu, DRUA_DEVICE,
             "Segments bright objects that touch: erosions separate the objects of Otsu's mask, which then grow back.",
             "Otsu 1979 on the smoothed image; box erosions; growth inside the mask",
             DRUA_IMAGE_IN("source", "image to segment"), RESULT,
             DRUA_INTEGER("number_of_erosions", "steps that separate objects", DRUA_RANGE(0, 10000), .default_value = 5,
                          .example = 2),
             SIGMA);
DRUA_OP(opening_labels) =
    LABELING(opening_labels, build_opening, DRUA_EXACT,
             "Removes thin parts of labelled objects and small objects, and renumbers the remaining labels.",
             "steps that alternately use the neighbours at a side and all neighbours", MAP, RESULT, RADIUS);
DRUA_OP(closing_labels) = LABELING(closing_labels, build_closing, DRUA_EXACT,
                                   "Fills notches of labelled objects and gaps between them.",
                                   "dilateLabels, then erosion of all labels together, as one mask", MAP, RESULT,
                                   RADIUS);
DRUA_OP(smooth_labels) =
    LABELING(smooth_labels, build_smooth, DRUA_EXACT,
             "Smooths the outlines of labelled objects; no background pixel gets a label.",
             "openingLabels, then growth until no pixel is free, then the background of the source is restored", MAP,
             RESULT, RADIUS);
DRUA_OP(combine_labels) = LABELING(combine_labels, build_combine, DRUA_EXACT,
                                   "Puts one label map on top of another and renumbers all objects.",
                                   "numbers in raster order", TWO, RESULT);
DRUA_OP(subtract_labels) =
    LABELING(subtract_labels, build_subtract, DRUA_EXACT,
             "Removes the objects of one label map that share pixels with another, and renumbers the rest.",
             "numbers in raster order", TWO, RESULT);

DRUA_OP(flood_fill_diamond) = {
    .name = "flood_fill_diamond",
    .category = "image",
    .summary =
        "Replaces one grey value by another in each connected area that shares a side with a pixel of the other value.",
    .source = "components of pixels of either value",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to fill"), DRUA_IMAGE_OUT("destination", "filled image"),
                DRUA_NUMBER("value_to_replace", "grey value to replace", .unit = "grey value", .default_value = 0),
                DRUA_NUMBER("value_replacement", "grey value to write", .unit = "grey value", .default_value = 1)),
    DRUA_ALIASES("CLIJ2/CLIJx floodFillDiamond: source, &destination, value_to_replace, value_replacement"),
    .numeric = DRUA_EXACT,
    .build = build_flood_fill,
};
