/* SPDX-License-Identifier: BSD-3-Clause */
#include "labels.h"

/* A hole is a component of the background, connected by sides, that does not reach the border. */
static void fill_holes(drua_plan *p, bool stack)
{
    drua_view source = plan_image(p, "source");
    drua_layout l = source.layout;
    drua_bits bits = labels_pack(p, source, 1);
    LAUNCH(p, "bits_invert", LINE(bits.words, 256), POINTER(bits.view), INT(bits.words), INT(bits.row), INT(l.width));
    drua_runs runs = labels_join_runs(p, bits, l, stack);
    drua_view open = plan_scratch_bytes(p, 4 * (uint64_t)bits.words);
    plan_clear(p, open);
    LAUNCH(p, "border_runs", LINE(bits.words, 256), POINTER(bits.view), POINTER(runs.parent), POINTER(open),
           INT(bits.words), INT(bits.row), INT(l.width), INT(l.height), INT(stack ? l.depth : 0));
    for (drua_tiles t = {.output = "destination"}; plan_next_tile(p, &t);)
        LAUNCH(p, "fill_closed_runs", plan_tile_grid(plan_grid(t.to.layout), &t), POINTER(bits.view),
               POINTER(runs.parent), POINTER(open), INT(bits.row), INT(l.width), INT(l.height), INT(l.depth),
               ARG(t.to));
}

static void launch_whole(drua_plan *p)
{
    fill_holes(p, plan_shape(p, "source").dimension == 3);
}

static void launch_slices_apart(drua_plan *p)
{
    fill_holes(p, false);
}

/* Fills holes in tiles if the runs of the image do not fit the device. */
static void large_fill_holes(drua_plan *p)
{
    const drua_operand source = plan_operand(p, "source");
    const drua_operand empty = CALL(p, "equal_constant", DRUA_UINT8, source, NUMBER(0));
    const drua_operand parts = CALL(p, "connected_components_diamond", DRUA_UINT32, empty);
    const drua_operand holes = CALL(p, "exclude_labels_on_edges", DRUA_UINT32, parts);
    if (!plan_failed(p))
        plan_return(p, "destination", CALL(p, "binary_or", DRUA_UINT8, source, holes));
}

static void large_whole(drua_plan *p)
{
    const drua_shape s = plan_shape(p, "source");
    if (s.dimension == 3 && s.depth == 1)       /* all pixels are at the border */
        plan_return(p, "destination", CALL(p, "not_equal_constant", DRUA_UINT8, plan_operand(p, "source"), NUMBER(0)));
    else
        large_fill_holes(p);
}

static void large_slices_apart(drua_plan *p)
{
    if (plan_shape(p, "source").depth > 1)
        plan_fail_memory(
            p,
            "one slice of the image does not fit the device's memory; crop its slices, or allow more with DRUA_MEMORY");
    else
        large_fill_holes(p);
}

#define EXAMPLE_HOLES                                                                                                  \
    .before_example =                                                                                                  \
        "Ext.Drua_drawSphere(mask, 33, 25, 7, 4, 4, 20, 0);\nExt.Drua_drawSphere(mask, 55, 85, 7, 4, 4, 20, 0);"

#define PARAMETERS                                                                                                     \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"),                                                               \
                DRUA_IMAGE_OUT("destination", "binary image, 0 and 1, without holes", .by_tiles = true))

DRUA_OP(binary_fill_holes) = {
    .name = "binary_fill_holes",
    .category = "binary",
    .menu = true,
    .summary = "Fills holes in objects: background that is not connected to the image's border.",
    .source = "components of the background by union-find",
    EXAMPLE_HOLES,
    PARAMETERS,
    DRUA_ALIASES("CLIJ2/CLIJx binaryFillHoles: source, &destination",
                 "CLIJx simpleITKBinaryFillhole: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_whole,
    .build_large = large_whole,
};

DRUA_OP(binary_fill_holes_slice_by_slice) = {
    .name = "binary_fill_holes_slice_by_slice",
    .category = "binary",
    .summary = "Fills holes in each slice of a stack separately.",
    .source = "components of the background by union-find",
    EXAMPLE_HOLES,
    PARAMETERS,
    DRUA_ALIASES("CLIJx binaryFillHolesSliceBySlice: source, &destination",
                 "CLIJx imageJFillHoles: source, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_slices_apart,
    .build_large = large_slices_apart,
    .parts = plan_parts_slices,
};
