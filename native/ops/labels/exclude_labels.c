/* SPDX-License-Identifier: BSD-3-Clause */
/* Removes labels with a given property and renumbers the others in their order. */
#include "statistics.h"

static drua_view new_flags(drua_plan *p, uint32_t largest)
{
    return plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1));
}

static void launch_flags(drua_plan *p)
{
    uint32_t largest = labels_largest(p, "labels");
    drua_view flags = new_flags(p, largest);
    LAUNCH(p, "flag_marked", LINE((int64_t)largest + 1, 64), ARG(plan_image(p, "flags")), POINTER(flags), INT(largest));
    labels_exclude(p, plan_image(p, "labels"), flags, largest);
}

static void exclude_values(drua_plan *p, bool inside)
{
    uint32_t largest = labels_largest(p, "labels");
    drua_view flags = new_flags(p, largest);
    LAUNCH(p, "flag_values", LINE((int64_t)largest + 1, 64), ARG(plan_image(p, "values")), POINTER(flags), INT(largest),
           REAL(plan_number(p, "minimum")), REAL(plan_number(p, "maximum")), INT(inside));
    labels_exclude(p, plan_image(p, "labels"), flags, largest);
}

static void launch_out_of_range(drua_plan *p)
{
    exclude_values(p, false);
}

static void launch_within_range(drua_plan *p)
{
    exclude_values(p, true);
}

static int64_t whole_pixels(double number)
{
    return (int64_t)fmin(fmax(number, 0), 9e18);
}

static void launch_size_range(drua_plan *p)
{
    drua_view labels = plan_image(p, "source");
    uint32_t largest = labels_largest(p, "source");
    drua_view flags = new_flags(p, largest);
    drua_label_table table = statistics_extents(p, labels, labels, 0, largest, EXTENTS_COUNT);
    LAUNCH(p, "flag_sizes", LINE((int64_t)largest + 1, 64), POINTER(table.rows), POINTER(flags), INT(largest),
           LONG(whole_pixels(ceil(plan_number(p, "minimum_size")))),
           LONG(whole_pixels(floor(plan_number(p, "maximum_size")))));
    labels_exclude(p, labels, flags, largest);
}

/* The result has the shape of the label map, which is not the first image. */
static void shape_of_labels(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "labels");
}

static drua_type type_of_labels(drua_plan *p)
{
    return plan_type(p, "labels");
}

#define LABELS DRUA_IMAGE_IN("labels", "label map")
#define KEPT                                                                                                           \
    DRUA_LABELS_OUT("destination", "label map, renumbered", .shape = shape_of_labels, .type_rule = type_of_labels,     \
                    .by_tiles = true)
#define VALUES                                                                                                         \
    DRUA_PARAMS(                                                                                                       \
        DRUA_IMAGE_IN("values", "vector: one value for each label, the first for background"), LABELS, KEPT,           \
        DRUA_NUMBER("minimum", "smallest value of the range", .unit = "value", .example = 3, .default_value = 100),    \
        DRUA_NUMBER("maximum", "largest value of the range", .unit = "value", .example = 10, .default_value = 1000))

DRUA_OP(exclude_labels) = {
    .name = "exclude_labels",
    .category = "labels",
    .summary = "Removes labels that a vector marks and renumbers the others in their order.",
    .source = "a table of new labels, numbered in their order",
    DRUA_PARAMS(DRUA_IMAGE_IN("flags", "vector: not 0 for each label to remove, the first for background"), LABELS,
                KEPT),
    DRUA_ALIASES("CLIJ2 excludeLabels: flags, labels, &destination"),
    .numeric = DRUA_EXACT,
    .launch = launch_flags,
};

DRUA_OP(exclude_labels_with_values_out_of_range) = {
    .name = "exclude_labels_with_values_out_of_range",
    .category = "labels",
    .summary = "Keeps labels whose value is in a range, limits included, and renumbers them in their order.",
    .source = "a table of new labels, numbered in their order",
    VALUES,
    DRUA_ALIASES("CLIJ2 excludeLabelsWithValuesOutOfRange: values, labels, &destination, minimum, maximum"),
    .numeric = DRUA_EXACT,
    .launch = launch_out_of_range,
};

DRUA_OP(exclude_labels_with_values_within_range) = {
    .name = "exclude_labels_with_values_within_range",
    .category = "labels",
    .summary = "Removes labels whose value is in a range, limits included, and renumbers the others in their order.",
    .source = "a table of new labels, numbered in their order",
    VALUES,
    DRUA_ALIASES("CLIJ2 excludeLabelsWithValuesWithinRange: values, labels, &destination, minimum, maximum"),
    .numeric = DRUA_EXACT,
    .launch = launch_within_range,
};

DRUA_OP(exclude_labels_outside_size_range) = {
    .name = "exclude_labels_outside_size_range",
    .category = "labels",
    .menu = true,
    .summary = "Keeps labels of minimum_size to maximum_size pixels and renumbers them in their order.",
    .source = "pixels of each label are counted; the remaining labels are numbered in their order",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_LABELS_OUT("destination", "label map, renumbered", .by_tiles = true),
                DRUA_NUMBER("minimum_size", "smallest size that is kept", .example = 200, .unit = "pixel",
                            .default_value = 100),
                DRUA_NUMBER("maximum_size", "largest size that is kept", .unit = "pixel", .default_value = 1000)),
    DRUA_ALIASES("CLIJ2/CLIJx excludeLabelsOutsideSizeRange: source, &destination, minimum_size, maximum_size"),
    .numeric = DRUA_EXACT,
    .launch = launch_size_range,
};
