/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines between points that are neighbours. Where lines meet, the one of the largest labels shows. */
#include "graph.h"

#include "../labels/labels.h"

/* What of the mesh is drawn: layers that keep their positions, or an image that begins there in the whole one. */
typedef struct drawn {
    drua_view mesh;
    drua_stretch at;
    int64_t shift[3];
} drawn;

#define PART(d) INT((d)->at.axis == 1 ? (d)->at.first : 0), INT((d)->at.axis == 2 ? (d)->at.first : 0), INT((d)->shift[1]), INT((d)->shift[2])

static drawn all_of(drua_plan *p)
{
    drawn d = {.mesh = plan_image(p, "destination"), .at = {.axis = 2}};
    d.at.count = d.mesh.layout.depth;
    plan_whole_shape(p, "destination", d.shift);
    return d;
}

static void clear(drua_plan *p, const drawn *d)
{
    const drua_layout *l = &d->mesh.layout;
    if (d->at.count == (d->at.axis == 2 ? l->depth : l->height))
        graph_clear(p, d->mesh);
    else
        LAUNCH(p, "clear_matrix", plan_grid_along(plan_grid(*l), &d->at), ARG(d->mesh));
}

static void draw_ones(drua_plan *p, drua_view points, drua_graph g, const drawn *d)
{
    LAUNCH(p, "mesh_ones", GRID(g.count, g.words, 1, 64, 1, 1), ARG(points), POINTER(g.bits), INT(g.count), INT(g.words), PART(d), ARG(d->mesh));
}

/* The value of a line: its entry in a matrix, or the distance of its ends. */
static void draw_values(drua_plan *p, drua_view points, drua_graph g, drua_view source, bool distances, const drawn *d)
{
    const drua_layout l = d->mesh.layout;
    uint64_t bytes = 4 * (uint64_t)l.width * (uint64_t)(d->at.axis == 1 ? d->at.count : (int64_t)l.height * d->at.count);
    drua_view ends[] = {plan_memory(p, bytes), plan_memory(p, bytes)};
    plan_clear(p, ends[0]);
    plan_clear(p, ends[1]);
    for (int pass = 0; pass < 2; pass++)
        LAUNCH(p, "mesh_ends", GRID(g.count, g.words, 1, 64, 1, 1), ARG(points), POINTER(g.bits), INT(g.count), INT(g.words), INT(pass),
               POINTER(ends[0]), POINTER(ends[1]), PART(d), ARG(d->mesh));
    LAUNCH(p, "mesh_values", plan_grid_along(plan_grid(l), &d->at), ARG(source), INT(distances), POINTER(ends[0]), POINTER(ends[1]),
           INT(d->at.axis == 1 ? d->at.first : 0), INT(d->at.axis == 2 ? d->at.first : 0), ARG(d->mesh));
    plan_drop(p, ends[0]);
    plan_drop(p, ends[1]);
}

static void plan_touch_matrix(drua_plan *p)
{
    drua_view matrix = plan_image(p, "touch_matrix");
    const drawn d = all_of(p);
    draw_values(p, plan_image(p, "points"), graph_of_matrix(p, matrix), matrix, false, &d);
}

static void plan_distance_matrix(drua_plan *p)
{
    drua_view matrix = plan_image(p, "distance_matrix");
    drua_graph g = graph_new(p, (uint32_t)(matrix.layout.width > matrix.layout.height ? matrix.layout.width : matrix.layout.height));
    const drawn d = all_of(p);
    LAUNCH(p, "graph_below", GRID(g.words, g.count, 1, 16, 4, 1), ARG(matrix), POINTER(g.bits), INT(g.count), INT(g.words),
           REAL(plan_number(p, "maximum_distance")));
    draw_ones(p, plan_image(p, "points"), g, &d);
}

static void plan_index_list(drua_plan *p)
{
    drua_view list = plan_image(p, "index_list");
    const drawn d = all_of(p);
    LAUNCH(p, "mesh_list", GRID(list.layout.width, list.layout.height, 1, 64, 1, 1), ARG(plan_image(p, "points")), ARG(list), PART(&d), ARG(d.mesh));
}

/* Which lines there are is known of all points only. */
static void parts_of_mesh(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->reach[1] = parts->reach[2] = (drua_reach){true, 1, 0, 0};
}

typedef struct cells {
    drua_view labels, points;
    uint32_t largest;
} cells;

static cells prepare(drua_plan *p)
{
    cells c = {.labels = plan_image(p, "source"), .largest = (uint32_t)plan_largest_label(p, "source")};
    c.points = graph_centroids(p, c.labels, c.largest);
    return c;
}

/* Lines with the values of a matrix, with their lengths (no matrix but `distances`), or of value 1. */
static void draw(drua_plan *p, drua_view points, drua_graph g, drua_view matrix, bool distances)
{
    for (drua_stretch s = {.count = 0}; plan_next_slices(p, "destination", &s);) {
        const drawn d = {.mesh = s.view, .at = s};
        clear(p, &d);
        if (distances || matrix.buffer)
            draw_values(p, points, g, distances ? points : matrix, distances, &d);
        else
            draw_ones(p, points, g, &d);
    }
}

static void plan_touching(drua_plan *p)
{
    const cells c = prepare(p);
    draw(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), (drua_view){0}, false);
}

static void plan_distances(drua_plan *p)
{
    const cells c = prepare(p);
    draw(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), (drua_view){0}, true);
}

static void plan_touch_counts(drua_plan *p)
{
    const cells c = prepare(p);
    draw(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), graph_touch_counts(p, c.labels, c.largest), false);
}

/* A line has the share of the outline of its label with the smaller number. */
static void plan_touch_portions(drua_plan *p)
{
    const cells c = prepare(p);
    drua_view counts = graph_touch_counts(p, c.labels, c.largest);
    drua_view shares = plan_scratch(p, (drua_shape){(int64_t)c.largest + 1, (int64_t)c.largest + 1, 1, 2}, DRUA_FLOAT32);
    drua_view sums = plan_memory(p, 4 * ((uint64_t)c.largest + 1));
    LAUNCH(p, "column_sums", GRID((int64_t)c.largest + 1, 32, 1, 8, 32, 1), ARG(counts), POINTER(sums));
    LAUNCH(p, "column_shares", plan_grid(shares.layout), ARG(counts), POINTER(sums), ARG(shares));
    draw(p, c.points, graph_of_touching(p, c.labels, c.largest, 1), shares, false);
}

static void plan_nearest(drua_plan *p)
{
    const cells c = prepare(p);
    drua_nearest n = graph_nearest(p, c.points, true, plan_integer(p, "n"), NEAREST_SKIP_SELF | NEAREST_SKIP_BACKGROUND);
    draw(p, c.points, graph_of_nearest(p, n), (drua_view){0}, false);
}

static void plan_proximal(drua_plan *p)
{
    const cells c = prepare(p);
    drua_graph g = graph_of_proximal(p, c.points, 0, nextafterf((float)plan_number(p, "maximum_distance"), -1.0f));
    draw(p, c.points, g, (drua_view){0}, false);
}

#define POINTS DRUA_IMAGE_WHOLE("points", "point list; rows are x, y, z")
#define SOURCE "straight lines from centroid to centroid"
#define MESH(name_, plan_, parts_, numeric_, summary_, params_, ...)                                                             \
    const drua_op drua_op_##name_ = {.name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_, DRUA_ALIASES(__VA_ARGS__), \
                                     .numeric = numeric_, .plan = plan_, .parts = parts_};
#define DRAWN(...) DRUA_IMAGE_OUT("destination", "image of the lines", .partial = true, __VA_ARGS__)
#define LABELS DRUA_IMAGE_IN("source", "label map"), DRUA_IMAGE_OUT("destination", "image of the lines", .type = DRUA_FLOAT32, .by_slices = true)
#define MOST DRUA_NUMBER("maximum_distance", "points nearer than this are joined", .unit = "pixel", .preset = 50)
#define NEAREST DRUA_INTEGER("n", "number of nearest labels", DRUA_RANGE(1, 2147483647), .preset = 1)

MESH(touch_matrix_to_mesh, plan_touch_matrix, parts_of_mesh, DRUA_DEVICE, "Draws lines between points that touch; a line's value is the matrix entry.",
     DRUA_PARAMS(POINTS, DRUA_IMAGE_WHOLE("touch_matrix", "touch matrix; point i is label i + 1"), DRAWN(.shape = labels_shape_of_points)),
     "CLIJ2/CLIJx touchMatrixToMesh: points, touch_matrix, &destination")
MESH(distance_matrix_to_mesh, plan_distance_matrix, parts_of_mesh, DRUA_DEVICE, "Draws lines of value 1 between points nearer than a distance.",
     DRUA_PARAMS(POINTS, DRUA_IMAGE_WHOLE("distance_matrix", "distances; row and column 0 stand for the background"), DRAWN(.shape = labels_shape_of_points), MOST),
     "CLIJ2/CLIJx distanceMatrixToMesh: points, distance_matrix, &destination, maximum_distance")
MESH(point_index_list_to_mesh, plan_index_list, parts_of_mesh, DRUA_DEVICE, "Draws lines of value 1 from points to those that a list names.",
     DRUA_PARAMS(POINTS, DRUA_IMAGE_WHOLE("index_list", "numbers of labels, a column for each label, the first for background"), DRAWN(.shape = labels_shape_of_points)),
     "CLIJ2/CLIJx pointIndexListToMesh: points, index_list, &destination")
MESH(draw_mesh_between_touching_labels, plan_touching, NULL, DRUA_DEVICE, "Draws lines of value 1 between centroids of labels that touch.", DRUA_PARAMS(LABELS),
     "CLIJ2/CLIJx drawMeshBetweenTouchingLabels: source, &destination")
MESH(draw_distance_mesh_between_touching_labels, plan_distances, NULL, DRUA_DEVICE,
     "Draws lines between centroids of labels that touch; a line's value is its length.", DRUA_PARAMS(LABELS),
     "CLIJ2/CLIJx drawDistanceMeshBetweenTouchingLabels: source, &destination")
MESH(draw_touch_count_mesh_between_touching_labels, plan_touch_counts, NULL, DRUA_DEVICE,
     "Draws lines between centroids of labels that touch; a line's value is the number of pixel sides along which they touch.", DRUA_PARAMS(LABELS),
     "CLIJx drawTouchCountMeshBetweenTouchingLabels: source, &destination")
MESH(draw_touch_portion_mesh_between_touching_labels, plan_touch_portions, NULL, DRUA_DEVICE,
     "Draws lines between centroids of labels that touch; a line's value is the touching share of the outline of the label with the smaller number.",
     DRUA_PARAMS(LABELS), "CLIJx drawTouchPortionMeshBetweenTouchingLabels: source, &destination")
MESH(draw_mesh_between_n_nearest_labels, plan_nearest, NULL, DRUA_DEVICE, "Draws lines of value 1 between centroids of labels and their n nearest ones.",
     DRUA_PARAMS(LABELS, NEAREST), "CLIJ2 drawMeshBetweenNNearestLabels: source, &destination, n",
     "CLIJ2/CLIJx drawMeshBetweenNClosestLabels: source, &destination, n")
MESH(draw_mesh_between_proximal_labels, plan_proximal, NULL, DRUA_DEVICE, "Draws lines of value 1 between centroids of labels nearer than a distance.",
     DRUA_PARAMS(LABELS, MOST), "CLIJ2/CLIJx drawMeshBetweenProximalLabels: source, &destination, maximum_distance")
