/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain reference of Drua's operations: double precision, one loop per sentence of the definition, no tricks.
 * Tests compare the engine with it. It shares nothing with the engine but the names of element types.
 *
 * Rules that hold for every function
 * - A destination is made by the caller, who thereby chooses its extent and element type; functions fill it.
 *   Sources stay unchanged. A destination is never one of the sources, except in reference_pointwise.
 * - Reads outside an image take the nearest edge pixel, writes outside are dropped; exceptions are named.
 * - Numbers become pixels through reference_store; those of weighted sums (Gaussian, interpolation) through
 *   reference_store_snapped.
 * - Memory that runs out ends the program: these are tests.
 */
#ifndef DRUA_TESTS_REFERENCE_H
#define DRUA_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drua/types.h"

/* ---------------------------------------------------------------- images (reference_image.c) */

/** An image whose pixels are numbers that its element type can hold; x is fastest, then y, then z. */
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

/** A pixel and all its neighbours. */
#define REFERENCE_EACH_AROUND(dx, dy, dz)                  \
    for (int dx = -1; dx <= 1; dx++)                       \
        for (int dy = -1; dy <= 1; dy++)                   \
            for (int dz = -1; dz <= 1; dz++)

bool reference_is_inside(drua_shape shape, int64_t x, int64_t y, int64_t z);

/** calloc that ends the program instead of returning NULL. The caller frees. */
void *reference_allocate(size_t count, size_t size);

/** A plane or a stack of that size. */
drua_shape reference_plane(int64_t width, int64_t height);
drua_shape reference_stack(int64_t width, int64_t height, int64_t depth);

/** A new image of zeros, and a new copy of an image. The caller frees. */
reference_image reference_make(drua_type type, drua_shape shape);
reference_image reference_duplicate(const reference_image *image);

/** Frees the pixels; the image may be freed again. */
void reference_free(reference_image *image);

/** Number of pixels. */
size_t reference_count(const reference_image *image);

/** Size in bytes of one element of that type in memory. */
size_t reference_type_size(drua_type type);

/** Image from, and to, densely packed elements of the image's type. The caller frees the image. */
reference_image reference_from_memory(drua_type type, drua_shape shape, const void *memory);
void reference_to_memory(const reference_image *image, void *memory);

/** True for the five integer types. */
bool reference_is_integer(drua_type type);

/** The value as the type holds it: integers truncate toward zero and saturate, NaN becomes 0; float32 rounds. */
double reference_store(drua_type type, double value);

/**
 * As reference_store of the value in exact arithmetic: for integers a value that double precision has just below an
 * integer (by 10^-12 of it) is that integer.
 */
double reference_store_snapped(drua_type type, double value);

/** Pixel at a position, coordinates clamped to the image. */
double reference_at(const reference_image *image, int64_t x, int64_t y, int64_t z);

/** Stores a value; nothing happens outside the image. */
void reference_put(reference_image *image, int64_t x, int64_t y, int64_t z, double value);
void reference_put_snapped(reference_image *image, int64_t x, int64_t y, int64_t z, double value);

/**
 * Compares two images of equal extent and type. Integers must be equal, or at most one apart with off_by_one;
 * float32 may differ by what is allowed; NaN equals NaN.
 * Returns true when they agree; else writes a sentence with the first difference and their number into message.
 */
bool reference_agrees(const reference_image *expected, const reference_image *actual, double allowed,
                      bool off_by_one, char *message, size_t message_size);

/* ---------------------------------------------------------------- pointwise (reference_pointwise.c) */

/**
 * One of the operations whose result at a pixel depends on that pixel (and on its coordinates) only. Pixels and
 * scalars are read as float32; + - * / and comparisons round as float32 does; exp, log, pow, sin, cos are computed
 * in double precision. True is 1; a mask or binary pixel is true when it is not 0.
 * The output's extent decides which pixels are computed; inputs are read with clamped coordinates.
 *
 * name (images; scalars):
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
 * and, where the image named first is usually the output itself:
 *   set_ramp_x, set_ramp_y, set_ramp_z (a), set (a; value), set_row, set_column, set_plane (a; index, value),
 *   set_image_borders (a; value),
 *   set_where_x_equals_y, set_where_x_greater_than_y, set_where_x_smaller_than_y (a; value)
 *
 * scalars may be NULL where none is needed. Returns false when no operation has that name.
 */
bool reference_pointwise(const char *name, const reference_image *const *inputs, const double *scalars,
                         reference_image *output);

/** Number of images and scalars that an operation takes; false when no operation has that name. */
bool reference_pointwise_arity(const char *name, int *images, int *scalars);

/* ---------------------------------------------------------------- geometry (reference_geometry.c) */

/** Copy with conversion to the output's type. */
void reference_copy(const reference_image *source, reference_image *output);

/** Stack to plane: picks the slice. Plane to stack: writes that slice and leaves the others. Otherwise: copy. */
void reference_copy_slice(const reference_image *source, int64_t slice, reference_image *output);

/** Writes the source into the output with its first pixel at x, y, z; the rest of the output stays. */
void reference_paste(const reference_image *source, int64_t x, int64_t y, int64_t z, reference_image *output);

/** output(p) = source(p + (x, y, z)). */
void reference_crop(const reference_image *source, int64_t x, int64_t y, int64_t z, reference_image *output);

/** Mirror along the chosen axes. */
void reference_flip(const reference_image *source, bool x, bool y, bool z, reference_image *output);

/** Swaps two axes; the output has its extent swapped as well. */
void reference_transpose(const reference_image *source, reference_axis first, reference_axis second,
                         reference_image *output);

/** Rows x, y, z; the last column is the translation. Maps a position in the output to one in the source. */
typedef struct reference_matrix {
    double at[3][4];
} reference_matrix;

/**
 * The matrix of a transform such as "-center rotate=45 scaleX=2 center": tokens between single blanks, upper or lower
 * case, multiplied from left to right, unknown ones ignored. dimension 2 or 3 decides which tokens are known.
 */
reference_matrix reference_affine_matrix(const char *transform, drua_shape source, int dimension);

/** The matrix of the way back. */
reference_matrix reference_inverse(const reference_matrix *matrix);

/** Linear interpolation at the centre of each output pixel; zero outside the source. */
void reference_affine_transform(const reference_image *source, const reference_matrix *matrix,
                                reference_image *output);

/** output(p) = source(p + vector(p)), interpolated as above where that is in a pixel, else 0; one image for each axis,
 * or NULL. */
void reference_warp(const reference_image *source, const reference_image *const vectors[3], reference_image *output);

/** output(p) = source(p + (x, y, z)), interpolated as above. */
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
 * as it is; a stack is blurred slice by slice when sigma_z is 0.
 */
void reference_gaussian_blur(const reference_image *source, double sigma_x, double sigma_y, double sigma_z,
                             reference_image *output);

/** Minimum, maximum or mean over the box of 2 radius + 1 pixels along each axis. */
void reference_box(const reference_image *source, reference_reduction reduction, int64_t radius_x, int64_t radius_y,
                   int64_t radius_z, reference_image *output);

/**
 * 1 where a pixel is a maximum of the box mean (float32) with those radii, else 0. A pixel is a maximum when no
 * neighbour in its 3x3(x3) box is larger and none of those that come earlier (x slowest, then y, then z) is equal.
 * across_slices: neighbours along z count too.
 */
void reference_detect_maxima(const reference_image *source, int64_t radius_x, int64_t radius_y, int64_t radius_z,
                             bool across_slices, reference_image *output);

/**
 * Objects thinned to lines, 0 and 1: rounds over the sides y-1, y+1, x+1, x-1 and in stacks z-1, z+1; at each side the
 * pixels are marked that have background there, more than one neighbour and are simple; they go, in order of their
 * column's, row's and slice's parity, where they are simple still.
 */
void reference_skeletonize(const reference_image *source, reference_image *output);

/* ---------------------------------------------------------------- choices (reference_choices.c), in float32 */

/** 1 where two pixels differ by no more than the tolerance (similar), or by more (not similar); NaN is neither. */
void reference_similar(const reference_image *a, const reference_image *b, double tolerance, bool similar,
                       reference_image *output);

/** 1 where low < pixel < high. */
void reference_within(const reference_image *a, double low, double high, reference_image *output);

/** b where a is 0, else a. */
void reference_fill_zeros(const reference_image *a, const reference_image *b, reference_image *output);

/** a where it is farther from 0 than b, else b. */
void reference_farther_from_zero(const reference_image *a, const reference_image *b, reference_image *output);

/** The largest pixel and 1 more where a pixel of the label map has a side neighbour of another label; else the image.
 */
void reference_outlines(const reference_image *image, const reference_image *labels, reference_image *output);

/* ---------------------------------------------------------------- measurements (reference_measure.c) */

/** Reduction of all pixels to one number. */
double reference_reduce(const reference_image *image, reference_reduction reduction);

/** Projection: along x to depth x height, along y to width x depth, along z to width x height. */
void reference_project(const reference_image *source, reference_axis axis, reference_reduction reduction,
                       reference_image *output);

/**
 * Counts pixels into output->shape.width bins: bin = floor((v - minimum) * (bins - 1) / (maximum - minimum)) of the
 * float32 values, in integers of 384 bits. Values outside minimum..maximum are not counted; a range of 0 puts all into
 * bin 0.
 */
void reference_histogram(const reference_image *source, double minimum, double maximum, reference_image *output);

enum { REFERENCE_STATISTICS_COLUMNS = 36 };

/** Column of that heading. */
size_t reference_statistics_column(const char *name);

/** Column headings of a statistics table, in order. */
extern const char *const reference_statistics_names[REFERENCE_STATISTICS_COLUMNS];

/**
 * One row of 36 numbers per label, from label 0 (with_background) or 1 to the largest. Coordinates count from 0, the
 * standard deviation is that of a population; absent labels have count 0 and NaN for means.
 * Returns the number of rows; the caller frees *rows (row after row), NULL when there are none.
 */
size_t reference_statistics(const reference_image *intensity, const reference_image *labels, bool with_background,
                            double **rows);

/* ---------------------------------------------------------------- thresholds (reference_threshold.c) */

/**
 * Bin that a method chooses in a histogram of 256 bins; names as in ImageJ, upper or lower case, unknown ones mean
 * Default. Sources of the methods stand at their functions. A method without an answer gives bin 0.
 * If one bin has all pixels, it is that bin.
 */
int reference_threshold_bin(const char *method, const double counts[256]);

/**
 * minimum + (bin + 1) / 255 * (maximum - minimum), rounded to float32; the range of uint8 is 0..255, else the image's
 * own. An image of one value has a threshold 1 above it, or 2^-22 of it where that is more.
 */
double reference_threshold_value(const reference_image *image, const char *method);

/** 1 where a pixel reaches the threshold, else 0. */
void reference_automatic_threshold(const reference_image *source, const char *method, reference_image *output);

/* ---------------------------------------------------------------- labels (reference_labels.c, reference_grow.c) */

/** box: neighbours share a side, an edge or a corner (8 or 26). diamond: they share a side (4 or 6). */
typedef enum reference_neighbourhood { REFERENCE_BOX, REFERENCE_DIAMOND } reference_neighbourhood;

/** Numbers the connected sets of nonzero pixels by their first pixel in raster order (breadth-first search). */
void reference_connected_components(const reference_image *binary, reference_neighbourhood neighbourhood,
                                    reference_image *labels);

/** Removes labels that touch the border (in z too when there are several slices); renumbers the rest in their order. */
void reference_exclude_labels_on_edges(const reference_image *labels, reference_image *output);

/** Renumbers labels 1, 2, ... by their first pixel in raster order. */
void reference_close_index_gaps(const reference_image *labels, reference_image *output);

/** output = values[trunc(v)], the index clamped to the row of values. */
void reference_replace_intensities(const reference_image *source, const reference_image *values,
                                   reference_image *output);

/** Numbers nonzero pixels 1, 2, ... in raster order. */
void reference_label_spots(const reference_image *spots, reference_image *labels);

/** A matrix of (n+1) x (n+1): 1 at x = smaller, y = larger label where two labels (0 too) share a side, else 0. */
void reference_generate_touch_matrix(const reference_image *labels, reference_image *matrix);

/** radius passes over box, diamond, box, ...: zero pixels take the largest label in their neighbourhood. */
void reference_dilate_labels(const reference_image *labels, int64_t radius, reference_image *output);

/** Labels the spots (diamond) and lets them grow over the whole image by such passes until nothing changes. */
void reference_voronoi_labeling(const reference_image *spots, reference_image *labels);

/** The same inside a mask: spots outside it are ignored (their numbers stay unused), pixels outside it stay 0. */
void reference_masked_voronoi_labeling(const reference_image *spots, const reference_image *mask,
                                       reference_image *labels);

/**
 * Spots are maxima (radius 0) of the image blurred with spot_sigma; the mask is Otsu's threshold of the image blurred
 * with outline_sigma; spots inside the mask grow within it. All in float32, along z too in stacks.
 */
void reference_voronoi_otsu_labeling(const reference_image *source, double spot_sigma, double outline_sigma,
                                     reference_image *labels);

/** What follows the two blurs. */
void reference_voronoi_otsu_of_blurred(const reference_image *for_spots, const reference_image *for_outlines,
                                       reference_image *labels);

/** Numbers labels whose entry is not 0 from 1 on in their order and removes the others; a label beyond the row has its
 * last entry. */
void reference_keep_labels(const reference_image *labels, const reference_image *kept, reference_image *output);

/** Labels that touch by side, through others too, all take the smallest of their numbers. */
void reference_join_touching_labels(const reference_image *labels, reference_image *output);

/** 1 where a neighbour at a side differs. */
void reference_label_edges(const reference_image *labels, reference_image *output);

/** Keeps the edges and removes the rest, or the other way round. */
void reference_cut_label_edges(const reference_image *labels, bool keep_edges, reference_image *output);

/** Without edges; a radius of 2 and more adds as many minima over diamond, box, diamond, ... */
void reference_shrink_labels(const reference_image *labels, int64_t radius, reference_image *output);

/** Grows over the whole image, box first. */
void reference_extend_labels(const reference_image *labels, reference_image *output);

/** 1 but for zeros that are connected by sides with what lies outside. */
void reference_fill_holes(const reference_image *binary, reference_image *output);

/** What zeros become in one step of growth. */
void reference_grow_once(const reference_image *source, reference_neighbourhood neighbourhood, reference_image *output);

/** 1 where the label touches the border (in z too when there are several slices), a column for each label. */
void reference_flag_edges(const reference_image *labels, reference_image *vector);

/* ---------------------------------------------------------------- climbing (reference_watershed.c) */

/** 1 in flat sets of pixels without a higher one among the 8 or 26 neighbours of any of them. */
void reference_regional_maxima(const reference_image *image, reference_image *output);

/** 1 where along each axis a lower value or the border comes before a higher one, both ways. */
void reference_maxima_along_axes(const reference_image *image, reference_image *output);

/** The erosions that a pixel survives, and the next, diamond first, then box; infinite where nothing is background. */
void reference_distance_map(const reference_image *mask, reference_image *output);

/** All pixels above the threshold without a label take that of their highest neighbour, and its height, again and
 * again. */
void reference_seeded_watershed(const reference_image *seeds, const reference_image *source, double threshold,
                                reference_image *output);

/** Pixels of the mask climb to regional maxima; 1 but for those beside a smaller label or beside background. */
void reference_cut_objects(const reference_image *mask, const reference_image *heights, reference_image *output);

/* ---------------------------------------------------------------- random numbers (reference_random.c) */

/**
 * Fills an image, x fastest, then y, then z, with least + (most - least) * number in float32, the numbers those that
 * Java's documentation defines for java.util.Random.nextFloat() after that seed.
 */
void reference_random(double least, double most, int64_t seed, reference_image *output);

/* ---------------------------------------------------------------- windows (reference_window.c) */

typedef enum reference_window_statistic {
    REFERENCE_WINDOW_MINIMUM,
    REFERENCE_WINDOW_MAXIMUM,
    REFERENCE_WINDOW_MEAN,
    REFERENCE_WINDOW_NONZERO,       /**< number of pixels that are not 0 */
    REFERENCE_WINDOW_VARIANCE,      /**< of a population */
    REFERENCE_WINDOW_DEVIATION,
    REFERENCE_WINDOW_MEDIAN,        /**< the upper of two */
    REFERENCE_WINDOW_ENTROPY        /**< in bits, of 256 ranges between the image's smallest and largest pixel */
} reference_window_statistic;

/** A statistic of a box of 2 radius + 1 pixels along each axis, or of the ellipsoid in it (with its surface). */
void reference_window(const reference_image *source, reference_window_statistic statistic, bool ball,
                      const int64_t radius[3], reference_image *output);

/** Sum of the squared Sobel differences along x, y and, if not flat, z; or its root. Nothing is divided. */
void reference_gradient_energy(const reference_image *source, bool flat, bool root, reference_image *output);

/** What a pixel exceeds its neighbours by, added up. */
void reference_laplace(const reference_image *source, reference_neighbourhood neighbourhood, reference_image *output);

/* ---------------------------------------------------------------- graphs (reference_graph.c) */

/*
 * Point lists have a column for each point; rows are x, y, z. Vectors and matrices have an entry for each label, the
 * background first. Labels without a pixel have undefined positions and are nobody's neighbour.
 */

/** Centres of labels, float32; made, as all images that are returned here. The caller frees. */
reference_image reference_centroids(const reference_image *labels, bool with_background);

double reference_distance(const reference_image *points1, int64_t i, const reference_image *points2, int64_t j);

/** Matrix of distances: a column for each point of the first list, a row for each of the second, the background's 0. */
reference_image reference_distances(const reference_image *points1, const reference_image *points2);

/** Rows of a column by ascending sign * distance, equal ones in their order, from row `first` on. Returns their number.
 */
size_t reference_nearest(const reference_image *distances, int64_t column, int64_t first, bool self, double sign,
                         int64_t *rows);

/** Whether a and b are neighbours, at joined[a * count + b] and the other way round; nobody is his own neighbour. */
typedef struct reference_graph {
    int64_t count;
    bool *joined;
} reference_graph;

/** From entries above 0 left of the diagonal; labels that touch by side; distances in a range, limits included; the n
 *  nearest rows of each column; labels that a list names in the column of each label, the background left out. */
reference_graph reference_graph_of_matrix(const reference_image *matrix);
reference_graph reference_graph_of_touching(const reference_image *labels, bool with_background);
reference_graph reference_graph_of_range(const reference_image *distances, double low, double high);
reference_graph reference_graph_of_nearest(const reference_image *distances, int64_t n);
reference_graph reference_graph_of_list(const reference_image *list);
void reference_graph_free(reference_graph *graph);

/** Joins labels that have a neighbour in common, and no others. */
void reference_graph_square(reference_graph *graph);

/** The touch matrix: 1 at x = smaller, y = larger label. */
void reference_graph_store(const reference_graph *graph, reference_image *matrix);

typedef enum reference_statistic {
    REFERENCE_COUNT,
    REFERENCE_SMALLEST,
    REFERENCE_LARGEST,
    REFERENCE_AVERAGE,
    REFERENCE_MEDIAN,       /**< the upper of two */
    REFERENCE_SCATTER,      /**< root of the squared deviations' sum over 2 n - 1 */
    REFERENCE_MODE          /**< integers from 0 to 255, the smallest of several */
} reference_statistic;

/** A statistic of the values (NULL for numbers of neighbours) of each label's neighbours and, but for count and mode,
 * its own. */
void reference_neighbours(const reference_graph *graph, const reference_image *values, reference_statistic statistic,
                          reference_image *vector);

/** A statistic of the distances between each label and its neighbours without the background; 0 where it has none. */
void reference_neighbour_distances(const reference_graph *graph, const reference_image *distances,
                                   reference_statistic statistic, reference_image *vector);

/** Mean of the n smallest (sign 1) or largest (-1) distances of each column to others than itself and the background.
 */
void reference_mean_of_nearest(const reference_image *distances, int64_t n, double sign, reference_image *vector);

/** The map at each label's last pixel in raster order. */
reference_image reference_values_of_labels(const reference_image *labels, const reference_image *map);

/** Each label's entry at its pixels, 0 in the background. */
void reference_paint(const reference_image *labels, const reference_image *vector, reference_image *output);

/** Pixels on the way between two points in steps of half a pixel, in float32, without the last. */
void reference_line(const reference_image *points, int64_t from, int64_t to, double value, reference_image *image);

/** Lines from the smaller to the larger of neighbours, label i at point i - 1; of the values of a matrix, or of 1. */
void reference_mesh(const reference_image *points, const reference_graph *graph, const reference_image *values,
                    reference_image *image);

#endif
