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
 * As reference_store, but for integers a value whose magnitude lies just below an integer counts
 * as that integer (2^-16 of it up to 256, then 1/256, then 2^-19 of it): rounding noise must not decide between 119 and 120.
 */
double reference_store_snapped(drua_type type, double value);

/** Pixel at a position, coordinates clamped to the image. */
double reference_at(const reference_image *image, int64_t x, int64_t y, int64_t z);

/** Stores a value; nothing happens outside the image. */
void reference_put(reference_image *image, int64_t x, int64_t y, int64_t z, double value);
void reference_put_snapped(reference_image *image, int64_t x, int64_t y, int64_t z, double value);

/**
 * Compares two images of equal extent and type. Integers must be equal, or at most one apart with off_by_one;
 * float32 may differ by tolerance times the largest finite magnitude in expected (0: equal; NaN equals NaN).
 * Returns true when they agree; else writes a sentence with the first difference and their number into message.
 */
bool reference_agrees(const reference_image *expected, const reference_image *actual, double tolerance,
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

/** Linear interpolation at the centre of each output pixel; zero outside the source. */
void reference_affine_transform(const reference_image *source, const reference_matrix *matrix,
                                reference_image *output);

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
 * Objects thinned to lines, 0 and 1: rounds over the sides y-1, y+1, x+1, x-1 and in stacks z-1, z+1; at each side the pixels are
 * marked that have background there, more than one neighbour and are simple; they go, in order of their column's, row's
 * and slice's parity, where they are simple still.
 */
void reference_skeletonize(const reference_image *source, reference_image *output);

/* ---------------------------------------------------------------- measurements (reference_measure.c) */

/** Reduction of all pixels to one number. */
double reference_reduce(const reference_image *image, reference_reduction reduction);

/** Projection: along x to depth x height, along y to width x depth, along z to width x height. */
void reference_project(const reference_image *source, reference_axis axis, reference_reduction reduction,
                       reference_image *output);

/**
 * Counts pixels into output->shape.width bins: bin = trunc((v - minimum) * (bins - 1) * (1 / range)) in float32, the
 * reciprocal taken first. Values outside minimum..maximum are not counted; a range of 0 puts all into bin 0.
 */
void reference_histogram(const reference_image *source, double minimum, double maximum, reference_image *output);

enum { REFERENCE_STATISTICS_COLUMNS = 36 };

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
 */
int reference_threshold_bin(const char *method, const double counts[256]);

/** minimum + (bin + 1) / 255 * (maximum - minimum) in float32; the range of uint8 is 0..255, else the image's own. */
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

#endif
