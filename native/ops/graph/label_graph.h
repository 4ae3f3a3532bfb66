/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which labels are neighbours, as bits: row i holds a bit for each neighbour of label i, `words` words a row. Rows
 * are made of smaller labels only, as in touch matrices; graph_mirror adds the larger ones. A bit takes 1/32 of a
 * float.
 */
#ifndef DRUA_LABEL_GRAPH_H
#define DRUA_LABEL_GRAPH_H

#include "plan.h"

typedef struct drua_graph {
    drua_view bits;
    uint32_t count, words;      /**< rows, background first; words of a row */
} drua_graph;

/** The k nearest rows of each column of a distance matrix, or points of each point: all nearest ones, then all second
 * nearest and so on. */
typedef struct drua_nearest {
    drua_view distances, indices;
    uint32_t columns, slots;
} drua_nearest;

enum { NEAREST_SKIP_SELF = 1, NEAREST_SKIP_BACKGROUND = 2, NEAREST_FARTHEST = 4 };

/* What a neighbourhood's values become. */
enum {
    NEIGHBOR_COUNT,
    NEIGHBOR_MEAN,
    NEIGHBOR_MINIMUM,
    NEIGHBOR_MAXIMUM,
    NEIGHBOR_MEDIAN,
    NEIGHBOR_DEVIATION,
    NEIGHBOR_MODE
};

/** A graph without edges. */
drua_graph graph_new(drua_plan *plan, uint32_t count);

/** A bit for each entry above 0 left of a matrix' diagonal. */
drua_graph graph_of_matrix(drua_plan *plan, drua_view matrix);

/** Labels that touch by side; `first` 1 leaves the background out. */
drua_graph graph_of_touching(drua_plan *plan, drua_view labels, uint32_t largest, int first);

/** Grid of kernels that go through slices with four pixels of a row. */
enum { GRAPH_SLICES = 8 };
drua_grid graph_march_grid(drua_layout layout);

/** Points whose distance is in a range, limits included; point i is label i + 1. */
drua_graph graph_of_proximal(drua_plan *plan, drua_view points, double low, double high);

/** Labels joined with their nearest ones. */
drua_graph graph_of_nearest(drua_plan *plan, drua_nearest nearest);

/** Labels two edges apart, of a mirrored graph. */
drua_graph graph_two_steps(drua_plan *plan, drua_graph graph);

drua_graph graph_mirror(drua_plan *plan, drua_graph graph);

/** Centroids of labels 1 to `largest`: a column each, rows x, y, z. */
drua_view graph_centroids(drua_plan *plan, drua_view labels, uint32_t largest);

/** The value of each label's last pixel in raster order, background first. */
drua_view graph_values(drua_plan *plan, drua_view labels, drua_view map, uint32_t largest);

/** Position + 1 of each label's last pixel in raster order, 0 for labels without one; `largest` + 1 uint32. */
drua_view graph_last_pixels(drua_plan *plan, drua_view labels, uint32_t largest);

/** `points`: source is a point list, where column and row 0 stand for the background; else a distance matrix. 0 slots
 * count as 1. */
drua_nearest graph_nearest(drua_plan *plan, drua_view source, bool points, int64_t slots, int flags);

/** Mean of each column's nearest distances. */
void graph_nearest_mean(drua_plan *plan, drua_nearest nearest, drua_view destination);

/** A statistic of each label's neighbours and, except for count and mode, of the label itself. */
void graph_statistic(drua_plan *plan, drua_graph graph, drua_view values, int statistic, drua_view destination);

/** Mean, minimum or maximum of the distances to neighbours without the background. */
void graph_distances(drua_plan *plan, drua_graph graph, drua_view source, bool points, int statistic,
                     drua_view destination);

/** A vector of one float for each label, background first. */
drua_view graph_vector(drua_plan *plan, uint32_t largest);

/** Paints labels with the entries of a vector, the background with 0: "destination", which must say by_slices. */
void graph_paint(drua_plan *plan, drua_view labels, drua_view vector);

#define GRAPH_VECTOR(name_, doc_) DRUA_IMAGE_OUT(name_, doc_, .shape = graph_vector_shape, .type = DRUA_FLOAT32)

/** As wide as the first image, one row. */
void graph_vector_shape(drua_plan *plan, drua_shape *shape);

/** Pixel sides along which labels touch: a symmetric matrix of uint32. */
drua_view graph_touch_sides(drua_plan *plan, drua_view labels, uint32_t largest);

/** Sums of its rows, float32. */
drua_view graph_row_sums(drua_plan *plan, drua_view sides);

#define LINE(items, group) GRID(items, 1, 1, group, 1, 1)

#endif
