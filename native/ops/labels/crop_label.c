/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

/* The result is a stack only if the source and the labels are stacks. */
static int dimension_of_box(drua_plan *p)
{
    const int source = plan_shape(p, "source").dimension, labels = plan_shape(p, "labels").dimension;
    return source < labels ? source : labels;
}

/* First pixel and extent of the result. */
typedef struct label_box {
    bool found;
    int64_t first[3], extent[3];
} label_box;

/* Finds the box of a label in a pass over all pixels. Fails if the label has no pixels. Waits. */
static void find_box(drua_plan *p, label_box *box)
{
    const uint32_t label = (uint32_t)plan_integer(p, "label");
    const drua_view labels = plan_image(p, "labels");
    uint32_t row[STATISTICS_ROW] = {0};
    const drua_label_table table = statistics_extents(p, labels, labels, label, label, EXTENTS_POSITIONS);
    plan_read(p, table.rows, row, sizeof row);
    statistics_drop(p, &table);
    if (!row[STATISTICS_COUNT] && !row[STATISTICS_COUNT + 1])
        plan_fail(p, "label %u has no pixels in labels; choose a label that occurs there", label);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t border = axis < dimension_of_box(p) ? plan_integer(p, "border") : 0,
                      low = (uint32_t)~row[STATISTICS_LOW + axis];
        box->first[axis] = low - border;
        box->extent[axis] = row[STATISTICS_HIGH + axis] - low + 1 + 2 * border;
    }
    box->found = true;
}

/* The box with the border around it, which the call finds once. A plane has no border along z. */
static label_box box_of_label(drua_plan *p)
{
    label_box *box = plan_kept_memory(p, sizeof *box);
    if (!box)
        return (label_box){0};
    if (!box->found)
        find_box(p, box);
    return *box;
}

static void shape_of_box(drua_plan *p, drua_shape *shape)
{
    plan_check_same_extent(p, "source", "labels");
    const label_box box = box_of_label(p);
    *shape = (drua_shape){box.extent[0], box.extent[1], box.extent[2], dimension_of_box(p)};
}

static void place_of_box(drua_plan *p, double first[3])
{
    const label_box box = box_of_label(p);
    for (int axis = 0; axis < 3; axis++)
        first[axis] = (double)box.first[axis];
}

static void launch_crop_label(drua_plan *p)
{
    const drua_view result = plan_image(p, "destination");
    const label_box box = box_of_label(p);
    LAUNCH(p, "crop_label", plan_grid(result.layout), ARG(plan_image(p, "source")), ARG(plan_image(p, "labels")),
           INT(plan_integer(p, "label")), INT(box.first[0]), INT(box.first[1]), INT(box.first[2]), ARG(result));
}

DRUA_OP(crop_label) = {
    .name = "crop_label",
    .category = "labels",
    .menu = true,
    .summary = "Cuts one labelled object out of an image, with a border of pixels that are 0.",
    .source = "box of the label's pixels; pixels of the box outside the label are 0",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "image to cut, such as the label map; of the same size as the labels"),
                DRUA_IMAGE_IN("labels", "label map"),
                DRUA_IMAGE_OUT("destination", "the object; an existing image keeps its size", .shape = shape_of_box),
                DRUA_INTEGER("label", "label of the object", .unit = "label", DRUA_RANGE(1, 4294967294.0),
                             .default_value = 1),
                DRUA_INTEGER("border", "width of the border on all sides", .unit = "pixel", DRUA_RANGE(0, 10000),
                             .default_value = 1)),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE | DRUA_KEEPS_LABELS,
    .launch = launch_crop_label,
    .steps = plan_same_voxels,
    .place = place_of_box,
};
