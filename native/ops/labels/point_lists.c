/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions of labels and spots: a column for each, with rows x, y and, for stacks, z. */
#include "statistics.h"

#include "../graph/label_graph.h"

static void shape_of_list(drua_plan *p, int64_t columns, drua_shape *shape)
{
    if (columns == 0)
        plan_fail(p, "source is 0 everywhere, so the list would be empty; check the previous steps");
    *shape = (drua_shape){columns, plan_shape(p, "source").dimension, 1, 2};
}

static void labels_shape(drua_plan *p, drua_shape *shape)
{
    shape_of_list(p, plan_largest_label(p, "source"), shape);
}

static void labels_and_background_shape(drua_plan *p, drua_shape *shape)
{
    shape_of_list(p, plan_largest_label(p, "source") + 1, shape);
}

static void spots_shape(drua_plan *p, drua_shape *shape)
{
    shape_of_list(p, labels_count_spots(p, plan_image(p, "source")), shape);
}

static void list_centroids(drua_plan *p, uint32_t first)
{
    drua_view labels = plan_image(p, "source"), list = plan_image(p, "destination");
    uint32_t last = (uint32_t)plan_largest_label(p, "source");
    if (last >= first)
        statistics_centroids(p, labels, first, last, list);
}

static void plan_centroids(drua_plan *p)
{
    list_centroids(p, 1);
}

static void plan_centroids_and_background(drua_plan *p)
{
    list_centroids(p, 0);
}

static void plan_labelled_spots(drua_plan *p)
{
    drua_view labels = plan_image(p, "source"), list = plan_image(p, "destination");
    drua_view last = graph_last_pixels(p, labels, (uint32_t)list.layout.width);
    LAUNCH(p, "list_last_pixels", plan_grid(list.layout), POINTER(last), INT(labels.layout.width),
           INT(labels.layout.height), ARG(list));
}

static void plan_spots(drua_plan *p)
{
    labels_list_spots(p, plan_image(p, "source"), plan_image(p, "destination"));
}

#define LIST(shape_)                                                                                                   \
    DRUA_IMAGE_OUT("destination", "point list; rows are x, y and, for stacks, z", .shape = shape_,                     \
                   .type = DRUA_FLOAT32, .partial = true)
#define LABELS DRUA_IMAGE_IN("source", "label map")
#define CENTROID "mean position of the pixels of each label, counted from 0"
#define POINT_LIST(name_, plan_, traits_, summary_, source_, params_, ...)                                             \
    {                                                                                                                  \
        .name = #name_, .category = "measurement", .summary = summary_, .source = source_, params_,                    \
        DRUA_ALIASES(__VA_ARGS__), .numeric = DRUA_EXACT, .traits = traits_, .launch = plan_                           \
    }

DRUA_OP(centroids_of_labels) = POINT_LIST(centroids_of_labels, plan_centroids, 0, "Lists the centre of every label.",
                                          CENTROID, DRUA_PARAMS(LABELS, LIST(labels_shape)),
                                          "CLIJ2/CLIJx centroidsOfLabels: source, &destination");
DRUA_OP(centroids_of_background_and_labels) = POINT_LIST(centroids_of_background_and_labels,
                                                         plan_centroids_and_background, 0,
                                                         "Lists the centre of the background, then of every label.",
                                                         CENTROID,
                                                         DRUA_PARAMS(LABELS, LIST(labels_and_background_shape)),
                                                         "CLIJ2 centroidsOfBackgroundAndLabels: source, &destination");
DRUA_OP(labelled_spots_to_point_list) =
    POINT_LIST(labelled_spots_to_point_list, plan_labelled_spots, 0,
               "Lists the position of the last pixel of each label, in the order of labels.",
               "position of the last pixel of each label, counted from 0", DRUA_PARAMS(LABELS, LIST(labels_shape)),
               "CLIJ2/CLIJx labelledSpotsToPointList: source, &destination");
DRUA_OP(spots_to_point_list) = POINT_LIST(spots_to_point_list, plan_spots, DRUA_WHOLE,
                                          "Lists positions of all pixels that are not 0, in raster order.",
                                          "positions of nonzero pixels, counted from 0",
                                          DRUA_PARAMS(DRUA_IMAGE_IN("source", "binary image of single pixels"),
                                                      LIST(spots_shape)),
                                          "CLIJ2/CLIJx spotsToPointList: source, &destination");
