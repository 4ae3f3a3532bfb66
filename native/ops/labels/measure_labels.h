/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_labels: one row of a table for each label, with columns in groups. A group fills its columns for a part of
 * the labels at a time, on the device if the device has doubles.
 */
#ifndef DRUA_OPS_MEASURE_LABELS_H
#define DRUA_OPS_MEASURE_LABELS_H

#include "statistics.h"

/**
 * Words of a label. Powers: 16 sums of four words (two 64-bit counters each). Configurations: one counter for each of
 * 256 configurations of 2 x 2 x 2 pixels, or 16 of a plane.
 */
enum { MEASURE_POWER_WORDS = 64, MEASURE_CONFIGURATIONS = 256 };

/**
 * Features of a configuration, as small integers: 0 to 6 changes between the label and other pixels along x, y, z, xy,
 * xz, yz, xyz (of a plane x, y, xy); 7 and 8 the Euler number for neighbours with a common side and for all neighbours,
 * times 8 (of a plane times 4); 9 to 15 the Euler numbers of the plane sections across these seven directions, times 4,
 * the last one times 6.
 */
enum { MEASURE_FEATURES = 16 };

/** Doubles that the columns of shape need: voxel size, weights of the features. See measure_weights. */
enum { MEASURE_CONSTANTS = 23 };

/** Labels that are measured at once. */
typedef struct measure_part {
    drua_view labels, intensity;
    bool flat; /**< the image has one slice */
    double size[3]; /**< of a voxel */
    drua_label_table table; /**< boxes and sums of labels first to first + count - 1 */
    uint32_t first, count, largest; /**< `largest`: of all labels */
    drua_view powers, constants, features;
    drua_view squares; /**< see measure_distances; no buffer if no group needs the distances */
    drua_view longest, centres; /**< largest square distance of each label, and its pixel; no buffer if no group needs
                                     them */
    const double *host_constants;
    const signed char *host_features;
    drua_view cells; /**< on the device; no buffer if the device has no doubles */
    double *host_cells; /**< if the device has no doubles */
    int columns, column; /**< of a row; the first one of the group */
    int hull, hull_width, feret_width; /**< of a row: the first column of the group hull; the numbers of columns of the
                                            groups hull and feret, 0 for a group that is not wanted */
    int perimeter, euler, feret; /**< columns of the perimeter of planes or surface area of stacks, of the Euler number
                                    (8 or 26 neighbours), and of the largest Feret diameter */
} measure_part;

/** A group of columns. */
typedef struct measure_group {
    const char *name;
    const char *const *headings[2]; /**< of planes and of stacks; NULL: the group has no columns for them */
    const char *const *(*list)(drua_plan *plan); /**< headings that follow from the options, ending with NULL; used
                                                      instead of `headings`. A call without them lacks the group */
    void (*fill)(drua_plan *plan, const measure_part *part, int width);
    int (*columns)(drua_plan *plan); /**< number of headings that a call uses; NULL: all */
    bool distances; /**< needs the squares of the part */
} measure_group;

extern const measure_group measure_shape, measure_moments, measure_hull, measure_feret, measure_inscribed,
    measure_intensity, measure_neighbors, measure_texture, measure_radial, measure_rim, measure_skeleton,
    measure_geodesic, measure_outline, measure_raw_moments, measure_size, measure_percentiles;

/**
 * The exact square distance of each pixel to the nearest pixel of another label or the background, as dense float32;
 * infinity if there is no other pixel.
 */
drua_view measure_distances(drua_plan *plan, const measure_part *part);

/**
 * measure_longest finds the largest distance in each label of a part, as the bits of a float. measure_first finds the
 * complement of the position of the first pixel with it; `group` names the group in an error.
 */
void measure_longest(drua_plan *plan, const measure_part *part, drua_view distances, drua_view longest);
void measure_first(drua_plan *plan, const measure_part *part, drua_view distances, drua_view longest, const char *group,
                   drua_view places);

/** Writes two words for each label: the number of its cavities, or of its holes in a plane, and the pixels in them. */
void measure_cavities(drua_plan *plan, const measure_part *part, drua_view counts);

/**
 * Columns of statistics_of_labelled_pixels for a part's intensities, on the device or, without doubles, on the host. A
 * row of `centres` has the mean as the sum of two floats, and the inverse of the range.
 */
typedef struct measure_centres {
    drua_view statistics, centres; /**< `statistics` has no buffer if the device has no doubles */
    double *host_statistics;
} measure_centres;

/** Finds the centres of deviations. Needs the extents and sums of the part's intensities. */
measure_centres measure_find_centres(drua_plan *plan, const measure_part *part);
void measure_drop_centres(drua_plan *plan, const measure_centres *centres);

/**
 * Sets the voxel size of a call with MEASURE_UNITS: from its options, else from an image's metadata. Returns whether
 * all of it is known.
 */
bool measure_voxels(drua_plan *plan, const char *image, double size[3]);

/**
 * Finds the unit of lengths of a call with MEASURE_UNIT_NAMES, from the metadata of `image` or, unless it is NULL, of
 * `other`. "": the options do not ask for units in headings.
 */
enum { MEASURE_UNIT = 32 };
void measure_unit(drua_plan *plan, const char *image, const char *other, char unit[MEASURE_UNIT]);

/** Writes a column's heading; unless `unit` is "", the unit of the column follows. */
enum { MEASURE_HEADING = DRUA_SETTING_TEXT + MEASURE_UNIT + 48 };
void measure_heading(const char *prefix, const char *heading, const char *unit, char text[MEASURE_HEADING]);

#define MEASURE_UNIT_NAMES                                                                                             \
    DRUA_BOOLEAN("units_in_headings", "columns are named with their units, such as AREA (micron^2)")

#define MEASURE_UNITS                                                                                                  \
    DRUA_CHOICE("units", "calibrated: lengths as in the images' metadata; pixels: lengths in pixels",                  \
                DRUA_CHOICES("calibrated", "pixels"), .group = "Table"),                                               \
    {                                                                                                                  \
        .name = "voxel", .doc = "size of a voxel along x, y, z; 0: as in the images' metadata, else 1",                \
        .kind = DRUA_KIND_ARRAY_IN, .default_text = "0,0,0", DRUA_RANGE(0, 1e30), .unit = "any length",                \
        .enabled_if = "units=calibrated"                                                                               \
    }

/** `groups` of drua_label_columns, and its cells; see shape_row in op.h. */
enum { MEASURE_SHAPE = 1, MEASURE_MOMENTS = 2, MEASURE_RAW_MOMENTS = 4, MEASURE_SIZE = 8 };
void measure_shape_row(const drua_label_columns *columns, const drua_label_shape *shape, double *cells);

/** Sends the features and weights of configurations. */
void measure_send_constants(drua_plan *plan, measure_part *part);

/** Fills the features of all configurations, and the weights that turn their sums into lengths and areas. */
void measure_features(bool flat, signed char features[MEASURE_CONFIGURATIONS * MEASURE_FEATURES]);
void measure_weights(bool flat, const double size[3], double constants[MEASURE_CONSTANTS]);

#endif
