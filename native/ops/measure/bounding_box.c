/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

/*
 * Measures position and size along x, y, z. The values along z are 0 for 2D images, and all values are 0 for images
 * without an object.
 */
static void measure_bounding_box(drua_plan *p, double box[6])
{
    enum { WALK = 32, ENDS = 6 };
    drua_view source = plan_image(p, "source"), ends = plan_scratch_bytes(p, ENDS * sizeof(uint32_t));
    plan_clear(p, ends);
    for (drua_tiles t = {.inputs = {source}, .rows = true, .separate = true}; plan_next_tile(p, &t);) {
        const drua_layout l = t.from[0].layout;
        LAUNCH(p, "bounding_box", GRID((l.width + 3) / 4, (l.height + WALK - 1) / WALK, l.depth, 64, 1, 1),
               ARG(t.from[0]), INT(t.at.wanted.first[1]), INT(t.at.wanted.first[2]), POINTER(ends),
               INT(drua_layout_is_in_vectors(&l, 4)));
    }
    uint32_t found[ENDS] = {0};
    plan_read(p, ends, found, sizeof found);
    int axes = found[1] == 0 ? 0 : plan_shape(p, "source").dimension;
    /* the device stores the lower end as its complement, and the upper end plus 1 */
    for (int axis = 0; axis < 3; axis++) {
        box[axis] = axis < axes ? ~found[2 * axis] : 0;
        box[axis + 3] = axis < axes ? found[2 * axis + 1] - box[axis] : 0;
    }
}

static void launch_numbers(drua_plan *p)
{
    static const char *const names[] = {"x", "y", "z", "width", "height", "depth"};
    double box[6];
    measure_bounding_box(p, box);
    for (int i = 0; i < 6; i++)
        plan_set_number(p, names[i], box[i]);
}

static void launch_table(drua_plan *p)
{
    static const char *const headings[] = {"BoundingBoxX",     "BoundingBoxY",      "BoundingBoxZ",
                                           "BoundingBoxWidth", "BoundingBoxHeight", "BoundingBoxDepth"};
    double box[6];
    measure_bounding_box(p, box);
    plan_set_table(p, headings, 6, box, 1);
}

#define SOURCE DRUA_IMAGE_IN("source", "binary image; pixels of at least 1 are the object")

DRUA_OP(bounding_box) = {
    .name = "bounding_box",
    .category = "measurement",
    .summary = "Finds the smallest box around all objects.",
    .source = "smallest and largest position of the pixels",
    DRUA_PARAMS(SOURCE, DRUA_NUMBER_OUT("x", "first column"), DRUA_NUMBER_OUT("y", "first row"),
                DRUA_NUMBER_OUT("z", "first slice"), DRUA_NUMBER_OUT("width", "columns"),
                DRUA_NUMBER_OUT("height", "rows"), DRUA_NUMBER_OUT("depth", "slices; 0 in planes")),
    DRUA_ALIASES("CLIJ2 getBoundingBox: source, &x, &y, &z, &width, &height, &depth"),
    .numeric = DRUA_EXACT,
    .launch = launch_numbers,
};

DRUA_OP(bounding_box_table) = {
    .name = "bounding_box_table",
    .category = "measurement",
    .summary = "Puts the smallest box around all objects into a table.",
    .source = "smallest and largest position of the pixels",
    DRUA_PARAMS(SOURCE, DRUA_TABLE_OUT("table", "position and size of the box")),
    DRUA_ALIASES("CLIJ2/CLIJx boundingBox: source"),
    .numeric = DRUA_EXACT,
    .launch = launch_table,
};
