/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices with a row and a column for each label or point, background first, and lists of nearest rows. */
#include "label_graph.h"

static void distance_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){plan_shape(p, "points1").width + 1, plan_shape(p, "points2").width + 1, 1, 2};
}

static void plan_distance(drua_plan *p)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "distance_matrix", plan_grid(out.layout), ARG(plan_image(p, "points1")), ARG(plan_image(p, "points2")),
           ARG(out));
}

static void plan_angle(drua_plan *p)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "angle_matrix", plan_grid(out.layout), ARG(plan_image(p, "points1")), ARG(plan_image(p, "points2")),
           ARG(out));
}

static void store_graph(drua_plan *p, drua_graph g)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "graph_matrix", plan_grid(out.layout), POINTER(g.bits), INT(g.count), INT(g.words), ARG(out));
}

static void plan_difference(drua_plan *p)
{
    drua_view to = plan_image(p, "destination");
    LAUNCH(p, "difference_matrix", plan_grid(to.layout), ARG(plan_image(p, "points1")), ARG(plan_image(p, "points2")),
           ARG(to), INT(plan_integer(p, "axis")));
}

static void plan_two_steps(drua_plan *p)
{
    store_graph(p, graph_two_steps(p, graph_mirror(p, graph_of_matrix(p, plan_image(p, "touch_matrix")))));
}

static void plan_proximal(drua_plan *p)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "proximal_matrix", plan_grid(out.layout), ARG(plan_image(p, "distance_matrix")),
           REAL(plan_number(p, "minimum_distance")), REAL(plan_number(p, "maximum_distance")), ARG(out));
}

static drua_nearest nearest_rows(drua_plan *p, int flags)
{
    return graph_nearest(p, plan_image(p, "distance_matrix"), false, plan_integer(p, "n"), flags);
}

static void plan_nearest(drua_plan *p)
{
    store_graph(p, graph_of_nearest(p, nearest_rows(p, NEAREST_SKIP_SELF | NEAREST_SKIP_BACKGROUND)));
}

static void plan_index_list(drua_plan *p)
{
    drua_view list = plan_image(p, "index_list");
    uint32_t columns = (uint32_t)list.layout.width + 1, slots = (uint32_t)list.layout.height;
    drua_nearest n = {{0}, plan_scratch_bytes(p, 4 * (uint64_t)columns * slots), columns, slots};
    LAUNCH(p, "nearest_from_image", plan_grid(list.layout), ARG(list), INT(columns), POINTER(n.indices));
    store_graph(p, graph_of_nearest(p, n));
}

static void plan_to_adjacency(drua_plan *p)
{
    drua_view out = plan_image(p, "adjacency_matrix");
    LAUNCH(p, "touch_to_adjacency", plan_grid(out.layout), ARG(plan_image(p, "touch_matrix")), ARG(out));
}

static void plan_to_touch(drua_plan *p)
{
    drua_view out = plan_image(p, "touch_matrix");
    LAUNCH(p, "adjacency_to_touch", plan_grid(out.layout), ARG(plan_image(p, "adjacency_matrix")), ARG(out));
}

static void mean_distance(drua_plan *p, int flags)
{
    graph_nearest_mean(p, nearest_rows(p, NEAREST_SKIP_SELF | NEAREST_SKIP_BACKGROUND | flags),
                       plan_image(p, "destination"));
}

static void plan_mean_closest(drua_plan *p) { mean_distance(p, 0); }
static void plan_mean_farthest(drua_plan *p) { mean_distance(p, NEAREST_FARTHEST); }

static void list_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width, plan_integer(p, "n"), 1, 2};
}

static void row_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width, 1, 1, 2};
    (void)p;
}

static void square_shape(drua_plan *p, drua_shape *shape)
{
    *shape = (drua_shape){shape->width + 1, shape->width + 1, 1, 2};
    (void)p;
}

static void store_indices(drua_plan *p, drua_nearest n)
{
    drua_view out = plan_image(p, "indices");
    LAUNCH(p, "nearest_indices", plan_grid(out.layout), POINTER(n.indices), INT(n.columns), INT(n.slots), ARG(out));
}

static void store_distances(drua_plan *p, drua_nearest n)
{
    drua_view out = plan_image(p, "destination");
    LAUNCH(p, "nearest_distances", plan_grid(out.layout), POINTER(n.distances), INT(n.columns), INT(n.slots), ARG(out));
}

static void plan_closest_points(drua_plan *p)
{
    store_indices(p, nearest_rows(p, 0));
}

static void plan_closest_distances(drua_plan *p)
{
    drua_nearest n = nearest_rows(p, 0);
    store_distances(p, n);
    store_indices(p, n);
}

static void plan_shortest(drua_plan *p)
{
    store_distances(p, graph_nearest(p, plan_image(p, "distance_matrix"), false, 1, NEAREST_SKIP_BACKGROUND));
}

#define SOURCE "distances are Euclidean; among equal distances, the smaller number comes first"
#define MATRIX(name_, plan_, numeric_, summary_, params_, ...)                                                         \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_,                           \
        DRUA_ALIASES(__VA_ARGS__), .numeric = numeric_, .launch = plan_                                                \
    }
#define TOUCHES DRUA_IMAGE_IN("touch_matrix", "touch matrix")
#define DISTANCES DRUA_IMAGE_IN("distance_matrix", "distances; row and column 0 stand for the background")
#define TOUCH_MATRIX DRUA_IMAGE_OUT("destination", "touch matrix, 0 and 1")
#define NUMBER_OF(doc) DRUA_INTEGER("n", doc, DRUA_RANGE(1, 2147483647), .default_value = 1)

DRUA_OP(generate_distance_matrix) =
    MATRIX(generate_distance_matrix, plan_distance, DRUA_DEVICE,
           "Measures the distances of all points of one list to all points of another.",
           DRUA_PARAMS(DRUA_IMAGE_IN("points1", "point list: a column of the result for each point"),
                       DRUA_IMAGE_IN("points2", "point list: a row of the result for each point"),
                       DRUA_IMAGE_OUT("destination", "distances; row and column 0 are 0", .shape = distance_shape,
                                      .type = DRUA_FLOAT32)),
           "CLIJ2/CLIJx generateDistanceMatrix: points1, points2, &destination");
DRUA_OP(generate_distance_matrix_along_axis) = MATRIX(
    generate_distance_matrix_along_axis, plan_difference, DRUA_EXACT,
    "Measures the distances along one axis from all points of one list to all points of another; negative if the "
    "second point comes first.",
    DRUA_PARAMS(DRUA_IMAGE_IN("points1", "point list: a column of the result for each point"),
                DRUA_IMAGE_IN("points2", "point list: a row of the result for each point"),
                DRUA_IMAGE_OUT("destination", "differences; row and column 0 are 0", .shape = distance_shape,
                               .type = DRUA_FLOAT32),
                DRUA_INTEGER("axis", "axis to measure along: 0 is x, 1 is y, 2 is z", DRUA_RANGE(0, 2))),
    "CLIJx generateDistanceMatrixAlongAxis: points1, points2, &destination, axis");
DRUA_OP(generate_angle_matrix) = MATRIX(
    generate_angle_matrix, plan_angle, DRUA_DEVICE,
    "Measures the slope of the line from each point of one list to each point of another, in a plane, as an angle "
    "from -pi/2 (up) to pi/2 (down).",
    DRUA_PARAMS(DRUA_IMAGE_IN("points1", "point list: a column of the result for each point"),
                DRUA_IMAGE_IN("points2", "point list: a row of the result for each point"),
                DRUA_IMAGE_OUT("destination", "angles in radians; NaN where points coincide; row and column 0 are 0",
                               .shape = distance_shape, .type = DRUA_FLOAT32)),
    "CLIJx generateAngleMatrix: points1, points2, &destination");
DRUA_OP(neighbors_of_neighbors) = MATRIX(neighbors_of_neighbors, plan_two_steps, DRUA_EXACT,
                                         "Marks pairs of labels that are two touches apart.",
                                         DRUA_PARAMS(TOUCHES, TOUCH_MATRIX),
                                         "CLIJ2 neighborsOfNeighbors: touch_matrix, &destination");
DRUA_OP(generate_proximal_neighbors_matrix) = MATRIX(
    generate_proximal_neighbors_matrix, plan_proximal, DRUA_EXACT,
    "Marks pairs of labels as touching if their distance is in a range, limits included.",
    DRUA_PARAMS(DISTANCES, TOUCH_MATRIX,
                DRUA_NUMBER("minimum_distance", "smallest distance", .unit = "pixel", .default_value = 0),
                DRUA_NUMBER("maximum_distance", "largest distance", .example = 40, .unit = "pixel",
                            .default_value = 10)),
    "CLIJ2/CLIJx generateProximalNeighborsMatrix: distance_matrix, &destination, minimum_distance, maximum_distance");
DRUA_OP(generate_n_nearest_neighbors_matrix) =
    MATRIX(generate_n_nearest_neighbors_matrix, plan_nearest, DRUA_EXACT,
           "Marks the n nearest labels of each label as touching it.",
           DRUA_PARAMS(DISTANCES, TOUCH_MATRIX,
                       DRUA_INTEGER("n", "number of nearest labels; 0 counts as 1", DRUA_RANGE(0, 2147483647),
                                    .default_value = 1)),
           "CLIJ2/CLIJx generateNNearestNeighborsMatrix: distance_matrix, &destination, n");
DRUA_OP(point_index_list_to_touch_matrix) =
    MATRIX(point_index_list_to_touch_matrix, plan_index_list, DRUA_EXACT,
           "Makes a touch matrix from a list. Each column of the list names the labels that its label touches.",
           DRUA_PARAMS(DRUA_IMAGE_IN("index_list", "numbers of labels, a column for each label without the background"),
                       DRUA_IMAGE_OUT("destination", "touch matrix, 0 and 1", .shape = square_shape)),
           "CLIJ2/CLIJx pointIndexListToTouchMatrix: index_list, &destination");
DRUA_OP(touch_matrix_to_adjacency_matrix) =
    MATRIX(touch_matrix_to_adjacency_matrix, plan_to_adjacency, DRUA_EXACT,
           "Makes a touch matrix symmetric: adds it to its transpose.",
           DRUA_PARAMS(TOUCHES, DRUA_IMAGE_OUT("adjacency_matrix", "symmetric matrix")),
           "CLIJ2 touchMatrixToAdjacencyMatrix: touch_matrix, &adjacency_matrix");
DRUA_OP(adjacency_matrix_to_touch_matrix) = MATRIX(
    adjacency_matrix_to_touch_matrix, plan_to_touch, DRUA_EXACT,
    "Moves the entries of a matrix to the left of its diagonal, where touch matrices have their entries.",
    DRUA_PARAMS(DRUA_IMAGE_IN("adjacency_matrix", "matrix; an entry above 0 on either side of the diagonal is a touch"),
                DRUA_IMAGE_OUT("touch_matrix", "touch matrix, 0 and 1")),
    "CLIJ2 adjacencyMatrixToTouchMatrix: adjacency_matrix, &touch_matrix");
DRUA_OP(average_distance_of_n_closest_points) =
    MATRIX(average_distance_of_n_closest_points, plan_mean_closest, DRUA_DEVICE,
           "Takes the mean distance of each point to the n nearest points.",
           DRUA_PARAMS(DISTANCES, GRAPH_VECTOR("destination", "vector of means"), NUMBER_OF("number of points")),
           "CLIJ2/CLIJx averageDistanceOfNClosestPoints: distance_matrix, &destination, n");
DRUA_OP(average_distance_of_n_far_off_points) =
    MATRIX(average_distance_of_n_far_off_points, plan_mean_farthest, DRUA_DEVICE,
           "Takes the mean distance of each point to the n farthest points.",
           DRUA_PARAMS(DISTANCES, GRAPH_VECTOR("destination", "vector of means"), NUMBER_OF("number of points")),
           "CLIJ2 averageDistanceOfNFarOffPoints: distance_matrix, &destination, n");
DRUA_OP(n_closest_points) =
    MATRIX(n_closest_points, plan_closest_points, DRUA_EXACT,
           "Lists, for each column, the rows with the n smallest distances; its own row counts too.",
           DRUA_PARAMS(DISTANCES,
                       DRUA_IMAGE_OUT("indices", "row numbers, smallest distance first", .shape = list_shape,
                                      .type = DRUA_FLOAT32),
                       NUMBER_OF("number of rows")),
           "CLIJ2/CLIJx nClosestPoints: distance_matrix, &indices, n");
DRUA_OP(n_closest_distances) = MATRIX(
    n_closest_distances, plan_closest_distances, DRUA_EXACT,
    "Lists the n smallest distances of each column, and their rows.",
    DRUA_PARAMS(DISTANCES,
                DRUA_IMAGE_OUT("destination", "distances, smallest first", .shape = list_shape, .type = DRUA_FLOAT32),
                DRUA_IMAGE_OUT("indices", "their row numbers", .shape = list_shape, .type = DRUA_FLOAT32),
                NUMBER_OF("number of rows")),
    "CLIJ2 nClosestDistances: distance_matrix, &destination, &indices, n");
DRUA_OP(shortest_distances) = MATRIX(shortest_distances, plan_shortest, DRUA_EXACT,
                                     "Finds the smallest distance in each column, without row 0.",
                                     DRUA_PARAMS(DISTANCES, DRUA_IMAGE_OUT("destination", "vector of distances",
                                                                           .shape = row_shape, .type = DRUA_FLOAT32)),
                                     "CLIJ2/CLIJx shortestDistances: distance_matrix, &destination");
