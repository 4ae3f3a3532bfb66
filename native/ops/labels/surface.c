/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the labels at the surface of a sample, as seen from a point inside. */
#include "statistics.h"

#define FOLLOW(tile, way)                                                                                              \
    LAUNCH(p, gpu ? "follow_rays_in_groups" : "follow_rays",                                                           \
           LINE(((int64_t)largest + 1) * (gpu ? 32 : 1), gpu ? 32 : 64), ARG(points), ARG((tile).from[0]),             \
           POINTER(rays), INT(largest), REAL(plan_number(p, "center_x")), REAL(plan_number(p, "center_y")),            \
           REAL(plan_number(p, "center_z")), INT(deep), INT((tile).axis), INT((tile).at.wanted.first[(tile).axis]),    \
           INT((tile).at.wanted.end[(tile).axis]), INT(way))

/*
 * If the map does not fit the device, rays cross its tiles one after another; descending rays cross them in reverse
 * order.
 */
static drua_view follow_rays(drua_plan *p, drua_view labels, uint32_t largest)
{
    drua_view points = plan_image(p, "points"), rays = plan_scratch_bytes(p, 16 * ((uint64_t)largest + 1));
    const drua_layout l = labels.layout;
    const bool gpu = plan_device(p)->is_gpu, deep = l.depth > 1 && points.layout.height > 2;
    drua_tiles up = {.inputs = {labels}};
    plan_clear(p, rays);
    while (plan_next_tile(p, &up))
        FOLLOW(up, up.step[up.axis] < up.all.end[up.axis]);
    drua_tiles down = {.inputs = {labels}, .thickness = up.step[up.axis], .backwards = true};
    while (up.step[up.axis] < up.all.end[up.axis] && plan_next_tile(p, &down))
        FOLLOW(down, -1);
    return rays;
}

static void exclude_by_surface(drua_plan *p, bool covered)
{
    enum { BYTES_A_LABEL = 16, SHARE = 8 };
    uint32_t largest = labels_largest(p, "labels");
    if (BYTES_A_LABEL * (uint64_t)largest >
        /* if the type's largest label would need a large table, find the largest label in the map */
        plan_memory_left(p) / SHARE)
        largest = (uint32_t)plan_largest_label(p, "labels");
    drua_view flags = plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1)), labels = plan_image(p, "labels"),
              rays = follow_rays(p, labels, largest);
    LAUNCH(p, "flag_surface", LINE((int64_t)largest + 1, 64), POINTER(rays), POINTER(flags), INT(largest),
           INT(covered));
    labels_exclude(p, labels, flags, largest);
}

static void plan_on_surface(drua_plan *p)
{
    exclude_by_surface(p, false);
}
static void plan_sub_surface(drua_plan *p)
{
    exclude_by_surface(p, true);
}

static void shape_of_labels(drua_plan *p, drua_shape *shape)
{
    *shape = plan_shape(p, "labels");
}

static void build_surface(drua_plan *p)
{
    drua_operand labels = plan_operand(p, "source"), points = CALL(p, "centroids_of_labels", DRUA_FLOAT32, labels);
    drua_shape s = plan_shape(p, "source");
    plan_return(p, "destination",
                CALL(p, "exclude_labels_sub_surface", plan_type(p, "destination"), points, labels,
                     NUMBER((double)s.width * plan_number(p, "center_x")),
                     NUMBER((double)s.height * plan_number(p, "center_y")),
                     NUMBER((double)s.depth * plan_number(p, "center_z"))));
}

#define METHOD "rays from each label's point away from the centre, in steps of a pixel"
/* The limits keep squared distances finite in float32, so that rays can advance in steps of one pixel. */
#define CENTER(axis)                                                                                                   \
    DRUA_NUMBER("center_" axis, "viewpoint along " axis, .unit = "pixel", DRUA_RANGE(-1e15, 1e15), .default_value = 0, \
                .example = 32)
#define SHARE(axis)                                                                                                    \
    DRUA_NUMBER("center_" axis, "viewpoint along " axis ", as a share of the image's extent", DRUA_RANGE(-1e5, 1e5),   \
                .default_value = 0.5)
#define ARGUMENTS "points, labels, &destination, center_x, center_y, center_z"
#define SURFACE(name_, function, summary_, ...)                                                                        \
    {                                                                                                                  \
        .name = #name_, .category = "labels", .summary = summary_, .source = METHOD, .numeric = DRUA_DEVICE,           \
        .launch = function,                                                                                            \
        DRUA_PARAMS(DRUA_IMAGE_WHOLE("points", "point list; point i is label i + 1"),                                  \
                    DRUA_IMAGE_IN("labels", "label map"),                                                              \
                    DRUA_LABELS_OUT("destination", "remaining labels, renumbered", .shape = shape_of_labels,           \
                                    .type = DRUA_FLOAT32, .by_tiles = true),                                           \
                    CENTER("x"), CENTER("y"), CENTER("z")),                                                            \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }

DRUA_OP(exclude_labels_on_surface) =
    SURFACE(exclude_labels_on_surface, plan_on_surface,
            "Removes the outer labels: those with no other label beyond them, seen from a point.",
            "CLIJ2/CLIJx excludeLabelsOnSurface: " ARGUMENTS);
DRUA_OP(exclude_labels_sub_surface) =
    SURFACE(exclude_labels_sub_surface, plan_sub_surface,
            "Removes the inner labels: those with another label beyond them, seen from a point.",
            "CLIJ2/CLIJx excludeLabelsSubSurface: " ARGUMENTS);

DRUA_OP(label_surface) = {
    .name = "label_surface",
    .category = "labels",
    .summary = "Keeps the labels at the surface of a sample.",
    .source = METHOD "; points are centroids",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "label map"),
                DRUA_LABELS_OUT("destination", "labels on the outside, renumbered"), SHARE("x"), SHARE("y"),
                SHARE("z")),
    DRUA_ALIASES("CLIJ2/CLIJx labelSurface: source, &destination, center_x, center_y, center_z"),
    .numeric = DRUA_DEVICE,
    .build = build_surface,
};
