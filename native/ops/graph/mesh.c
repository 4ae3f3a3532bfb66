/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws lines between neighbouring points. Where lines cross, the line between the largest labels is visible. */
#include "label_graph.h"

#include "../labels/labels.h"

/* The part of the mesh to draw: a range of layers of the image, or a tile that begins at `shift` in the image. */
typedef struct drawn {
    drua_view mesh;
    drua_box at;
    int64_t shift[3];
} drawn;

#define PART(d) INT((d)->at.first[1]), INT((d)->at.first[2]), INT((d)->shift[1]), INT((d)->shift[2])

static drawn all_of(drua_plan *p)
{
    drawn d = {.mesh = plan_image(p, "destination")};
    d.at = drua_box_of((const int64_t[]){d.mesh.layout.width, d.mesh.layout.height, d.mesh.layout.depth});
    plan_whole_shape(p, "destination", d.shift);
    return d;
}

static void clear_tile(drua_plan *p, const drawn *d)
{
    drua_view part = d->mesh;
    drua_layout *l = &part.layout;
    l->offset += d->at.first[2] * l->plane + d->at.first[1] * l->row;
    l->height = (int32_t)(d->at.end[1] - d->at.first[1]);
    l->depth = (int32_t)(d->at.end[2] - d->at.first[2]);
    plan_clear(p, part);
}

/* Returns the number of work-items that share a word of bits. Lines are expensive, so small graphs divide each word. */
static int shares_of(drua_plan *p, drua_graph g)
{
    enum { SHARES = 8 /* as in kernels/graph/mesh.cl */, FEW = 1 << 18 };
    return plan_device(p)->is_gpu && (int64_t)g.count * g.words < FEW ? SHARES : 1;
}

static void draw_ones(drua_plan *p, drua_view points, drua_graph g, const drawn *d)
{
    const int shares = shares_of(p, g);
    LAUNCH(p, "mesh_ones", GRID(g.count, g.words, shares, 64, 1, 1), ARG(points), POINTER(g.bits), INT(g.count),
           INT(g.words), INT(shares), PART(d), ARG(d->mesh));
}

/*
 * Value of the lines' pixels; as in kernels/graph/mesh.cl. The kernel's `source` is a matrix or, for lengths, the
 * points.
 */
typedef enum shown { ENTRIES, LENGTHS, SHARES_OF_SUMS, ONES } shown;

typedef struct values {
    shown shown;
    drua_view source, sums;
} values;

/*
 * Draws lines with values. A pixel on several lines shows the line with the largest first point; among these, the one
 * with the largest second point.
 */
static void draw_values(drua_plan *p, drua_view points, drua_graph g, const values *v, const drawn *d)
{
    enum { FIRSTS, SECONDS, BOTH /* as in kernels/graph/mesh.cl */, MAX_IN_HALF = 1 << 16 };
    const drua_layout l = d->mesh.layout;
    const int shares = shares_of(p, g);
    const bool halves = g.count <= MAX_IN_HALF;
    const int64_t rows = d->at.end[1] - d->at.first[1], slices = d->at.end[2] - d->at.first[2];
    uint64_t bytes = 4 * (uint64_t)l.width * (uint64_t)(rows * slices);
    drua_grid grid = plan_grid(l);
    grid.items[1] = rows;
    grid.items[2] = slices;
    grid.from[1] = d->at.first[1];
    grid.from[2] = d->at.first[2];
    drua_view firsts = plan_scratch_bytes(p, bytes), seconds = halves ? firsts : plan_scratch_bytes(p, bytes);
    plan_clear(p, firsts);
    if (!halves)
        plan_clear(p, seconds);
    for (int pass = halves ? BOTH : FIRSTS; pass <= (halves ? BOTH : SECONDS); pass++)
        LAUNCH(p, "mesh_ends", GRID(g.count, g.words, shares, 64, 1, 1), ARG(points), POINTER(g.bits), INT(g.count),
               INT(g.words), INT(shares), INT(pass), POINTER(firsts), POINTER(seconds), PART(d), ARG(d->mesh));
    LAUNCH(p, "mesh_values", grid, ARG(v->source), INT(v->shown),
           POINTER(v->shown == SHARES_OF_SUMS ? v->sums : v->source), POINTER(firsts), POINTER(seconds), INT(halves),
           INT(d->at.first[1]), INT(d->at.first[2]), ARG(d->mesh));
    plan_free_scratch(p, firsts);
    if (!halves)
        plan_free_scratch(p, seconds);
}

static void plan_touch_matrix(drua_plan *p)
{
    drua_view matrix = plan_image(p, "touch_matrix");
    const drawn d = all_of(p);
    draw_values(p, plan_image(p, "points"), graph_of_matrix(p, matrix), &(values){ENTRIES, matrix, {0}}, &d);
}

static void plan_distance_matrix(drua_plan *p)
{
    drua_view matrix = plan_image(p, "distance_matrix");
    drua_graph g = graph_new(
        p, (uint32_t)(matrix.layout.width > matrix.layout.height ? matrix.layout.width : matrix.layout.height));
    const drawn d = all_of(p);
    LAUNCH(p, "graph_below", GRID(g.words, g.count, 1, 16, 4, 1), ARG(matrix), POINTER(g.bits), INT(g.count),
           INT(g.words), REAL(plan_number(p, "maximum_distance")));
    draw_ones(p, plan_image(p, "points"), g, &d);
}

static void plan_index_list(drua_plan *p)
{
    drua_view list = plan_image(p, "index_list");
    const drawn d = all_of(p);
    LAUNCH(p, "mesh_list", GRID(list.layout.width, list.layout.height, 1, 64, 1, 1), ARG(plan_image(p, "points")),
           ARG(list), PART(&d), ARG(d.mesh));
}

/* The lines depend on all points, so each tile receives the complete list. */
static void parts_of_mesh(drua_plan *p, drua_parts *parts)
{
    (void)p;
    parts->range[1] = parts->range[2] = (drua_affine_range){true, 1, 0, 0};
}

typedef struct cells {
    drua_view labels, points;
    uint32_t largest;
} cells;

static cells find_cells(drua_plan *p)
{
    cells c = {.labels = plan_image(p, "source"), .largest = (uint32_t)plan_largest_label(p, "source")};
    c.points = graph_centroids(p, c.labels, c.largest);
    return c;
}

static void draw_edges(drua_plan *p, drua_view points, drua_graph g, values v)
{
    for (drua_tiles t = {.output = "destination"}; plan_next_tile(p, &t);) {
        const drawn d = {.mesh = t.to, .at = t.at.wanted};
        clear_tile(p, &d);
        if (v.shown == ONES)
            draw_ones(p, points, g, &d);
        else
            draw_values(p, points, g, &v, &d);
    }
}

static drua_graph graph_of_cells(drua_plan *p, const cells *c)
{
    return graph_of_touching(p, c->labels, c->largest, 1);
}

static void plan_touching(drua_plan *p)
{
    const cells c = find_cells(p);
    draw_edges(p, c.points, graph_of_cells(p, &c), (values){.shown = ONES});
}

static void plan_distances(drua_plan *p)
{
    const cells c = find_cells(p);
    draw_edges(p, c.points, graph_of_cells(p, &c), (values){.shown = LENGTHS, .source = c.points});
}

static void plan_touch_counts(drua_plan *p)
{
    const cells c = find_cells(p);
    draw_edges(p, c.points, graph_of_cells(p, &c),
               (values){.shown = ENTRIES, .source = graph_touch_sides(p, c.labels, c.largest)});
}

/* A line has the value of its smaller label: that label's touch portion. */
static void plan_touch_portions(drua_plan *p)
{
    const cells c = find_cells(p);
    drua_view sides = graph_touch_sides(p, c.labels, c.largest);
    draw_edges(p, c.points, graph_of_cells(p, &c),
               (values){.shown = SHARES_OF_SUMS, .source = sides, .sums = graph_row_sums(p, sides)});
}

static void plan_nearest(drua_plan *p)
{
    const cells c = find_cells(p);
    drua_nearest n =
        graph_nearest(p, c.points, true, plan_integer(p, "n"), NEAREST_SKIP_SELF | NEAREST_SKIP_BACKGROUND);
    draw_edges(p, c.points, graph_of_nearest(p, n), (values){.shown = ONES});
}

static void plan_proximal(drua_plan *p)
{
    const cells c = find_cells(p);
    drua_graph g = graph_of_proximal(p, c.points, 0, nextafterf((float)plan_number(p, "maximum_distance"), -1.0f));
    draw_edges(p, c.points, g, (values){.shown = ONES});
}

#define POINTS                                                                                                         \
    DRUA_IMAGE_WHOLE("points", "point list; rows are x, y, z; lines of 16777216 pixels or more are not drawn")
#define SOURCE "straight lines from centroid to centroid"
#define MESH(name_, plan_, parts_, numeric_, summary_, params_, ...)                                                   \
    {                                                                                                                  \
        .name = #name_, .category = "graph", .summary = summary_, .source = SOURCE, params_,                           \
        DRUA_ALIASES(__VA_ARGS__), .numeric = numeric_, .launch = plan_, .parts = parts_                               \
    }
#define DRAWN(...) DRUA_IMAGE_OUT("destination", "image of the lines", .partial = true, __VA_ARGS__)
#define LABELS                                                                                                         \
    DRUA_IMAGE_IN("source", "label map"),                                                                              \
        DRUA_IMAGE_OUT("destination", "image of the lines", .type = DRUA_FLOAT32, .by_tiles = true)
#define LIMIT                                                                                                          \
    DRUA_NUMBER("maximum_distance", "a line connects points that are nearer than this", .unit = "pixel",               \
                .default_value = 50)
#define NEAREST DRUA_INTEGER("n", "number of nearest labels", DRUA_RANGE(1, 2147483647), .default_value = 1)

DRUA_OP(touch_matrix_to_mesh) =
    MESH(touch_matrix_to_mesh, plan_touch_matrix, parts_of_mesh, DRUA_DEVICE,
         "Draws lines between points that touch; a line's value is the matrix entry.",
         DRUA_PARAMS(POINTS, DRUA_IMAGE_WHOLE("touch_matrix", "touch matrix; point i is label i + 1"),
                     DRAWN(.shape = labels_shape_of_points)),
         "CLIJ2/CLIJx touchMatrixToMesh: points, touch_matrix, &destination");
DRUA_OP(distance_matrix_to_mesh) = MESH(
    distance_matrix_to_mesh, plan_distance_matrix, parts_of_mesh, DRUA_DEVICE,
    "Draws lines of value 1 between points nearer than a distance.",
    DRUA_PARAMS(POINTS, DRUA_IMAGE_WHOLE("distance_matrix", "distances; row and column 0 stand for the background"),
                DRAWN(.shape = labels_shape_of_points), LIMIT),
    "CLIJ2/CLIJx distanceMatrixToMesh: points, distance_matrix, &destination, maximum_distance");
DRUA_OP(point_index_list_to_mesh) = MESH(
    point_index_list_to_mesh, plan_index_list, parts_of_mesh, DRUA_DEVICE,
    "Draws lines of value 1 from points to the points that a list names.",
    DRUA_PARAMS(POINTS,
                DRUA_IMAGE_WHOLE("index_list", "numbers of labels, a column for each label, the first for background"),
                DRAWN(.shape = labels_shape_of_points)),
    "CLIJ2/CLIJx pointIndexListToMesh: points, index_list, &destination");
DRUA_OP(draw_mesh_between_touching_labels) = MESH(draw_mesh_between_touching_labels, plan_touching, NULL, DRUA_DEVICE,
                                                  "Draws lines of value 1 between centroids of labels that touch.",
                                                  DRUA_PARAMS(LABELS),
                                                  "CLIJ2/CLIJx drawMeshBetweenTouchingLabels: source, &destination");
DRUA_OP(draw_distance_mesh_between_touching_labels) =
    MESH(draw_distance_mesh_between_touching_labels, plan_distances, NULL, DRUA_DEVICE,
         "Draws lines between centroids of labels that touch; a line's value is its length.", DRUA_PARAMS(LABELS),
         "CLIJ2/CLIJx drawDistanceMeshBetweenTouchingLabels: source, &destination");
DRUA_OP(draw_touch_count_mesh_between_touching_labels) = MESH(
    draw_touch_count_mesh_between_touching_labels, plan_touch_counts, NULL, DRUA_DEVICE,
    "Draws lines between centroids of labels that touch; a line's value is the number of pixel sides along which they "
    "touch.",
    DRUA_PARAMS(LABELS), "CLIJx drawTouchCountMeshBetweenTouchingLabels: source, &destination");
DRUA_OP(draw_touch_portion_mesh_between_touching_labels) = MESH(
    draw_touch_portion_mesh_between_touching_labels, plan_touch_portions, NULL, DRUA_DEVICE,
    "Draws lines between centroids of labels that touch; a line's value is the touching share of the outline of the "
    "label with the smaller number.",
    DRUA_PARAMS(LABELS), "CLIJx drawTouchPortionMeshBetweenTouchingLabels: source, &destination");
DRUA_OP(draw_mesh_between_n_nearest_labels) =
    MESH(draw_mesh_between_n_nearest_labels, plan_nearest, NULL, DRUA_DEVICE,
         "Draws lines of value 1 between centroids of labels and their n nearest labels.", DRUA_PARAMS(LABELS, NEAREST),
         "CLIJ2 drawMeshBetweenNNearestLabels: source, &destination, n",
         "CLIJ2/CLIJx drawMeshBetweenNClosestLabels: source, &destination, n");
DRUA_OP(draw_mesh_between_proximal_labels) =
    MESH(draw_mesh_between_proximal_labels, plan_proximal, NULL, DRUA_DEVICE,
         "Draws lines of value 1 between centroids of labels nearer than a distance.", DRUA_PARAMS(LABELS, LIMIT),
         "CLIJ2/CLIJx drawMeshBetweenProximalLabels: source, &destination, maximum_distance");
