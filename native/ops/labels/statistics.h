/* SPDX-License-Identifier: BSD-3-Clause */
/* Table rows of uint32 that kernels/labels/statistics.cl computes for each label. */
#ifndef DRUA_OPS_STATISTICS_H
#define DRUA_OPS_STATISTICS_H

#include "labels.h"

/*
 * A sum has a 64-bit counter (two words) for each 32-bit piece of the added numbers. A field for a minimum holds its
 * complement, so that a row of zeros represents a label without pixels.
 */
enum {
    STATISTICS_COUNT = 0, /**< one counter */
    STATISTICS_LOWEST = 2, /**< smallest intensity, as an integer that sorts in the same order, see
                              kernels/labels/exact_orders.cl; complement */
    STATISTICS_HIGHEST = 3,
    STATISTICS_LOW = 4, /**< lower corner of the box, x y z; complement */
    STATISTICS_HIGH = 7,
    STATISTICS_SUM = 10, /**< sums of x, y, z; 2 counters each */
    STATISTICS_VALUE_SUM = 22, /**< sum of intensity steps above the smallest intensity; 2 counters */
    STATISTICS_WEIGHTED_SUM = 26, /**< sums of steps times x, y, z relative to the corner; 3 counters each */
    STATISTICS_SQUARE_SUM = 44, /**< 2 counters */
    STATISTICS_ROW = 48,
    STATISTICS_SCALE_ROW = 8, /**< words: intensity scale and smallest value on it, corner of the box */
    STATISTICS_CENTRE_ROW =
        16 /**< floats, 4 each: mass centre and steps in a pixel, centroid and steps in a pixel, then the rounding
                remainders of both */
};

/* Table rows of distances. */
enum {
    STATISTICS_DISTANCE_SUM = 0,    /**< sums of distances to mass centre and centroid; 2 counters each */
    STATISTICS_LONGEST = 8,         /**< longest distances, as the bits of a float each */
    STATISTICS_DISTANCE_ROW = 10
};

/* Parts of the sums: statistics_extents always computes counts, and statistics_values always sums intensities. */
enum { EXTENTS_COUNT = 0, EXTENTS_POSITIONS = 1, EXTENTS_INTENSITIES = 2, EXTENTS_ALL = 3 };
enum { VALUES_SUM = 0, VALUES_SQUARES = 1, VALUES_MOMENTS = 2, VALUES_ALL = 3 };

/** A table for labels `first` to `last` of a label map, filled by the functions below. */
typedef struct drua_label_table {
    drua_view labels, source, rows;
    uint32_t first, last;
    drua_view count, list;      /**< number of runs, and the list of runs if there are at most `capacity` */
    int32_t capacity;
} drua_label_table;

/** Returns how many of these labels fit a table at once; the remaining labels need more passes over all pixels. */
uint32_t statistics_at_once(drua_plan *plan, uint32_t first, uint32_t last);

/** Computes counts; with `parts`, also boxes and sums of positions, and ranges of intensities. */
drua_label_table statistics_extents(drua_plan *plan, drua_view labels, drua_view source, uint32_t first, uint32_t last,
                                    int parts);

/**
 * Computes sums of intensities on the scale of each label's range, and with `parts` sums of their squares and of
 * intensity times position. Needs the ranges, and for moments the boxes.
 */
void statistics_values(drua_plan *plan, const drua_label_table *table, int parts);

/**
 * Adds up products of two positions relative to the corner of each label's box: xx yy zz xy xz yz. With `third`, also
 * products of three: xxx yyy zzz xxy xxz xyy yyz xzz yzz xyz. `powers` has 16 sums of 2 counters for each label. Needs
 * the boxes.
 */
void statistics_powers(drua_plan *plan, const drua_label_table *table, bool third, drua_view powers);

/**
 * Adds up third and fourth powers of the deviations from `centres`, two sums of 2 counters for each label, as
 * kernels/labels/intensity_moments.cl describes.
 */
void statistics_deviations(drua_plan *plan, const drua_label_table *table, drua_view centres, drua_view sums);

/**
 * Adds up products, squares and thresholded deviations of two images, the table's source and `other`; see
 * kernels/labels/colocalization.cl. Each image has its centres and its threshold. Both images must fit the device as a
 * whole.
 */
void statistics_common(drua_plan *plan, const drua_label_table *table, drua_view other, drua_view centres1,
                       drua_view centres2, const float thresholds[2], drua_view sums);

/**
 * Fills the columns of intensity and mass centre on the host, for devices without double precision; rows of
 * STATISTICS_COLUMNS doubles. Needs the values.
 */
void statistics_cells(drua_plan *plan, const drua_label_table *table, double *cells);

/** Computes distances to the centres, which are rows of STATISTICS_CENTRE_ROW floats. Needs the boxes. */
drua_view statistics_distances(drua_plan *plan, const drua_label_table *table, drua_view centres);

/**
 * Measures labels `first` to `last` of "labels" with the intensities of "source": STATISTICS_COLUMNS doubles for each.
 * NULL: makes the call's table and fills it.
 */
void statistics_measure(drua_plan *plan, uint32_t first, uint32_t last, double *cells);

/** Releases the table's memory. */
void statistics_drop(drua_plan *plan, const drua_label_table *table);

/**
 * Writes the centroids of labels `first` to `last` to the columns of a list: as many of x, y and z as the list has
 * rows.
 */
void statistics_centroids(drua_plan *plan, drua_view labels, uint32_t first, uint32_t last, drua_view list);

/**
 * statistics_join returns the values of the background and of labels 1 to `largest`. It calls `some` for ranges of
 * labels; `some` returns the background's value followed by those of the labels.
 */
typedef drua_view statistics_some(drua_plan *plan, const char *source, int measurement, uint32_t first, uint32_t last);
drua_view statistics_join(drua_plan *plan, uint32_t largest, const char *source, int measurement,
                          statistics_some *some);

/** Returns the centroids passed to a tile of a map; a view without a buffer if the tile received no centroids. */
drua_view statistics_given(drua_plan *plan);

/** Columns of the table. A name for x, y and z stands for three successive columns. */
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
    COLUMN_DISTANCES = COLUMN_CENTROID + 3,     /**< sum, mean, maximum and ratio, for the mass centre, then for the
                                                     centroid */
    STATISTICS_COLUMNS = COLUMN_DISTANCES + 8
};

extern const char *const statistics_headings[STATISTICS_COLUMNS];

#endif
