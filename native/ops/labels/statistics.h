/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of uint32 that kernels/labels/statistics.cl makes for each label. */
#ifndef DRUA_OPS_STATISTICS_H
#define DRUA_OPS_STATISTICS_H

#include "labels.h"

/*
 * A sum has a counter of 64 bits, two words, for each 32-bit piece of what is added.
 * A field that keeps a minimum holds its complement, so that a row of zeros is a label without pixels.
 */
enum {
    STATISTICS_COUNT = 0, /**< one counter */
    STATISTICS_LEAST = 2, /**< smallest intensity, as an integer of the same order; complement */
    STATISTICS_MOST = 3,
    STATISTICS_LOW = 4, /**< corner of the box, x y z; complement */
    STATISTICS_HIGH = 7,
    STATISTICS_SUM = 10, /**< of x, y, z; 2 counters each */
    STATISTICS_VALUE_SUM = 22, /**< of intensity steps above the smallest; 2 counters */
    STATISTICS_WEIGHTED_SUM = 26, /**< of steps times x, y, z relative to the corner; 3 counters each */
    STATISTICS_SQUARE_SUM = 44, /**< 2 counters */
    STATISTICS_ROW = 48,
    STATISTICS_SCALE_ROW = 8, /**< words: scale and smallest value on it, corner of the box */
    STATISTICS_CENTRE_ROW =
        16 /**< floats: mass centre and steps in a pixel, centroid and steps in a pixel; what both lack, 4 each */
};

/* Rows of distances. */
enum {
    STATISTICS_DISTANCE_SUM = 0,    /**< to mass centre and centroid; 2 counters each */
    STATISTICS_LONGEST = 8,         /**< bits of a float each */
    STATISTICS_DISTANCE_ROW = 10
};

/* What is summed besides counts, and besides sums of intensities. */
enum { EXTENTS_COUNT = 0, EXTENTS_POSITIONS = 1, EXTENTS_INTENSITIES = 2, EXTENTS_ALL = 3 };
enum { VALUES_SUM = 0, VALUES_SQUARES = 1, VALUES_MOMENTS = 2, VALUES_ALL = 3 };

/** Labels `first` to `last` of a label map, and what the launches below have found about them. */
typedef struct drua_label_table {
    drua_view labels, source, rows;
    uint32_t first, last;
    drua_view count, list;      /**< how many runs there are, and these, if they are not more than `capacity` */
    int32_t capacity;
} drua_label_table;

/** How many of these labels have a table at once; the others need further passes over all pixels. */
uint32_t statistics_at_once(drua_plan *plan, uint32_t first, uint32_t last);

/** Counts; boxes and sums of positions; ranges of intensities. */
drua_label_table statistics_extents(drua_plan *plan, drua_view labels, drua_view source, uint32_t first, uint32_t last,
                                    int parts);

/** Sums of intensities on the scale of each label's range, of their squares, and of them times positions; needs the
 * range, moments the box. */
void statistics_values(drua_plan *plan, const drua_label_table *table, int parts);

/** Distances to the centres, which are rows of STATISTICS_CENTRE_ROW floats; needs boxes. */
drua_view statistics_distances(drua_plan *plan, const drua_label_table *table, drua_view centres);

/** Releases the table's memory. */
void statistics_drop(drua_plan *plan, const drua_label_table *table);

/** x, y and z of the centroids of labels `first` to `last` into the columns of a list, as far as it has such. */
void statistics_centroids(drua_plan *plan, drua_view labels, uint32_t first, uint32_t last, drua_view list);

/** Values of the background and of labels 1 to `largest`, from those that `some` finds for some of them behind a
 * background. */
typedef drua_view statistics_some(drua_plan *plan, const char *source, int measurement, uint32_t first, uint32_t last);
drua_view statistics_join(drua_plan *plan, uint32_t largest, const char *source, int measurement,
                          statistics_some *some);

/** The centroids that a tile of a map is given; no buffer if none are given. */
drua_view statistics_given(drua_plan *plan);

/** Columns of the table; where one name stands for x, y and z, the three follow each other. */
enum {
    COLUMN_IDENTIFIER,
    COLUMN_BOX,
    COLUMN_BOX_END = COLUMN_BOX + 3,
    COLUMN_BOX_SIZE = COLUMN_BOX_END + 3,
    COLUMN_MINIMUM = COLUMN_BOX_SIZE + 3,
    COLUMN_MAXIMUM,
    COLUMN_MEAN,
    COLUMN_SUM,
    COLUMN_DEVIATION,
    COLUMN_PIXELS,
    COLUMN_WEIGHTED,
    COLUMN_MASS_CENTRE = COLUMN_WEIGHTED + 3,
    COLUMN_POSITIONS = COLUMN_MASS_CENTRE + 3,
    COLUMN_CENTROID = COLUMN_POSITIONS + 3,
    COLUMN_DISTANCES = COLUMN_CENTROID + 3,     /**< sum, mean, maximum, ratio; mass centre, then centroid */
    STATISTICS_COLUMNS = COLUMN_DISTANCES + 8
};

extern const char *const statistics_headings[STATISTICS_COLUMNS];

#endif
