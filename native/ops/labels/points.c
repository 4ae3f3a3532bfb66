/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts point lists to images and back. A list has a column for each point and rows x, y and z. */
#include "statistics.h"

/*
 * Writes points in two launches. The first finds, for each pixel, its last point; the second writes that point's value.
 */
static void write_points(drua_plan *p, drua_view points, int axes, int value_row)
{
    drua_view to = plan_image(p, "destination"),
              last = plan_scratch_bytes(p, 4 * (uint64_t)drua_layout_count(&to.layout));
    int64_t at[3];
    plan_whole_shape(p, "destination", at);
    plan_clear(p, last);
    LAUNCH(p, "last_points", LINE(points.layout.width, 64), ARG(points), INT(axes), POINTER(last), ARG(to), INT(at[1]),
           INT(at[2]));
    LAUNCH(p, "write_points", LINE(points.layout.width, 64), ARG(points), INT(axes), INT(value_row), POINTER(last),
           ARG(to), INT(at[1]), INT(at[2]));
}

/* Each tile needs the complete list of points. */
static void parts_of_write(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->range[1] = parts->range[2] = (drua_affine_range){true, 1, 0, 0};
}

static void plan_spots(drua_plan *p)
{
    drua_view points = plan_image(p, "points");
    write_points(p, points, points.layout.height < 3 ? points.layout.height : 3, -1);
}

static void plan_write_points(drua_plan *p)
{
    drua_view points = plan_image(p, "points");
    int rows = points.layout.height;
    write_points(p, points, rows < 4 ? rows - 1 : 3, rows - 1);
}

static void plan_read_points(drua_plan *p)
{
    drua_view out = plan_image(p, "destination"), points = plan_image(p, "points"), map = plan_image(p, "map");
    for (drua_tiles t = {.inputs = {map}}; plan_next_tile(p, &t);)
        LAUNCH(p, "read_points", plan_grid(out.layout), ARG(points), ARG(t.from[0]), INT(map.layout.height),
               INT(map.layout.depth), INT(t.at.wanted.first[1]), INT(t.at.wanted.first[2]), ARG(out));
}

static drua_view list_centroids(drua_plan *p, drua_view labels)
{
    uint32_t largest = (uint32_t)plan_largest_label(p, "source"), count = largest > 0 ? largest : 1;
    drua_view points = plan_scratch(p, (drua_shape){count, 3, 1, 2}, DRUA_FLOAT32);
    statistics_centroids(p, labels, 1, count, points);
    return points;
}

/* Tiles of a map use the centroids of the complete map. */
static drua_view given_centroids(drua_plan *p)
{
    drua_view points = plan_tile_scratch(p);
    if (!points.buffer)
        return list_centroids(p, plan_image(p, "source"));
    points.layout = drua_layout_dense(
        (drua_shape){(int64_t)(drua_buffer_bytes(points.buffer) / (3 * sizeof(float))), 3, 1, 2}, DRUA_FLOAT32);
    return points;
}

static void parts_of_centroids(drua_plan *p, drua_parts *parts)
{
    parts->scratch = list_centroids(p, plan_image(p, "source")).buffer;
}

static void plan_centroids(drua_plan *p)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "fill_box", plan_grid(out.layout), ARG(out), REAL(0));
    write_points(p, given_centroids(p), 3, -1);
}

static void launch_distance_from_centroid(drua_plan *p)
{
    drua_view labels = plan_image(p, "source"), out = plan_image(p, "destination"), points = given_centroids(p);
    int64_t origin[3];
    plan_whole_shape(p, "source", origin);
    LAUNCH(p, "distance_from_centroid", plan_grid(out.layout), ARG(labels), ARG(points), ARG(out), INT(origin[1]),
           INT(origin[2]));
}

static void plan_edge_flags(drua_plan *p)
{
    drua_view labels = plan_image(p, "source"), out = plan_image(p, "destination");
    uint32_t largest = labels_largest(p, "source");
    drua_view flags = plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1));
    plan_clear(p, flags);
    labels_flag_borders(p, labels, 0, 3, flags);
    LAUNCH(p, "store_flags", plan_grid(out.layout), POINTER(flags), INT(largest), ARG(out));
}

/* ---- distances of spots to the nearest spot of another image */

static drua_view list_spots(drua_plan *p, const char *image, const drua_spots *spots)
{
    const int64_t count = labels_count_found(p, spots);
    drua_view list = plan_scratch(p, (drua_shape){count > 0 ? count : 1, 3, 1, 2}, DRUA_FLOAT32);
    labels_list_found(p, spots, list);
    if (count == 0)
        plan_fail(p, "%s is 0 everywhere, so distances to its spots cannot be measured; check the spots", image);
    return list;
}

static double mean_distance(drua_plan *p, drua_view from, drua_view to)
{
    size_t count = (size_t)from.layout.width;
    const int32_t shares = plan_device(p)->is_gpu ? 32 : 1;
    drua_view shortest = plan_scratch_bytes(p, 4 * (uint64_t)count);
    LAUNCH(p, "nearest_points",
           grid_of_turns(LINE((int64_t)count * shares, shares > 1 ? 256 : 64), to.layout.width / shares), ARG(from),
           ARG(to), INT(shares), POINTER(shortest));
    float *distances = plan_host_memory(p, count * sizeof *distances);
    plan_read(p, shortest, distances, count * sizeof *distances);
    double sum = 0;
    for (size_t i = 0; i < count && !plan_failed(p); i++)
        sum += distances[i];
    return sum / (double)count;
}

static void launch_closest(drua_plan *p)
{
    static const char *const headings[] = {"mean_closest_spot_distance_A_B", "mean_closest_spot_distance_B_A"};
    bool both = plan_flag(p, "bidirectional");
    const drua_spots in_a = labels_find_spots(p, plan_image(p, "spots_a")),
                     in_b = labels_find_spots(p, plan_image(p, "spots_b"));
    drua_view a = list_spots(p, "spots_a", &in_a), b = list_spots(p, "spots_b", &in_b);
    double mean[2] = {mean_distance(p, a, b), both ? mean_distance(p, b, a) : 0};
    plan_set_table(p, headings, both ? 2 : 1, mean, 1);
}

/* The result has a pixel for each coordinate up to the largest. */
void labels_shape_of_points(drua_plan *p, drua_shape *shape)
{
    enum { AXES = 3 };
    drua_view points = plan_image(p, "points"), bounds = plan_scratch_bytes(p, AXES * sizeof(uint32_t));
    plan_clear(p, bounds);
    LAUNCH(p, "point_bounds", GRID(points.layout.width, points.layout.height, 1, 64, 1, 1), ARG(points),
           POINTER(bounds));
    uint32_t largest[AXES] = {0};
    plan_read(p, bounds, largest, sizeof largest);
    bool stack = points.layout.height > 2;
    *shape = (drua_shape){(int64_t)largest[0] + 1, (int64_t)largest[1] + 1, stack ? (int64_t)largest[2] + 1 : 1,
                          stack ? 3 : 2};
}

static void one_for_each_point(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width, 1, 1, 3};
    (void)p;
}

static void one_for_each_label(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_largest_label(p, "source") + 1, 1, 1, 3};
}

#define POINTS DRUA_IMAGE_WHOLE("points", "point list; rows are x, y, z")
#define LABELS DRUA_IMAGE_IN("source", "label map")
#define SOURCE "positions are counted from 0 and truncated to whole pixels; distances are Euclidean"
#define OPERATION(name_, category_, plan_, parts_, traits_, numeric_, summary_, params_, ...)                          \
    {                                                                                                                  \
        .name = #name_, .category = category_, .summary = summary_, .source = SOURCE, params_,                         \
        DRUA_ALIASES(__VA_ARGS__), .traits = traits_, .numeric = numeric_, .launch = plan_, .parts = parts_            \
    }

DRUA_OP(pointlist_to_labelled_spots) = OPERATION(
    pointlist_to_labelled_spots, "labels", plan_spots, parts_of_write, 0, DRUA_EXACT,
    "Sets a pixel for each point: the first to 1, the second to 2, ...",
    DRUA_PARAMS(POINTS,
                DRUA_LABELS_OUT("destination", "label map of spots", .shape = labels_shape_of_points, .partial = true)),
    "CLIJ2 pointlistToLabelledSpots: points, &destination");
DRUA_OP(write_values_to_positions) = OPERATION(
    write_values_to_positions, "image", plan_write_points, parts_of_write, 0, DRUA_EXACT,
    "Sets pixels at positions to values.",
    DRUA_PARAMS(DRUA_IMAGE_WHOLE("points", "a column for each point; rows are x, y, in stacks z, then the value"),
                DRUA_IMAGE_OUT("destination", "image to write into", .partial = true)),
    "CLIJ2/CLIJx writeValuesToPositions: points, &destination");
DRUA_OP(read_values_from_positions) =
    OPERATION(read_values_from_positions, "image", plan_read_points, NULL, DRUA_READS_PART, DRUA_EXACT,
              "Reads pixels at positions; positions are truncated.",
              DRUA_PARAMS(POINTS, DRUA_IMAGE_IN("map", "image to read"),
                          DRUA_IMAGE_OUT("destination", "vector: one value for each point", .shape = one_for_each_point,
                                         .type = DRUA_FLOAT32)),
              "CLIJ2/CLIJx readValuesFromPositions: points, map, &destination");
DRUA_OP(reduce_labels_to_centroids) = OPERATION(
    reduce_labels_to_centroids, "labels", plan_centroids, parts_of_centroids, 0, DRUA_EXACT,
    "Keeps one pixel of each label: where its centroid is.",
    DRUA_PARAMS(LABELS, DRUA_LABELS_OUT("destination", "label map of single pixels")),
    "CLIJ2 reduceLabelsToCentroids: source, &destination", "CLIJx reduceLabelsToLabelledSpots: source, &destination");
DRUA_OP(euclidean_distance_from_label_centroid_map) = {
    .name = "euclidean_distance_from_label_centroid_map",
    .category = "measurement",
    .summary = "Measures the distance of every pixel to the centroid of its label.",
    .source = SOURCE,
    DRUA_PARAMS(LABELS, DRUA_IMAGE_OUT("destination", "map, float32; background is 0", .type = DRUA_FLOAT32)),
    DRUA_ALIASES("CLIJ2/CLIJx euclideanDistanceFromLabelCentroidMap: source, &destination"),
    .numeric = DRUA_DEVICE,
    .launch = launch_distance_from_centroid,
    .parts = parts_of_centroids,
};

DRUA_OP(flag_labels_on_edges) = OPERATION(
    flag_labels_on_edges, "labels", plan_edge_flags, NULL, DRUA_READS_PART, DRUA_EXACT,
    "Marks labels that touch the border of the image.",
    DRUA_PARAMS(LABELS, DRUA_IMAGE_OUT("destination", "vector: 1 for each label at the border, the background included",
                                       .shape = one_for_each_label, .type = DRUA_FLOAT32)),
    "CLIJx flagLabelsOnEdges: source, &destination");
DRUA_OP(mean_closest_spot_distance) = {
    .name = "mean_closest_spot_distance",
    .category = "measurement",
    .summary = "Takes the mean distance of spots to the nearest spot of another image.",
    .source = SOURCE,
    DRUA_PARAMS(DRUA_IMAGE_IN("spots_a", "binary image of spots"),
                DRUA_IMAGE_IN("spots_b", "binary image of other spots"),
                DRUA_BOOLEAN("bidirectional", "whether distances from the other spots are measured too",
                             .default_value = 0),
                DRUA_TABLE_OUT("table", "mean distances from a to b and, if requested, from b to a")),
    DRUA_ALIASES("CLIJ2/CLIJx meanClosestSpotDistance: spots_a, spots_b, bidirectional"),
    .numeric = DRUA_DEVICE,
    .traits = DRUA_WHOLE,
    .launch = launch_closest,
};
