/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of uint32 that kernels/labels/statistics.cl makes for each label. */
#ifndef DRUA_OPS_STATISTICS_H
#define DRUA_OPS_STATISTICS_H

#include "labels.h"

/* A field that keeps a minimum holds its complement, so that a row of zeros is a label without pixels. */
enum {
    STATISTICS_COUNT = 0,           /**< 2 words */
    STATISTICS_LEAST = 2,           /**< smallest intensity, as an integer of the same order; complement */
    STATISTICS_MOST = 3,
    STATISTICS_LOW = 4,             /**< corner of the box, x y z; complement */
    STATISTICS_HIGH = 7,
    STATISTICS_SUM = 10,            /**< of x, y, z; 2 words each */
    STATISTICS_VALUE_SUM = 16,      /**< of intensity steps above the smallest; 2 words */
    STATISTICS_WEIGHTED_SUM = 18,   /**< of steps times x, y, z relative to the corner; 4 words each */
    STATISTICS_SQUARE_SUM = 30,     /**< 4 words */
    STATISTICS_DISTANCE_SUM = 34,   /**< to mass centre and centroid; 2 words each */
    STATISTICS_LONGEST = 38,        /**< bits of a float each */
    STATISTICS_ROW = 40,
    STATISTICS_CENTRE_ROW = 8       /**< floats: mass centre and steps in a pixel, centroid and steps in a pixel */
};

/** Label `first` to `last` of a label map, and what the launches below know of them. */
typedef struct drua_label_table {
    drua_view labels, source, rows;
    uint32_t first, last;
} drua_label_table;

/** Counts, boxes, ranges and sums of positions. */
drua_label_table statistics_extents(drua_plan *plan, drua_view labels, drua_view source, uint32_t first, uint32_t last);

/** Sums of intensities on the scale of each label's range. */
void statistics_values(drua_plan *plan, const drua_label_table *table);

#endif
