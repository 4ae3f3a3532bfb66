/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps or removes the largest object, in label maps and in binary images. */
#include "statistics.h"

static void number_largest(drua_plan *p, bool keeps_largest)
{
    const drua_view labels = plan_image(p, "source");
    const uint32_t largest = labels_largest(p, "source");
    const drua_view numbers = plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1));
    const drua_label_table table = statistics_extents(p, labels, labels, 0, largest, EXTENTS_COUNT);
    LAUNCH(p, "number_largest", LINE(256, 256), POINTER(table.rows), POINTER(numbers), INT(largest),
           INT(keeps_largest));
    labels_gather(p, labels, numbers, largest);
}

static void launch_keep(drua_plan *p)
{
    number_largest(p, true);
}

static void launch_remove(drua_plan *p)
{
    number_largest(p, false);
}

/* Marks the objects of a binary image that remain in its label map after `operation`. */
static void mark_objects(drua_plan *p, const char *operation)
{
    const int64_t connectivity = plan_integer(p, "connectivity");
    const bool box = connectivity == 8 || connectivity == 26;
    const drua_operand labels = CALL(p, box ? "connected_components_box" : "connected_components_diamond", DRUA_UINT32,
                                     plan_operand(p, "source"));
    const drua_operand marks =
        CALL(p, "not_equal_constant", DRUA_UINT8, CALL(p, operation, DRUA_UINT32, labels), NUMBER(0));
    plan_return(
        p, "destination",
        CALL(p, "multiply_image_and_scalar", plan_type(p, "destination"), marks, NUMBER(plan_number(p, "value"))));
}

static void build_keep_object(drua_plan *p)
{
    mark_objects(p, "keep_largest_label");
}

static void build_remove_object(drua_plan *p)
{
    mark_objects(p, "remove_largest_label");
}

#define COUNTED                                                                                                        \
    "pixels of each label are counted; among equally large labels, the one with the smallest number is taken"
#define OBJECTS                                                                                                        \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image"),                                                               \
                DRUA_IMAGE_OUT("destination", "`value` at the remaining objects, else 0"),                             \
                DRUA_INTEGER("connectivity",                                                                           \
                             "4 or 6: pixels of an object must share a side; 8 or 26: a shared corner is enough",      \
                             DRUA_RANGE(4, 26), DRUA_ONLY(4, 6, 8, 26), .default_value = 6),                           \
                DRUA_NUMBER("value", "value of the objects' pixels", .default_value = 1))
#define MAPS(kept)                                                                                                     \
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),                                                                  \
                DRUA_LABELS_OUT("destination", "label map " kept "; labels keep their numbers", .by_tiles = true))

DRUA_OP(keep_largest_label) = {
    .name = "keep_largest_label",
    .category = "labels",
    .menu = true,
    .summary = "Keeps the label with the most pixels and removes all others.",
    .source = COUNTED,
    MAPS("of the largest label"),
    .numeric = DRUA_EXACT,
    .launch = launch_keep,
};

DRUA_OP(remove_largest_label) = {
    .name = "remove_largest_label",
    .category = "labels",
    .menu = true,
    .summary = "Removes the label with the most pixels.",
    .source = COUNTED,
    MAPS("without the largest label"),
    .numeric = DRUA_EXACT,
    .launch = launch_remove,
};

DRUA_OP(keep_largest_object) = {
    .name = "keep_largest_object",
    .category = "binary",
    .menu = true,
    .summary = "Keeps the largest object of a binary image and removes all others.",
    .source = "connected components; among equally large objects, the first one in raster order is taken",
    OBJECTS,
    DRUA_ALIASES("CLIJx morphoLibJKeepLargestRegion: source, &destination, connectivity=6, value=255"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_keep_object,
};

DRUA_OP(remove_largest_object) = {
    .name = "remove_largest_object",
    .category = "binary",
    .menu = true,
    .summary = "Removes the largest object of a binary image.",
    .source = "connected components; among equally large objects, the first one in raster order is taken",
    OBJECTS,
    DRUA_ALIASES("CLIJx morphoLibJRemoveLargestRegion: source, &destination, connectivity=6, value=255"),
    .numeric = DRUA_EXACT,
    .traits = DRUA_WHOLE,
    .build = build_remove_object,
};
