/* SPDX-License-Identifier: BSD-3-Clause */
/* Separates objects where pixels climb to different maxima. */
#include "labels.h"
#include "margins.h"

/*
 * Lets pixels climb until none changes. The number of steps is unknown, so the host reads the state after each batch of
 * launches. Each batch has half as many launches as all before it. Launches after the last change return at once, and
 * so do tiles whose neighbours have not changed. For 2D images on GPUs, a launch makes eight steps.
 */
static void climb_until_stable(drua_plan *p, drua_layout l, drua_view pairs[2][2])
{
    enum {
        FIRST_BATCH = 8,
        LARGEST_BATCH = 1024,
        COLUMNS = 32,
        ROWS = 8,
        FEW = 128,
        TILE = 32,
        ITEMS = 256
    }; /* as in the kernels */
    const bool is_gpu = plan_device(p)->is_gpu, steps = l.depth == 1 && is_gpu;
    const int shift = l.depth > FEW ? 3 : l.depth > 1, first_batch = steps ? FIRST_BATCH / 2 : FIRST_BATCH;
    const int64_t layers = ((int64_t)l.depth + (1 << shift) - 1) >> shift,
                  columns = ((int64_t)l.width + COLUMNS - 1) / COLUMNS;
    const int64_t height = steps ? TILE : ROWS, rows = ((int64_t)l.height + height - 1) / height,
                  tiles = columns * rows * layers;
    const drua_view last_change = plan_scratch_bytes(p, (uint64_t)tiles * sizeof(uint32_t)),
                    changed = plan_scratch_bytes(p, (LARGEST_BATCH + 1) * sizeof(uint32_t));
    const drua_view states =
        is_gpu ? changed : plan_scratch_bytes(p, (uint64_t)(columns * rows * l.depth) * 2 * sizeof(uint32_t));
    plan_clear(p, last_change);
    if (!is_gpu)
        plan_clear(p, states);
    uint32_t goes_on = 1, step = 0;
    for (int batch = first_batch; goes_on && !plan_failed(p);) {
        LAUNCH(p, "watershed_batch", LINE(batch + 1, 64), POINTER(changed), INT(batch));
        for (int left = batch - 1; left >= 0; left--, step++) {
            const drua_view *from = pairs[step % 2], *to = pairs[(step + 1) % 2];
#define CLIMBING POINTER(from[0]), POINTER(from[1]), POINTER(to[0]), POINTER(to[1]), INT(l.width), INT(l.height)
#define STEP REAL(plan_number(p, "threshold")), POINTER(changed), INT(left), POINTER(last_change), INT(step + 1)
            if (steps)
                LAUNCH(p, "watershed_plane", LINE(tiles * ITEMS, ITEMS), CLIMBING, STEP);
            else if (is_gpu)
                LAUNCH(p, "watershed_step", GRID(l.width, l.height, layers, COLUMNS, ROWS, 1), CLIMBING, INT(l.depth),
                       INT(shift), STEP);
            else
                LAUNCH(p, "watershed_step_of_tiles", GRID(columns, rows, layers, 8, 1, 1), CLIMBING, INT(l.depth),
                       INT(shift), STEP, POINTER(states));
        }
        plan_read(p, changed, &goes_on, sizeof goes_on);
        batch = (int)step / 2 < first_batch ? first_batch : step / 2 < LARGEST_BATCH ? (int)(step / 2) : LARGEST_BATCH;
    }
}

static void launch_seeded(drua_plan *p)
{
    const drua_view seeds = plan_image(p, "seeds"), heights = plan_image(p, "source");
    const drua_layout l = seeds.layout;
    drua_view pairs[2][2];
    for (int i = 0; i < 4; i++)
        pairs[i / 2][i % 2] =
            plan_scratch_bytes(p, (uint64_t)l.width * (uint64_t)l.height * (uint64_t)l.depth * sizeof(uint32_t));
    LAUNCH(p, "watershed_begin", plan_grid(l), ARG(seeds), ARG(heights), POINTER(pairs[0][0]), POINTER(pairs[0][1]));
    climb_until_stable(p, l, pairs);
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "watershed_end", plan_grid(to.layout), POINTER(pairs[0][0]), INT(l.width), INT(l.height), INT(l.depth),
           ARG(to));
}

/*
 * Lets pixels climb on a tile. After k steps, a pixel depends on pixels up to k away. So the number of the step in
 * which a pixel got its label says whether the tile's cut sides could change it.
 */
static void launch_seeded_near(drua_plan *p)
{
    enum { BATCH = 8 };
    const drua_view seeds = plan_image(p, "seeds"), heights = plan_image(p, "source"),
                    to = plan_image(p, "destination");
    const drua_layout l = seeds.layout;
    const uint64_t words = (uint64_t)l.width * (uint64_t)l.height * (uint64_t)l.depth * sizeof(uint32_t);
    const drua_view labels[] = {plan_scratch_bytes(p, words), plan_scratch_bytes(p, words)},
                    tops[] = {plan_scratch_bytes(p, words), plan_scratch_bytes(p, words)},
                    gained = plan_scratch_bytes(p, words), changed = plan_scratch_bytes(p, sizeof(uint32_t));
    uint32_t goes_on = 1;
    plan_clear(p, gained);
    LAUNCH(p, "watershed_begin", plan_grid(l), ARG(seeds), ARG(heights), POINTER(labels[0]), POINTER(tops[0]));
    for (int step = 0; goes_on && !plan_failed(p);) {
        plan_clear(p, changed);
        for (int i = 0; i < BATCH; i++, step++) {
            const int from = step % 2;
            LAUNCH(p, "watershed_step_noted", plan_grid(l), POINTER(labels[from]), POINTER(tops[from]),
                   POINTER(labels[!from]), POINTER(tops[!from]), POINTER(gained), INT(l.width), INT(l.height),
                   INT(l.depth), REAL(plan_number(p, "threshold")), INT(step + 1), POINTER(changed));
        }
        plan_read(p, changed, &goes_on, sizeof goes_on);
    }
    LAUNCH(p, "watershed_end", plan_grid(to.layout), POINTER(labels[0]), INT(l.width), INT(l.height), INT(l.depth),
           ARG(to));
    const drua_view marks = plan_scratch(p, plan_shape(p, "seeds"), DRUA_UINT8);
    LAUNCH(p, "margin_of_climbs", plan_grid(l), ARG(seeds), ARG(heights), POINTER(labels[0]), POINTER(gained),
           REAL(plan_number(p, "threshold")), INT(margin_cuts(p, "seeds")), ARG(marks));
    margin_check(p, "seeds", marks, "basin");
}

static const drua_op seeded_near = {
    .name = "seeded_watershed",
    DRUA_PARAMS(DRUA_IMAGE_IN("seeds", "label map of the tops"), DRUA_IMAGE_IN("source", "image to climb in"),
                DRUA_LABELS_OUT("destination", "label map"),
                DRUA_NUMBER("threshold", "grey value that pixels without a label must exceed"), MARGIN),
    .numeric = DRUA_EXACT,
    .launch = launch_seeded_near,
    .parts = margin_parts,
};

static void seeded_within(drua_plan *p, int64_t margin)
{
    plan_return(p, "destination",
                CALL_RECORDED(p, &seeded_near, plan_type(p, "destination"), plan_operand(p, "seeds"),
                              plan_operand(p, "source"), NUMBER(plan_number(p, "threshold")), NUMBER((double)margin)));
}

/*
 * Splits objects at the borders of climbing regions: a pixel is kept if no neighbour has a smaller label. Background
 * counts as a smaller label. `margin` is as in op->build_in_blocks; 0: the images are whole.
 */
static void split_objects(drua_plan *p, drua_operand distances, int64_t margin)
{
    const drua_operand mask = plan_operand(p, "source");
    drua_operand tops = margin ? labels_maxima_within(p, distances, mask, margin)
                               : CALL(p, "mask", DRUA_UINT8, CALL(p, "regional_maxima", DRUA_UINT8, distances), mask);
    drua_operand seeds = CALL(p, "connected_components_box", DRUA_UINT32, tops);
    drua_operand regions = CALL(p, "seeded_watershed", DRUA_UINT32, seeds, distances, NUMBER(0));
    drua_operand kept = CALL(p, "peel_labels", DRUA_UINT32, regions);
    plan_return(p, "destination", CALL(p, "not_equal_constant", plan_type(p, "destination"), kept, NUMBER(0)));
}

static void watershed_within(drua_plan *p, int64_t margin)
{
    split_objects(p, CALL(p, "distance_map", DRUA_FLOAT32, plan_operand(p, "source")), margin);
}

static void build_watershed(drua_plan *p)
{
    watershed_within(p, 0);
}

static void parametric_within(drua_plan *p, int64_t margin)
{
    const drua_operand mask = plan_operand(p, "source");
    drua_operand distances = CALL(p, "distance_map", DRUA_FLOAT32, mask);
    drua_operand smooth = CALL(p, "gaussian_blur", DRUA_FLOAT32, distances, NUMBER(plan_number(p, "sigma_x")),
                               NUMBER(plan_number(p, "sigma_y")), NUMBER(plan_number(p, "sigma_z")));
    split_objects(p, CALL(p, "mask", DRUA_FLOAT32, smooth, mask), margin);
}

static void build_parametric(drua_plan *p)
{
    parametric_within(p, 0);
}

#define MASKS DRUA_IMAGE_IN("source", "binary image"), DRUA_IMAGE_OUT("destination", "binary image, 0 and 1")
#define SIGMAS DRUA_SIGMA("x", 1), DRUA_SIGMA("y", 1), DRUA_SIGMA("z", 0)

DRUA_OP(seeded_watershed) = {
    .name = "seeded_watershed",
    .category = "labels",
    .summary = "Gives each pixel above a threshold the label that it reaches by climbing, in each step to the highest "
               "neighbour; 0 if it reaches no label.",
    .source = "steps to the highest of 8 or 26 neighbours, all pixels at once",
    DRUA_PARAMS(DRUA_IMAGE_IN("seeds", "label map of the tops"), DRUA_IMAGE_IN("source", "image to climb in"),
                DRUA_LABELS_OUT("destination", "label map"),
                DRUA_NUMBER("threshold", "grey value that pixels without a label must exceed", .unit = "grey value",
                            .default_value = 0)),
    DRUA_ALIASES("CLIJx seededWatershed: seeds, source, &destination, threshold"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_SOURCE_EXTENT | DRUA_WHOLE,
    .launch = launch_seeded,
    .build_in_blocks = seeded_within,
};

DRUA_OP(watershed) = {
    .name = "watershed",
    .category = "binary",
    .menu = true,
    .summary = "Separates touching objects at their narrow places, and removes one pixel at their edges.",
    .source =
        "pixels climb to regional maxima of the distance map; pixels beside a smaller label or background are removed",
    DRUA_PARAMS(MASKS),
    DRUA_ALIASES("CLIJ2/CLIJx watershed: source, &destination"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_watershed,
    .build_in_blocks = watershed_within,
};

DRUA_OP(parametric_watershed) = {
    .name = "parametric_watershed",
    .category = "binary",
    .summary = "Separates touching objects at their narrow places; smoothing the distances with a Gaussian reduces the "
               "number of cuts. Removes one pixel at all edges.",
    .source = "as watershed, on a distance map that is smoothed first",
    DRUA_PARAMS(MASKS, SIGMAS),
    DRUA_ALIASES("CLIJx parametricWatershed: source, &destination, sigma_x, sigma_y, sigma_z"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .build = build_parametric,
    .build_in_blocks = parametric_within,
};
