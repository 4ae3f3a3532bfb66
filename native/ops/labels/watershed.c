/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects cut where pixels climb to different maxima. */
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

#define MASKS DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "binary image, 0 and 1")
#define SIGMA(axis, preset_) DRUA_NUMBER("sigma_" axis, "standard deviation of the Gaussian along " axis, .unit = "pixel", DRUA_RANGE(0, 1000), .preset = preset_)
#define SIGMAS SIGMA("x", 1), SIGMA("y", 1), SIGMA("z", 0)

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
