/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain reference implementation of Drua's operations: double precision, one loop per sentence of the definition, no
 * tricks. Tests compare the engine with this reference, which shares nothing with the engine except the names of
 * element types.
 *
 * Rules for every function
 * - The caller makes the destination and thereby chooses its extent and element type; the function fills it. Sources
 *   stay unchanged. A destination is never one of the sources, except in reference_pointwise.
 * - Reads outside an image return the nearest edge pixel, and writes outside are dropped, unless a function says
 *   otherwise.
 * - Numbers become pixels through reference_store; weighted sums (Gaussian, interpolation) through
 *   reference_store_snapped.
 * - If memory runs out, the program ends.
 */
#ifndef DRUA_TESTS_REFERENCE_H
#define DRUA_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drua/types.h"

/* ---------------------------------------------------------------- images (reference_image.c) */

/** An image whose pixels are numbers that its element type can hold; x varies fastest, then y, then z. */
typedef struct reference_image {
    drua_shape shape;
    drua_type type;
    double *pixels;
} reference_image;

typedef enum reference_axis { REFERENCE_X, REFERENCE_Y, REFERENCE_Z } reference_axis;

/** Visits every pixel of a shape in raster order (x fastest); declares the three coordinates. */
#define REFERENCE_EACH_PIXEL(shape, x, y, z)               \
    for (int64_t z = 0; z < (shape).depth; z++)            \
        for (int64_t y = 0; y < (shape).height; y++)       \
            for (int64_t x = 0; x < (shape).width; x++)

/** Visits a pixel and all its neighbours. */
#define REFERENCE_EACH_AROUND(dx, dy, dz)                  \
    for (int dx = -1; dx <= 1; dx++)                       \
        for (int dy = -1; dy <= 1; dy++)                   \
            for (int dz = -1; dz <= 1; dz++)

bool reference_is_inside(drua_shape shape, int64_t x, int64_t y, int64_t z);

/** calloc that ends the program instead of returning NULL. The caller frees the memory. */
void *reference_allocate(size_t count, size_t size);

/** The shape of a plane or stack of that size. */
drua_shape reference_plane(int64_t width, int64_t height);
drua_shape reference_stack(int64_t width, int64_t height, int64_t depth);

/** A new image of zeros, and a copy of an image. The caller frees both. */
reference_image reference_make(drua_type type, drua_shape shape);
reference_image reference_duplicate(const reference_image *image);

/** Frees the pixels. Freeing an image twice is allowed. */
void reference_free(reference_image *image);

/** Number of pixels. */
size_t reference_count(const reference_image *image);

/** Size in bytes of one element of that type in memory. */
size_t reference_type_size(drua_type type);

/** Converts between an image and densely packed elements of its type. The caller frees the image. */
reference_image reference_from_memory(drua_type type, drua_shape shape, const void *memory);
void reference_to_memory(const reference_image *image, void *memory);

/** True for the five integer types. */
bool reference_is_integer(drua_type type);

/** The value as the type holds it: integers truncate toward zero and saturate, and NaN becomes 0; float32 rounds. */
double reference_store(drua_type type, double value);

/**
 * Like reference_store for the value of exact arithmetic: for integer types, a double less than 10^-12 (relative) below
 * an integer counts as that integer.
 */
double reference_store_snapped(drua_type type, double value);

/** The pixel at a position; coordinates are clamped to the image. */
double reference_at(const reference_image *image, int64_t x, int64_t y, int64_t z);

/** Stores a value; does nothing outside the image. */
void reference_put(reference_image *image, int64_t x, int64_t y, int64_t z, double value);
void reference_put_snapped(reference_image *image, int64_t x, int64_t y, int64_t z, double value);

/**
 * Compares two images of equal extent and type. Integers must be equal, or at most one apart with off_by_one; float32
 * values may differ by `allowed`; NaN equals NaN. Returns true if the images agree; otherwise `message` gives the first
 * difference and the number of differences.
 */
bool reference_agrees(const reference_image *expected, const reference_image *actual, double allowed,
                      bool off_by_one, char *message, size_t message_size);

/* ---------------------------------------------------------------- pointwise (reference_pointwise.c) */

/**
 * Computes an operation whose result at a pixel depends only on that pixel and its coordinates. Pixels and scalars are
 * read as float32; + - * / and comparisons round as float32 does; exp, log, pow, sin, cos are computed in double
 * precision. True is 1; a mask or binary pixel is true if it is not 0. The output's extent decides which pixels are
 * computed; inputs are read with clamped coordinates.
 *
 * name (images; scalars):
 *
 *   absolute (a), absolute_difference (a, b), add_image_and_scalar (a; s), add_images (a, b),
 *   add_images_weighted (a, b; factor of a, factor of b), subtract_images (a, b), multiply_images (a, b),
 *   multiply_image_and_scalar (a; s), divide_images (a, b), divide_scalar_by_image (a; s),
 *   maximum_images, minimum_images (a, b), maximum_image_and_scalar, minimum_image_and_scalar (a; s),
 *   power (a; exponent), power_images (a, b), exponential, logarithm, sinus, cosinus, invert (a: -a),
 *   subtract_image_from_scalar (a; s: s - a), squared_difference (a, b), undefined_to_zero (a: NaN and infinity to 0),
 *   gamma_correction (a; gamma: m (a/m)^gamma with m the largest pixel of a),
 *   greater, greater_or_equal, smaller, smaller_or_equal, equal, not_equal (a, b), and each with _constant (a; s),
 *   threshold (a; s: a >= s), local_threshold (a, b: a >= b), mask (a, mask), mask_label (a, labels; label),
 *   label_to_mask (labels; label), binary_and, binary_or, binary_xor, binary_union, binary_intersection (a, b),
 *   binary_not (a), binary_subtract (a, b: a where b is 0), replace_intensity (a; old, new),
 *   multiply_image_and_coordinate (a; axis), multiply_stack_with_plane (a, plane)
 *
 * The first image of the following operations is usually the output itself:
 *
 *   set_ramp_x, set_ramp_y, set_ramp_z (a), set (a; value), set_row, set_column, set_plane (a; index, value),
 *   set_image_borders (a; value),
 *   set_where_x_equals_y, set_where_x_greater_than_y, set_where_x_smaller_than_y (a; value)
 *
 * scalars may be NULL if the operation needs none. Returns false if no operation has that name.
 */
bool reference_pointwise(const char *name, const reference_image *const *inputs, const double *scalars,
                         reference_image *output);

/** The number of images and scalars that an operation takes; false if no operation has that name. */
bool reference_pointwise_arity(const char *name, int *images, int *scalars);

/* ---------------------------------------------------------------- geometry (reference_geometry.c) */

/** Copies and converts to the output's type. */
void reference_copy(const reference_image *source, reference_image *output);

/**
 * Stack to plane: copies the slice. Plane to stack: writes that slice and leaves the others unchanged. Otherwise copies
 * the image.
 */
void reference_copy_slice(const reference_image *source, int64_t slice, reference_image *output);

/** Writes the source into the output with its first pixel at x, y, z; other pixels of the output stay unchanged. */
void reference_paste(const reference_image *source, int64_t x, int64_t y, int64_t z, reference_image *output);

/** output(p) = source(p + (x, y, z)). */
void reference_crop(const reference_image *source, int64_t x, int64_t y, int64_t z, reference_image *output);

/** Mirrors along the chosen axes. */
void reference_flip(const reference_image *source, bool x, bool y, bool z, reference_image *output);

/** Swaps two axes; the extent of the output must be swapped as well. */
void reference_transpose(const reference_image *source, reference_axis first, reference_axis second,
                         reference_image *output);

/** Maps a position in the output to a position in the source. Rows are x, y, z; the last column is the translation. */
typedef struct reference_matrix {
    double at[3][4];
} reference_matrix;

/**
 * The matrix of a transform such as "-center rotate=45 scaleX=2 center": tokens between single spaces, in upper or
 * lower case, multiplied from left to right; unknown tokens are ignored. dimension (2 or 3) decides which tokens are
 * known.
 */
reference_matrix reference_affine_matrix(const char *transform, drua_shape source, int dimension);

/** The inverse matrix. */
reference_matrix reference_inverse(const reference_matrix *matrix);

/** Linear interpolation at the centre of each output pixel; zero outside the source. */
void reference_affine_transform(const reference_image *source, const reference_matrix *matrix,
                                reference_image *output);

/**
 * output(p) = source(p + vector(p)), interpolated linearly if that position lies inside a pixel, else 0. `vectors` has
 * one image per axis, or NULL.
 */
void reference_warp(const reference_image *source, const reference_image *const vectors[3], reference_image *output);

/** output(p) = source(p + (x, y, z)), interpolated linearly; 0 outside the source. */
void reference_translate(const reference_image *source, double x, double y, double z, reference_image *output);

/* ---------------------------------------------------------------- filters (reference_filters.c) */

typedef enum reference_reduction {
    REFERENCE_MINIMUM,
    REFERENCE_MAXIMUM,
    REFERENCE_MEAN,
    REFERENCE_SUM
} reference_reduction;

/**
 * Normalised Gaussian weights over trunc(8 sigma) pixels (made odd), along x, then y, then z. Sigma 0 leaves an axis
 * unchanged; sigma_z 0 blurs a stack slice by slice.
 */
void reference_gaussian_blur(const reference_image *source, double sigma_x, double sigma_y, double sigma_z,
                             reference_image *output);

/** Minimum, maximum or mean over the box of 2 radius + 1 pixels along each axis. */
void reference_box(const reference_image *source, reference_reduction reduction, int64_t radius_x, int64_t radius_y,
                   int64_t radius_z, reference_image *output);

/**
 * 1 where a pixel is a maximum of the box mean (float32) with those radii, else 0. A pixel is a maximum if no neighbour
 * in its 3x3(x3) box is larger and no neighbour that comes earlier (x slowest, then y, then z) is equal. across_slices:
 * neighbours along z count too.
 */
void reference_detect_maxima(const reference_image *source, int64_t radius_x, int64_t radius_y, int64_t radius_z,
                             bool across_slices, reference_image *output);

/**
 * Thins objects to lines of 0 and 1 in rounds over the sides y-1, y+1, x+1, x-1 and, in stacks, z-1, z+1. At each side
 * it marks the simple pixels that have background there and more than one neighbour. It then removes the marked pixels
 * that are still simple, in order of the parity of their column, row and slice.
 */
void reference_skeletonize(const reference_image *source, reference_image *output);

/* ---------------------------------------------------------------- choices (reference_choices.c), in float32 */

/** 1 where two pixels differ by at most the tolerance (similar) or by more (not similar); 0 for NaN in both cases. */
void reference_similar(const reference_image *a, const reference_image *b, double tolerance, bool similar,
                       reference_image *output);

/** 1 where low < pixel < high. */
void reference_within(const reference_image *a, double low, double high, reference_image *output);

/** b where a is 0, else a. */
void reference_fill_zeros(const reference_image *a, const reference_image *b, reference_image *output);

/** a where a is farther from 0 than b, else b. */
void reference_farther_from_zero(const reference_image *a, const reference_image *b, reference_image *output);

/**
 * The image's largest pixel plus 1 where a pixel of the label map has a side neighbour with another label; elsewhere
 * the image.
 */
void reference_outlines(const reference_image *image, const reference_image *labels, reference_image *output);

/* ---------------------------------------------------------------- measurements (reference_measure.c) */

/** Reduces all pixels to one number. */
double reference_reduce(const reference_image *image, reference_reduction reduction);

/** Sets the smallest and the largest finite pixel; NaN without such pixels. */
void reference_finite_range(const reference_image *image, double range[2]);

/** Projects along x to depth x height, along y to width x depth, along z to width x height. */
void reference_project(const reference_image *source, reference_axis axis, reference_reduction reduction,
                       reference_image *output);

/**
 * Counts pixels into output->shape.width bins: bin = trunc((v - minimum) * (bins - 1) * (1 / range)) in float32, with
 * the reciprocal computed first. Values outside minimum..maximum are not counted; a range of 0 puts all values in bin
 * 0.
 */
void reference_histogram(const reference_image *source, double minimum, double maximum, reference_image *output);

enum { REFERENCE_STATISTICS_COLUMNS = 36 };

/** The column with that heading. */
size_t reference_statistics_column(const char *name);

/** The column headings of a statistics table, in order. */
extern const char *const reference_statistics_names[REFERENCE_STATISTICS_COLUMNS];

/**
 * One row of 36 numbers per label, from label 0 (with_background) or 1 to the largest label. Coordinates count from 0;
 * the standard deviation is the population's; absent labels have count 0 and NaN for means. Returns the number of rows.
 * The caller frees *rows (row after row), which is NULL if the table has no rows.
 */
size_t reference_statistics(const reference_image *intensity, const reference_image *labels, bool with_background,
                            double **rows);

/* ---------------------------------------------------------------- thresholds (reference_threshold.c) */

/**
 * The bin that a method chooses in a histogram of 256 bins. Names are ImageJ's, in upper or lower case; unknown names
 * mean Default. A comment at each method's function names its source. A method without a result returns bin 0.
 */
int reference_threshold_bin(const char *method, const double counts[256]);

/** minimum + (bin + 1) / 255 * (maximum - minimum) in float32; the range is 0..255 for uint8, else the image's own. */
double reference_threshold_value(const reference_image *image, const char *method);

/** 1 where a pixel reaches the threshold, else 0. */
void reference_automatic_threshold(const reference_image *source, const char *method, reference_image *output);

/* ---------------------------------------------------------------- labels (reference_labels.c, reference_grow.c) */

/** box: neighbours share a side, an edge or a corner (8 or 26). diamond: neighbours share a side (4 or 6). */
typedef enum reference_neighbourhood { REFERENCE_BOX, REFERENCE_DIAMOND } reference_neighbourhood;

/** Numbers the connected sets of nonzero pixels by their first pixel in raster order (breadth-first search). */
void reference_connected_components(const reference_image *binary, reference_neighbourhood neighbourhood,
                                    reference_image *labels);

/** Removes labels that touch the border (in z too if there are several slices) and renumbers the others in order. */
void reference_exclude_labels_on_edges(const reference_image *labels, reference_image *output);

/** Renumbers labels 1, 2, ... by their first pixel in raster order. */
void reference_close_index_gaps(const reference_image *labels, reference_image *output);

/** output = values[trunc(v)], the index clamped to the row of values. */
void reference_replace_intensities(const reference_image *source, const reference_image *values,
                                   reference_image *output);

/** Numbers nonzero pixels 1, 2, ... in raster order. */
void reference_label_spots(const reference_image *spots, reference_image *labels);

/**
 * A matrix of (n+1) x (n+1): 1 at x = smaller label, y = larger label if the two labels (0 included) share a side, else
 * 0.
 */
void reference_generate_touch_matrix(const reference_image *labels, reference_image *matrix);

/** Makes `radius` passes over box, diamond, box, ...: zero pixels take the largest label in their neighbourhood. */
void reference_dilate_labels(const reference_image *labels, int64_t radius, reference_image *output);

/**
 * Labels the spots (diamond) and grows the labels over the whole image by passes of reference_dilate_labels until
 * nothing changes.
 */
void reference_voronoi_labeling(const reference_image *spots, reference_image *labels);

/**
 * Like reference_voronoi_labeling inside a mask: ignores spots outside the mask (their numbers stay unused) and leaves
 * pixels outside it 0.
 */
void reference_masked_voronoi_labeling(const reference_image *spots, const reference_image *mask,
                                       reference_image *labels);

/**
 * The spots are maxima (radius 0) of the image blurred with spot_sigma; the mask is Otsu's threshold of the image
 * blurred with outline_sigma; spots inside the mask grow within it. Computes in float32, in stacks along z too.
 */
void reference_voronoi_otsu_labeling(const reference_image *source, double spot_sigma, double outline_sigma,
                                     reference_image *labels);

/** The part of reference_voronoi_otsu_labeling after the two blurs. */
void reference_voronoi_otsu_of_blurred(const reference_image *for_spots, const reference_image *for_outlines,
                                       reference_image *labels);

/**
 * Keeps the labels whose entry in `kept` is not 0, renumbers them from 1 in order, and removes the others. A label
 * beyond the end of `kept` uses the last entry.
 */
void reference_keep_labels(const reference_image *labels, const reference_image *kept, reference_image *output);

/** All labels connected through shared sides, directly or through other labels, take the smallest of their numbers. */
void reference_join_touching_labels(const reference_image *labels, reference_image *output);

/** 1 where a side neighbour has another label. */
void reference_label_edges(const reference_image *labels, reference_image *output);

/** Keeps the edge pixels of labels and removes the others, or the reverse. */
void reference_cut_label_edges(const reference_image *labels, bool keep_edges, reference_image *output);

/**
 * Removes the edge pixels of labels; a radius of 2 or more then takes as many minima over diamond, box, diamond, ...
 */
void reference_shrink_labels(const reference_image *labels, int64_t radius, reference_image *output);

/** Grows labels over the whole image, box first. */
void reference_extend_labels(const reference_image *labels, reference_image *output);

/** 0 where a zero pixel is connected through sides with the image's border; 1 elsewhere. */
void reference_fill_holes(const reference_image *binary, reference_image *output);

/** One step of growth: each zero pixel gets its new value. */
void reference_grow_once(const reference_image *source, reference_neighbourhood neighbourhood, reference_image *output);

/** 1 if the label touches the border (in z too if there are several slices); one column per label. */
void reference_flag_edges(const reference_image *labels, reference_image *vector);

/* ---------------------------------------------------------------- climbing (reference_watershed.c) */

/** 1 in each flat set of pixels that has no higher pixel among the 8 or 26 neighbours of its pixels. */
void reference_regional_maxima(const reference_image *image, reference_image *output);

/** 1 if, along each axis and in both directions, a lower value or the border comes before a higher value. */
void reference_maxima_along_axes(const reference_image *image, reference_image *output);

/**
 * 1 plus the number of erosions (diamond first, then box) that a pixel survives; infinite if the mask has no
 * background.
 */
void reference_distance_map(const reference_image *mask, reference_image *output);

/**
 * Repeats until nothing changes: each pixel above the threshold without a label takes the label and the height of its
 * highest neighbour.
 */
void reference_seeded_watershed(const reference_image *seeds, const reference_image *source, double threshold,
                                reference_image *output);

/** Pixels of the mask climb to regional maxima. The output is 0 beside a smaller label or beside background, else 1. */
void reference_cut_objects(const reference_image *mask, const reference_image *heights, reference_image *output);

/* ---------------------------------------------------------------- random numbers (reference_random.c) */

/**
 * Fills an image (x fastest, then y, then z) with least + (most - least) * number in float32. The numbers follow Java's
 * documentation of java.util.Random.nextFloat() with that seed.
 */
void reference_random(double min, double max, int64_t seed, reference_image *output);

/* ---------------------------------------------------------------- windows (reference_window.c) */

typedef enum reference_window_statistic {
    REFERENCE_WINDOW_MINIMUM,
    REFERENCE_WINDOW_MAXIMUM,
    REFERENCE_WINDOW_MEAN,
    REFERENCE_WINDOW_NONZERO,       /**< the number of pixels that are not 0 */
    REFERENCE_WINDOW_VARIANCE,      /**< the population variance */
    REFERENCE_WINDOW_DEVIATION,
    REFERENCE_WINDOW_MEDIAN,        /**< the upper of the two middle values */
    REFERENCE_WINDOW_ENTROPY        /**< in bits, with 256 ranges between the image's smallest and largest pixel */
} reference_window_statistic;

/** A statistic of a box of 2 radius + 1 pixels along each axis, or of its inscribed ellipsoid (surface included). */
void reference_window(const reference_image *source, reference_window_statistic statistic, bool ball,
                      const int64_t radius[3], reference_image *output);

/** The sum of the squared Sobel differences along x, y and, unless flat, z; or its root. No normalisation. */
void reference_gradient_energy(const reference_image *source, bool flat, bool root, reference_image *output);

/** The sum of the differences between a pixel and its neighbours. */
void reference_laplace(const reference_image *source, reference_neighbourhood neighbourhood, reference_image *output);

/* ---------------------------------------------------------------- graphs (reference_graph.c) */

/*
 * Point lists have one column per point; rows are x, y, z. Vectors and matrices have one entry per label, the
 * background first. Labels without pixels have undefined positions and no neighbours.
 */

/** Centres of labels in a new float32 image. The caller frees this image, like every image returned below. */
reference_image reference_centroids(const reference_image *labels, bool with_background);

double reference_distance(const reference_image *points1, int64_t i, const reference_image *points2, int64_t j);

/**
 * A matrix of distances: one column per point of the first list, one row per point of the second, 0 for the background.
 */
reference_image reference_distances(const reference_image *points1, const reference_image *points2);

/**
 * The rows of a column from row `first` on, sorted by ascending sign * distance; equal distances keep their order.
 * Returns the number of rows.
 */
size_t reference_nearest(const reference_image *distances, int64_t column, int64_t first, bool self, double sign,
                         int64_t *rows);

/**
 * joined[a * count + b] and joined[b * count + a] say whether a and b are neighbours; no label is its own neighbour.
 */
typedef struct reference_graph {
    int64_t count;
    bool *joined;
} reference_graph;

/**
 * Graphs of: entries above 0 left of the diagonal; labels that share a side; distances in a range, limits included; the
 * n nearest rows of each column; the labels listed in each label's column, without the background.
 */
reference_graph reference_graph_of_matrix(const reference_image *matrix);
reference_graph reference_graph_of_touching(const reference_image *labels, bool with_background);
reference_graph reference_graph_of_range(const reference_image *distances, double low, double high);
reference_graph reference_graph_of_nearest(const reference_image *distances, int64_t n);
reference_graph reference_graph_of_list(const reference_image *list);
void reference_graph_free(reference_graph *graph);

/** Joins exactly the labels that have a common neighbour. */
void reference_graph_square(reference_graph *graph);

/** The touch matrix: 1 at x = smaller label, y = larger label. */
void reference_graph_store(const reference_graph *graph, reference_image *matrix);

typedef enum reference_statistic {
    REFERENCE_COUNT,
    REFERENCE_SMALLEST,
    REFERENCE_LARGEST,
    REFERENCE_AVERAGE,
    REFERENCE_MEDIAN,       /**< the upper of the two middle values */
    REFERENCE_SCATTER,      /**< the root of the sum of squared deviations over 2 n - 1 */
    REFERENCE_MODE          /**< of integers from 0 to 255; the smallest if several are equally frequent */
} reference_statistic;

/**
 * A statistic over each label's neighbours and, except for count and mode, the label itself. `values` has one entry per
 * label; NULL counts neighbours.
 */
void reference_neighbours(const reference_graph *graph, const reference_image *values, reference_statistic statistic,
                          reference_image *vector);

/** A statistic of the distances between each label and its neighbours, without the background; 0 without neighbours. */
void reference_neighbour_distances(const reference_graph *graph, const reference_image *distances,
                                   reference_statistic statistic, reference_image *vector);

/**
 * The mean of the n smallest (sign 1) or largest (-1) distances of each column to other labels, without the background.
 */
void reference_mean_of_nearest(const reference_image *distances, int64_t n, double sign, reference_image *vector);

/** The map's value at each label's last pixel in raster order. */
reference_image reference_values_of_labels(const reference_image *labels, const reference_image *map);

/** Writes each label's entry to its pixels and 0 to the background. */
void reference_paint(const reference_image *labels, const reference_image *vector, reference_image *output);

/** Draws the pixels between two points in steps of half a pixel, in float32, without the last point. */
void reference_line(const reference_image *points, int64_t from, int64_t to, double value, reference_image *image);

/**
 * Draws a line from the smaller to the larger label of each pair of neighbours; label i lies at point i - 1. Lines take
 * the pair's entry in `values`, or 1.
 */
void reference_mesh(const reference_image *points, const reference_graph *graph, const reference_image *values,
                    reference_image *image);

#endif
