/* SPDX-License-Identifier: BSD-3-Clause */
/* Regional maxima, and objects cut where pixels climb to different ones. */
#include "labels.h"

enum { FIRST_BATCH = 16, LARGEST_BATCH = 1024 };

/* How many steps it takes is unknown, so the host looks after each batch; batches double, and launches after the last change return at once. */
typedef void (*step_rule)(drua_plan *p, drua_view source, const drua_view *from, const drua_view *to, drua_view changed, int left);

static void repeat(drua_plan *p, step_rule step, drua_view source, const drua_view *one, const drua_view *other)
{
    drua_view changed = plan_memory(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    uint32_t last = 1;
    for (int batch = FIRST_BATCH; last && !plan_failed(p); batch = batch < LARGEST_BATCH ? 2 * batch : batch) {
        LAUNCH(p, "watershed_batch", LINE(batch + 1, 64), POINTER(changed), INT(batch));
        for (int i = 0; i < batch; i++)
            step(p, source, i % 2 ? other : one, i % 2 ? one : other, changed, batch - 1 - i);
        plan_read(p, changed, &last, sizeof last);
    }
}

static uint64_t count(drua_view image)
{
    return (uint64_t)image.layout.width * (uint64_t)image.layout.height * (uint64_t)image.layout.depth;
}

/* ---- regional maxima */

static void send_marks(drua_plan *p, drua_view source, drua_view marks)
{
    const drua_layout l = source.layout;
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "maxima_end", plan_grid(to.layout), POINTER(marks), INT(l.width), INT(l.height), INT(l.depth), ARG(to));
}

static void thin_marks(drua_plan *p, drua_view source, const drua_view *from, const drua_view *to, drua_view changed, int left)
{
    LAUNCH(p, "maxima_step", plan_grid(source.layout), ARG(source), POINTER(*from), POINTER(*to), POINTER(changed), INT(left));
}

static void plan_regional_maxima(drua_plan *p)
{
    const drua_view source = plan_image(p, "source");
    const drua_view marks = plan_memory(p, count(source)), other = plan_memory(p, count(source));
    LAUNCH(p, "maxima_begin", plan_grid(source.layout), ARG(source), POINTER(marks));
    repeat(p, thin_marks, source, &marks, &other);
    send_marks(p, source, marks);
}

static void plan_plateaus(drua_plan *p)
{
    const drua_view source = plan_image(p, "source"), marks = plan_memory(p, count(source));
    const int32_t extents[] = {source.layout.width, source.layout.height, source.layout.depth};
    int first = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (extents[axis] == 1 && (axis < 2 || !first))
            continue;
        LAUNCH(p, "maxima_of_lines", plan_grid(source.layout), ARG(source), POINTER(marks), INT(axis), INT(first));
        first = 0;
    }
    send_marks(p, source, marks);
}

static void label_maxima(drua_plan *p, bool above)
{
    drua_operand source = CALL(p, "convert_float", DRUA_FLOAT32, plan_operand(p, "source"));
    drua_operand smooth = CALL(p, "gaussian_blur", DRUA_FLOAT32, source, NUMBER(plan_number(p, "sigma_x")), NUMBER(plan_number(p, "sigma_y")),
                               NUMBER(plan_number(p, "sigma_z")));
    if (plan_flag(p, "invert"))
        smooth = CALL(p, "invert", DRUA_FLOAT32, smooth);
    drua_operand marks = CALL(p, "find_maxima_plateaus", DRUA_UINT8, smooth);
    if (above)
        marks = CALL(p, "mask", DRUA_UINT8, marks, CALL(p, "greater_constant", DRUA_UINT8, smooth, NUMBER(plan_number(p, "minimum_intensity"))));
    plan_return(p, "destination", CALL(p, "connected_components_box", plan_type(p, "destination"), marks));
}

static void build_label_maxima(drua_plan *p) { label_maxima(p, false); }
static void build_label_maxima_above(drua_plan *p) { label_maxima(p, true); }

/* ---- watersheds */

static void climb(drua_plan *p, drua_view seeds, const drua_view *from, const drua_view *to, drua_view changed, int left)
{
    const drua_layout l = seeds.layout;
    LAUNCH(p, "watershed_step", plan_grid(l), POINTER(from[0]), POINTER(from[1]), POINTER(to[0]), POINTER(to[1]), INT(l.width), INT(l.height),
           INT(l.depth), REAL(plan_number(p, "threshold")), POINTER(changed), INT(left));
}

static void plan_seeded(drua_plan *p)
{
    const drua_view seeds = plan_image(p, "seeds"), heights = plan_image(p, "source");
    drua_view pairs[2][2];
    for (int i = 0; i < 4; i++)
        pairs[i / 2][i % 2] = plan_memory(p, count(seeds) * sizeof(uint32_t));
    LAUNCH(p, "watershed_begin", plan_grid(seeds.layout), ARG(seeds), ARG(heights), POINTER(pairs[0][0]), POINTER(pairs[0][1]));
    repeat(p, climb, seeds, pairs[0], pairs[1]);
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "watershed_end", plan_grid(to.layout), POINTER(pairs[0][0]), INT(seeds.layout.width), INT(seeds.layout.height), INT(seeds.layout.depth),
           ARG(to));
}

/* Pixels of a region that no smaller label is beside, background included. */
static void split(drua_plan *p, drua_operand distances)
{
    const drua_operand mask = plan_operand(p, "source"), one = NUMBER(1);
    drua_operand tops = CALL(p, "mask", DRUA_UINT8, CALL(p, "regional_maxima", DRUA_UINT8, distances), mask);
    drua_operand seeds = CALL(p, "connected_components_box", DRUA_UINT32, tops);
    drua_operand regions = CALL(p, "seeded_watershed", DRUA_UINT32, seeds, distances, NUMBER(0));
    drua_operand lowest = CALL(p, "minimum_box", DRUA_UINT32, regions, one, one, one);
    plan_return(p, "destination", CALL(p, "binary_and", plan_type(p, "destination"), CALL(p, "equal", DRUA_UINT8, lowest, regions), regions));
}

static void build_watershed(drua_plan *p)
{
    split(p, CALL(p, "distance_map", DRUA_FLOAT32, plan_operand(p, "source")));
}

static void build_parametric(drua_plan *p)
{
    const drua_operand mask = plan_operand(p, "source");
    drua_operand distances = CALL(p, "distance_map", DRUA_FLOAT32, mask);
    drua_operand smooth = CALL(p, "gaussian_blur", DRUA_FLOAT32, distances, NUMBER(plan_number(p, "sigma_x")), NUMBER(plan_number(p, "sigma_y")),
                               NUMBER(plan_number(p, "sigma_z")));
    split(p, CALL(p, "mask", DRUA_FLOAT32, smooth, mask));
}

#define IMAGES DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_OUT("destination", "1 on each plateau, else 0")
#define MASKS DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "binary image, 0 and 1")
#define SIGMA(axis, preset_) DRUA_NUMBER("sigma_" axis, "standard deviation of the Gaussian along " axis, .unit = "pixel", DRUA_RANGE(0, 1000), .preset = preset_)
#define SIGMAS SIGMA("x", 1), SIGMA("y", 1), SIGMA("z", 0)
#define LABELLED DRUA_IMAGE_IN("source", "image to search"), DRUA_IMAGE_OUT("destination", "label map of the maxima")
#define INVERT DRUA_BOOLEAN("invert", "look for minima instead, as maxima of the negative image")

const drua_op drua_op_regional_maxima = {
    .name = "regional_maxima",
    .category = "detection",
    .summary = "Marks flat tops: connected pixels of one value that no pixel beside them exceeds.",
    .source = "pixels without a higher one among their 8 or 26 neighbours lose their mark where an equal neighbour has none",
    DRUA_PARAMS(IMAGES),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .plan = plan_regional_maxima,
};

const drua_op drua_op_find_maxima_plateaus = {
    .name = "find_maxima_plateaus",
    .category = "detection",
    .summary = "Marks pixels that are part of a flat top in their row, in their column and along z.",
    .source = "along each axis runs of equal values without a higher one before or behind them",
    DRUA_PARAMS(IMAGES),
    DRUA_ALIASES("CLIJx findMaximaPlateaus: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .plan = plan_plateaus,
};

const drua_op drua_op_detect_and_label_maxima = {
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

const drua_op drua_op_detect_and_label_maxima_above_threshold = {
    .name = "detect_and_label_maxima_above_threshold",
    .category = "detection",
    .summary = "Finds and numbers maxima of an image that a Gaussian smooths first, as far as they are above a grey value there.",
    .source = "gaussianBlur3D, findMaximaPlateaus, greaterConstant, connectedComponentsLabelingBox",
    DRUA_PARAMS(LABELLED, SIGMAS, DRUA_NUMBER("minimum_intensity", "grey value that the smoothed image must exceed", .unit = "grey value", .example = 40),
                INVERT),
    DRUA_ALIASES("CLIJx detectAndLabelMaximaAboveThreshold: source, &destination, sigma_x, sigma_y, sigma_z, minimum_intensity, invert"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_label_maxima_above,
};

const drua_op drua_op_seeded_watershed = {
    .name = "seeded_watershed",
    .category = "labels",
    .summary = "Gives pixels above a threshold the label that they reach by climbing to their highest neighbours; 0 if they reach none.",
    .source = "steps to the highest of 8 or 26 neighbours, all pixels at once",
    DRUA_PARAMS(DRUA_IMAGE_IN("seeds", "label map of the tops"), DRUA_IMAGE_IN("source", "image to climb in"),
                DRUA_IMAGE_OUT("destination", "label map"),
                DRUA_NUMBER("threshold", "grey value that pixels without a label must exceed", .unit = "grey value", .preset = 0)),
    DRUA_ALIASES("CLIJx seededWatershed: seeds, source, &destination, threshold"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .plan = plan_seeded,
};

const drua_op drua_op_watershed = {
    .name = "watershed",
    .category = "binary",
    .menu = true,
    .summary = "Cuts objects that touch where they are narrow, and takes one pixel off at their edges.",
    .source = "pixels climb to regional maxima of the distance map; those beside a smaller label or background go",
    DRUA_PARAMS(MASKS),
    DRUA_ALIASES("CLIJ2/CLIJx watershed: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_watershed,
};

const drua_op drua_op_parametric_watershed = {
    .name = "parametric_watershed",
    .category = "binary",
    .summary = "Cuts objects that touch where they are narrow; a Gaussian on the distances makes cuts fewer. One pixel goes at all edges.",
    .source = "as watershed, on a distance map that is smoothed first",
    DRUA_PARAMS(MASKS, SIGMAS),
    DRUA_ALIASES("CLIJx parametricWatershed: source, &destination, sigma_x, sigma_y, sigma_z"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_parametric,
};
