/* SPDX-License-Identifier: BSD-3-Clause */
/* Regional maxima, and spots that are detected and labelled by their maxima; see kernels/labels/maxima.cl. */
#include "labels.h"
#include "margins.h"

#define WORDS LINE(flat.words, 256)

static void mark_maxima(drua_plan *p, drua_view source, drua_view to)
{
    enum { SLICES = 16, FEW = 128 };
    const drua_layout l = source.layout;
    const drua_bits peaks = labels_bits(p, l, 2), flat = labels_bits(p, l, 2);
    const int32_t slices = l.depth > FEW ? SLICES : l.depth < 4 ? l.depth : 4;
    if (drua_layout_is_vec4(&l))
        LAUNCH(p, "maxima_find_vec4", GRID((int64_t)flat.row * 8, l.height, (l.depth + slices - 1) / slices, 32, 8, 1),
               ARG(source), POINTER(peaks.view), POINTER(flat.view), INT(flat.row), INT(slices));
    else
        LAUNCH(p, "maxima_find", GRID((int64_t)flat.row * 32, l.height, l.depth, 32, 8, 1), ARG(source),
               POINTER(peaks.view), POINTER(flat.view), INT(flat.row));
    const drua_runs blocks = labels_join_blocks(p, flat, l);
    const drua_view open = plan_scratch_bytes(p, 2 * (uint64_t)flat.words); /* one bit for each node */
    plan_clear(p, open);
    LAUNCH(p, "maxima_open", WORDS, ARG(source), POINTER(flat.view), POINTER(blocks.parent), POINTER(open),
           INT(flat.words), INT(flat.row));
    LAUNCH(p, "maxima_join", WORDS, POINTER(peaks.view), POINTER(flat.view), POINTER(blocks.parent), POINTER(open),
           INT(flat.words), INT(flat.row), INT(l.height));
    if (labels_are_vec4(source, to))
        LAUNCH(p, "binary_unpack_vec4", labels_march_grid(l, 1), POINTER(peaks.view), INT(peaks.row), INT(l.width),
               INT(l.height), INT(l.depth), INT(0), ARG(to));
    else
        LAUNCH(p, "maxima_write", plan_grid(to.layout), POINTER(peaks.view), INT(peaks.row), INT(l.width),
               INT(l.height), INT(l.depth), ARG(to));
}

static void launch_regional_maxima(drua_plan *p)
{
    mark_maxima(p, plan_image(p, "source"), plan_image(p, "destination"));
}

/* Touching maxima are one flat top. A flat top is undecided if it reaches a cut side of the tile. */
static void launch_maxima_near(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), mask = plan_image(p, "mask"),
                    maxima = plan_scratch(p, plan_shape(p, "source"), DRUA_UINT8),
                    marks = plan_scratch(p, plan_shape(p, "source"), DRUA_UINT8);
    mark_maxima(p, source, maxima);
    LAUNCH(p, "margin_of_maxima", plan_grid(maxima.layout), ARG(maxima), ARG(mask), ARG(marks),
           ARG(plan_image(p, "destination")));
    margin_check(p, "source", marks, "flat top");
}

static const drua_op maxima_near = {
    .name = "regional_maxima",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_IN("mask", "maxima count where it is not 0"),
                DRUA_IMAGE_OUT("destination", "1 on each flat top, else 0", .type = DRUA_UINT8), MARGIN),
    .numeric = DRUA_EXACT,
    .launch = launch_maxima_near,
    .parts = margin_parts,
};

drua_operand labels_maxima_within(drua_plan *p, drua_operand source, drua_operand mask, int64_t margin)
{
    return CALL_RECORDED(p, &maxima_near, DRUA_UINT8, source, mask, NUMBER((double)margin));
}

static void launch_plateaus(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), to = plan_image(p, "destination");
    const drua_layout l = source.layout;
    const drua_view marks = plan_scratch_bytes(p, (uint64_t)l.width * (uint64_t)l.height * (uint64_t)l.depth);
    int first = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (l.extent[axis] == 1 && (axis < 2 || !first))
            continue;
        LAUNCH(p, "plateaus_of_lines", plan_grid(l), ARG(source), POINTER(marks), INT(axis), INT(first));
        first = 0;
    }
    LAUNCH(p, "plateaus_end", plan_grid(to.layout), POINTER(marks), INT(l.width), INT(l.height), INT(l.depth), ARG(to));
}

static void label_maxima(drua_plan *p, bool above)
{
    drua_operand source = CALL(p, "convert_float", DRUA_FLOAT32, plan_operand(p, "source"));
    drua_operand smooth = CALL(p, "gaussian_blur", DRUA_FLOAT32, source, NUMBER(plan_number(p, "sigma_x")),
                               NUMBER(plan_number(p, "sigma_y")), NUMBER(plan_number(p, "sigma_z")));
    if (plan_flag(p, "invert"))
        smooth = CALL(p, "invert", DRUA_FLOAT32, smooth);
    drua_operand marks = CALL(p, "find_maxima_plateaus", DRUA_UINT8, smooth);
    if (above)
        marks = CALL(p, "mask", DRUA_UINT8, marks,
                     CALL(p, "greater_constant", DRUA_UINT8, smooth, NUMBER(plan_number(p, "minimum_intensity"))));
    plan_return(p, "destination", CALL(p, "connected_components_box", plan_type(p, "destination"), marks));
}

static void build_label_maxima(drua_plan *p) { label_maxima(p, false); }
static void build_label_maxima_above(drua_plan *p) { label_maxima(p, true); }

#define IMAGES DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_OUT("destination", "1 on each plateau, else 0")
#define SIGMAS DRUA_SIGMA("x", 1), DRUA_SIGMA("y", 1), DRUA_SIGMA("z", 0)
#define LABELLED DRUA_IMAGE_IN("source", "image to search"), DRUA_LABELS_OUT("destination", "label map of the maxima")
#define INVERT   DRUA_BOOLEAN("invert", "find minima instead, as maxima of the negative image")

DRUA_OP(regional_maxima) = {
    .name = "regional_maxima",
    .category = "detection",
    .summary = "Marks flat tops: connected pixels of one value without a brighter neighbour.",
    .source = "components of pixels that none of their 8 or 26 neighbours exceeds; a component is removed if it "
              "touches an equal pixel that has a higher neighbour",
    DRUA_PARAMS(IMAGES),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_regional_maxima,
};

DRUA_OP(find_maxima_plateaus) = {
    .name = "find_maxima_plateaus",
    .category = "detection",
    .summary = "Marks pixels that belong to a flat top in their row, in their column and, in stacks, along z.",
    .source = "along each axis, runs of equal values without a higher value before or after them",
    DRUA_PARAMS(IMAGES),
    DRUA_ALIASES("CLIJx findMaximaPlateaus: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_plateaus,
};

DRUA_OP(detect_and_label_maxima) = {
    .name = "detect_and_label_maxima",
    .category = "detection",
    .summary = "Finds and numbers maxima of an image that a Gaussian smooths first; a maximum may have several pixels.",
    .source = "gaussianBlur3D, findMaximaPlateaus, connectedComponentsLabelingBox",
    DRUA_PARAMS(LABELLED, SIGMAS, INVERT),
    DRUA_ALIASES("CLIJx detectAndLabelMaxima: source, &destination, sigma_x, sigma_y, sigma_z, invert"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_label_maxima,
};

DRUA_OP(detect_and_label_maxima_above_threshold) = {
    .name = "detect_and_label_maxima_above_threshold",
    .category = "detection",
    .summary = "Finds and numbers maxima of an image that a Gaussian smooths first; only maxima above a grey "
               "value count.",
    .source = "gaussianBlur3D, findMaximaPlateaus, greaterConstant, connectedComponentsLabelingBox",
    DRUA_PARAMS(LABELLED, SIGMAS,
                DRUA_NUMBER("minimum_intensity", "grey value that the smoothed image must exceed", .unit = "grey value",
                            .example = 40),
                INVERT),
    DRUA_ALIASES("CLIJx detectAndLabelMaximaAboveThreshold: source, &destination, sigma_x, sigma_y, sigma_z, "
                 "minimum_intensity, invert"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_label_maxima_above,
};
