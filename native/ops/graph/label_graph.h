/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbourhoods of labels as a bit matrix: row i holds a bit for each neighbour of label i, in `words` words. As in
 * touch matrices, a row contains only neighbours with smaller labels; graph_mirror adds the larger ones. A bit needs
 * 1/32 of the memory of a float.
 */
#ifndef DRUA_LABEL_GRAPH_H
#define DRUA_LABEL_GRAPH_H

#include "plan.h"

typedef struct drua_graph {
    drua_view bits;
    uint32_t count, words; /**< `count`: number of rows, background first; `words`: number of words in a row */
} drua_graph;

/**
 * The k nearest rows of each column of a distance matrix, or the k nearest points of each point. All nearest entries
 * come first, then all second nearest, and so on.
 */
typedef struct drua_nearest {
    drua_view distances, indices;
    uint32_t columns, slots;
} drua_nearest;

enum { NEAREST_SKIP_SELF = 1, NEAREST_SKIP_BACKGROUND = 2, NEAREST_FARTHEST = 4 };

/* Statistics of the values in a neighbourhood. */
enum {
    NEIGHBOR_COUNT,
    NEIGHBOR_MEAN,
    NEIGHBOR_MINIMUM,
    NEIGHBOR_MAXIMUM,
    NEIGHBOR_MEDIAN,
    NEIGHBOR_DEVIATION,
    NEIGHBOR_MODE
};

/** Returns a graph without edges. */
drua_graph graph_new(drua_plan *plan, uint32_t count);

/** Returns a graph with an edge for each entry above 0 left of a matrix's diagonal. */
drua_graph graph_of_matrix(drua_plan *plan, drua_view matrix);

/** Returns the graph of labels that share a pixel side; with `first` 1, without the background. */
drua_graph graph_of_touching(drua_plan *plan, drua_view labels, uint32_t largest, int first);

/** Grid for kernels whose work-items each process four pixels of a row in GRAPH_SLICES slices. */
enum { GRAPH_SLICES = 8 };
drua_grid graph_march_grid(drua_layout layout);

/** Returns the graph of points whose distance is from `low` to `high`, limits included. Point i is label i + 1. */
drua_graph graph_of_proximal(drua_plan *plan, drua_view points, double low, double high);

/** Returns the graph that joins each label with its nearest labels. */
drua_graph graph_of_nearest(drua_plan *plan, drua_nearest nearest);

/**
 * graph_two_steps returns the graph of labels that are two edges apart in a mirrored graph. graph_mirror mirrors a
 * graph: it adds the edges to larger labels.
 */
drua_graph graph_two_steps(drua_plan *plan, drua_graph graph);

drua_graph graph_mirror(drua_plan *plan, drua_graph graph);

/** Returns the centroids of labels 1 to `largest`: a column for each label, with rows x, y, z. */
drua_view graph_centroids(drua_plan *plan, drua_view labels, uint32_t largest);

/** Returns the value at each label's last pixel in raster order, background first. */
drua_view graph_values(drua_plan *plan, drua_view labels, drua_view map, uint32_t largest);

/**
 * Returns the position + 1 of each label's last pixel in raster order, or 0 for labels without pixels: `largest` + 1
 * numbers of type uint32.
 */
drua_view graph_last_pixels(drua_plan *plan, drua_view labels, uint32_t largest);

/**
 * Finds the nearest rows or points. `points`: source is a point list, and column and row 0 stand for the background;
 * otherwise, source is a distance matrix. `slots`: number of neighbours; a number below 1 counts as 1.
 */
drua_nearest graph_nearest(drua_plan *plan, drua_view source, bool points, int64_t slots, int flags);

/** Writes the mean of each column's nearest distances. */
void graph_nearest_mean(drua_plan *plan, drua_nearest nearest, drua_view destination);

/** Writes a statistic over each label's neighbours. All statistics except count and mode include the label itself. */
void graph_statistic(drua_plan *plan, drua_graph graph, drua_view values, int statistic, drua_view destination);

/** Writes the mean, minimum or maximum of each label's distances to its neighbours, without the background. */
void graph_distances(drua_plan *plan, drua_graph graph, drua_view source, bool points, int statistic,
                     drua_view destination);

/** Returns a new vector of one float for each label, background first. */
drua_view graph_vector(drua_plan *plan, uint32_t largest);

/**
 * Paints labels with the entries of a vector into "destination", which must be declared by_tiles; the background
 * becomes 0.
 */
void graph_paint(drua_plan *plan, drua_view labels, drua_view vector);

#define GRAPH_VECTOR(name_, doc_) DRUA_IMAGE_OUT(name_, doc_, .shape = graph_vector_shape, .type = DRUA_FLOAT32)

/** Shape rule: as wide as the first image, one row. */
void graph_vector_shape(drua_plan *plan, drua_shape *shape);

/** Returns the number of pixel sides along which labels touch, as a symmetric matrix of uint32. */
drua_view graph_touch_sides(drua_plan *plan, drua_view labels, uint32_t largest);

/** Returns the sums of the rows of a matrix from graph_touch_sides, as float32. */
drua_view graph_row_sums(drua_plan *plan, drua_view sides);

#define LINE(items, group) GRID(items, 1, 1, group, 1, 1)

#endif
