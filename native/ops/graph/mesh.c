/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines between points that are neighbours. Where lines meet, the one of the largest labels shows. */
#include "graph.h"

#include "../labels/labels.h"

static void draw_ones(drua_plan *p, drua_view points, drua_graph g, drua_view mesh)
{
    LAUNCH(p, "mesh_ones", GRID(g.count, g.words, 1, 64, 1, 1), ARG(points), POINTER(g.bits), INT(g.count), INT(g.words), ARG(mesh));
}

/* The value of a line: its entry in a matrix, or the distance of its ends. */
static void draw_values(drua_plan *p, drua_view points, drua_graph g, drua_view source, bool distances, drua_view mesh)
{
    uint64_t bytes = 4 * (uint64_t)drua_layout_count(&mesh.layout);
    drua_view ends[] = {plan_memory(p, bytes), plan_memory(p, bytes)};
    plan_clear(p, ends[0]);
    plan_clear(p, ends[1]);
    for (int pass = 0; pass < 2; pass++)
        LAUNCH(p, "mesh_ends", GRID(g.count, g.words, 1, 64, 1, 1), ARG(points), POINTER(g.bits), INT(g.count), INT(g.words), INT(pass),
               POINTER(ends[0]), POINTER(ends[1]), ARG(mesh));
    LAUNCH(p, "mesh_values", plan_grid(mesh.layout), ARG(source), INT(distances), POINTER(ends[0]), POINTER(ends[1]), ARG(mesh));
}

static void plan_touch_matrix(drua_plan *p)
{
    drua_view matrix = plan_image(p, "touch_matrix");
    draw_values(p, plan_image(p, "points"), graph_of_matrix(p, matrix), matrix, false, plan_image(p, "destination"));
}

static void plan_distance_matrix(drua_plan *p)
{
    drua_view matrix = plan_image(p, "distance_matrix");
    drua_graph g = graph_new(p, (uint32_t)(matrix.layout.width > matrix.layout.height ? matrix.layout.width : matrix.layout.height));
    LAUNCH(p, "graph_below", GRID(g.words, g.count, 1, 16, 4, 1), ARG(matrix), POINTER(g.bits), INT(g.count), INT(g.words),
           REAL(plan_number(p, "maximum_distance")));
    draw_ones(p, plan_image(p, "points"), g, plan_image(p, "destination"));
}

static void plan_index_list(drua_plan *p)
{
    drua_view list = plan_image(p, "index_list");
    LAUNCH(p, "mesh_list", GRID(list.layout.width, list.layout.height, 1, 64, 1, 1), ARG(plan_image(p, "points")), ARG(list), ARG(plan_image(p, "destination")));
}

typedef struct cells {
    drua_view labels, points, mesh;
    uint32_t largest;
} cells;

static cells prepare(drua_plan *p)
{
    cells c = {.labels = plan_image(p, "source"), .mesh = plan_image(p, "destination"), .largest = (uint32_t)plan_largest_label(p, "source")};
    c.points = graph_centroids(p, c.labels, c.largest);
    graph_clear(p, c.mesh);
    return c;
}

static void plan_touching(drua_plan *p)
{
    cells c = prepare(p);
    draw_ones(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), c.mesh);
}

static void plan_distances(drua_plan *p)
{
    cells c = prepare(p);
    draw_values(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), c.points, true, c.mesh);
}

static void plan_touch_counts(drua_plan *p)
{
    cells c = prepare(p);
    draw_values(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), graph_touch_counts(p, c.labels, c.largest), false, c.mesh);
}

/* A line has the share of the outline of its label with the smaller number. */
static void plan_touch_portions(drua_plan *p)
{
    cells c = prepare(p);
    drua_view counts = graph_touch_counts(p, c.labels, c.largest);
    drua_view shares = plan_scratch(p, (drua_shape){(int64_t)c.largest + 1, (int64_t)c.largest + 1, 1, 2}, DRUA_FLOAT32);
    drua_view sums = plan_memory(p, 4 * ((uint64_t)c.largest + 1));
    LAUNCH(p, "column_sums", GRID((int64_t)c.largest + 1, 32, 1, 8, 32, 1), ARG(counts), POINTER(sums));
    LAUNCH(p, "column_shares", plan_grid(shares.layout), ARG(counts), POINTER(sums), ARG(shares));
    draw_values(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), shares, false, c.mesh);
}

static void plan_nearest(drua_plan *p)
{
    cells c = prepare(p);
    drua_nearest n = graph_nearest(p, c.points, true, plan_integer(p, "n"), NEAREST_SKIP_SELF | NEAREST_SKIP_BACKGROUND);
    draw_ones(p, c.points, graph_of_nearest(p, n), c.mesh);
}

static void plan_proximal(drua_plan *p)
{
    cells c = prepare(p);
    drua_graph g = graph_of_proximal(p, c.points, 0, nextafterf((float)plan_number(p, "maximum_distance"), -1.0f));
    draw_ones(p, c.points, g, c.mesh);
}

#define POINTS DRUA_IMAGE_IN("points", "point list; rows are x, y, z")
#define SOURCE "straight lines from centroid to centroid"
#define MESH(name_, plan_, numeric_, summary_, params_, ...)                                                                     \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_, DRUA_ALIASES(__VA_ARGS__), \
                                     .numeric = numeric_, .plan = plan_};
#define DRAWN(...) DRUA_IMAGE_OUT("destination", "image of the lines", .partial = true, __VA_ARGS__)
#define LABELS DRUA_IMAGE_IN("source", "label map"), DRUA_IMAGE_OUT("destination", "image of the lines", .type = DRUA_FLOAT32)
#define MOST DRUA_NUMBER("maximum_distance", "points nearer than this are joined", .unit = "pixel", .preset = 50)
#define NEAREST DRUA_INTEGER("n", "number of nearest labels", DRUA_RANGE(1, 2147483647), .preset = 1)

MESH(touch_matrix_to_mesh, plan_touch_matrix, DRUA_DEVICE, "Draws lines between points that touch; a line's value is the matrix entry.",
     DRUA_PARAMS(POINTS, DRUA_IMAGE_IN("touch_matrix", "touch matrix; point i is label i + 1"), DRAWN(.shape = labels_shape_of_points)),
     "CLIJ2/CLIJx touchMatrixToMesh: points, touch_matrix, &destination")
MESH(distance_matrix_to_mesh, plan_distance_matrix, DRUA_DEVICE, "Draws lines of value 1 between points nearer than a distance.",
     DRUA_PARAMS(POINTS, DRUA_IMAGE_IN("distance_matrix", "distances; row and column 0 stand for the background"), DRAWN(.shape = labels_shape_of_points), MOST),
     "CLIJ2/CLIJx distanceMatrixToMesh: points, distance_matrix, &destination, maximum_distance")
MESH(point_index_list_to_mesh, plan_index_list, DRUA_DEVICE, "Draws lines of value 1 from points to those that a list names.",
     DRUA_PARAMS(POINTS, DRUA_IMAGE_IN("index_list", "numbers of labels, a column for each label, the first for background"), DRAWN(.shape = labels_shape_of_points)),
     "CLIJ2/CLIJx pointIndexListToMesh: points, index_list, &destination")
MESH(draw_mesh_between_touching_labels, plan_touching, DRUA_DEVICE, "Draws lines of value 1 between centroids of labels that touch.", DRUA_PARAMS(LABELS),
     "CLIJ2/CLIJx drawMeshBetweenTouchingLabels: source, &destination")
MESH(draw_distance_mesh_between_touching_labels, plan_distances, DRUA_DEVICE,
     "Draws lines between centroids of labels that touch; a line's value is its length.", DRUA_PARAMS(LABELS),
     "CLIJ2/CLIJx drawDistanceMeshBetweenTouchingLabels: source, &destination")
MESH(draw_touch_count_mesh_between_touching_labels, plan_touch_counts, DRUA_DEVICE,
     "Draws lines between centroids of labels that touch; a line's value is the number of pixel sides along which they touch.", DRUA_PARAMS(LABELS),
     "CLIJx drawTouchCountMeshBetweenTouchingLabels: source, &destination")
MESH(draw_touch_portion_mesh_between_touching_labels, plan_touch_portions, DRUA_DEVICE,
     "Draws lines between centroids of labels that touch; a line's value is the touching share of the outline of the label with the smaller number.",
     DRUA_PARAMS(LABELS), "CLIJx drawTouchPortionMeshBetweenTouchingLabels: source, &destination")
MESH(draw_mesh_between_n_nearest_labels, plan_nearest, DRUA_DEVICE, "Draws lines of value 1 between centroids of labels and their n nearest ones.",
     DRUA_PARAMS(LABELS, NEAREST), "CLIJ2 drawMeshBetweenNNearestLabels: source, &destination, n",
     "CLIJ2/CLIJx drawMeshBetweenNClosestLabels: source, &destination, n")
MESH(draw_mesh_between_proximal_labels, plan_proximal, DRUA_DEVICE, "Draws lines of value 1 between centroids of labels nearer than a distance.",
     DRUA_PARAMS(LABELS, MOST), "CLIJ2/CLIJx drawMeshBetweenProximalLabels: source, &destination, maximum_distance")
