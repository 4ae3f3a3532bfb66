/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs reference operations on numbers in text; check_reference.py drives it. Requests come on standard input as words
 * between spaces:
 *
 *   OPERATION TEXT  N SCALAR...  N IMAGE...  OUTPUT
 *
 * TEXT is in brackets and may contain spaces: []. IMAGE and OUTPUT are TYPE DIMENSION WIDTH HEIGHT DEPTH PIXEL... with
 * drua_type's numbers; OUTPUT holds the pixels before the operation. Each answer is one line:
 *
 *   image PIXEL...   or   values NUMBER...   or   unknown
 */
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64, TEXT_SIZE = 256, SCALARS = 16, IMAGES = 4 };

typedef struct request {
    char name[NAME_SIZE], text[TEXT_SIZE];
    double scalars[SCALARS];
    reference_image images[IMAGES];
    reference_image output;
    int scalar_count, image_count;
    double *values; /* set by operations that return numbers; freed with the request */
    size_t value_count;
} request;

static void answer_value(request *r, double value)
{
    r->values = reference_allocate(1, sizeof *r->values);
    r->values[0] = value;
    r->value_count = 1;
}

/* Names for arguments in the operations below. */
#define IN(i) (&r->images[i])
#define OUT (&r->output)
#define S(i) (r->scalars[i])
#define N(i) ((int64_t)r->scalars[i])

static reference_matrix matrix_of(request *r, int dimension)
{
    return reference_affine_matrix(r->text, IN(0)->shape, dimension);
}

static void affine_transform(request *r, int dimension)
{
    const reference_matrix matrix = matrix_of(r, dimension);
    reference_affine_transform(IN(0), &matrix, OUT);
}

static void histogram(request *r)
{
    const bool measured = S(3) != 0;
    reference_histogram(IN(0), measured ? reference_reduce(IN(0), REFERENCE_MINIMUM) : S(1),
                        measured ? reference_reduce(IN(0), REFERENCE_MAXIMUM) : S(2), OUT);
}

static void statistics(request *r, bool with_background)
{
    const size_t rows = reference_statistics(IN(0), IN(1), with_background, &r->values);
    r->value_count = rows * REFERENCE_STATISTICS_COLUMNS;
}

static void watershed(request *r)
{
    reference_image distance = reference_make(DRUA_FLOAT32, IN(0)->shape);
    reference_distance_map(IN(0), &distance);
    reference_cut_objects(IN(0), &distance, OUT);
    reference_free(&distance);
}

/* X(name, call) */
#define OPERATIONS(X)                                                                                      \
    X(copy, reference_copy(IN(0), OUT))                                                                    \
    X(convert_float, reference_copy(IN(0), OUT))                                                           \
    X(convert_uint8, reference_copy(IN(0), OUT))                                                           \
    X(convert_uint16, reference_copy(IN(0), OUT))                                                          \
    X(copy_slice, reference_copy_slice(IN(0), N(0), OUT))                                                  \
    X(paste_2d, reference_paste(IN(0), N(0), N(1), 0, OUT))                                                \
    X(paste_3d, reference_paste(IN(0), N(0), N(1), N(2), OUT))                                             \
    X(crop_2d, reference_crop(IN(0), N(0), N(1), 0, OUT))                                                  \
    X(crop_3d, reference_crop(IN(0), N(0), N(1), N(2), OUT))                                               \
    X(flip_2d, reference_flip(IN(0), S(0) != 0, S(1) != 0, false, OUT))                                    \
    X(flip_3d, reference_flip(IN(0), S(0) != 0, S(1) != 0, S(2) != 0, OUT))                                \
    X(transpose_xy, reference_transpose(IN(0), REFERENCE_X, REFERENCE_Y, OUT))                             \
    X(transpose_xz, reference_transpose(IN(0), REFERENCE_X, REFERENCE_Z, OUT))                             \
    X(transpose_yz, reference_transpose(IN(0), REFERENCE_Y, REFERENCE_Z, OUT))                             \
    X(affine_transform_2d, affine_transform(r, 2))                                                         \
    X(affine_transform_3d, affine_transform(r, 3))                                                         \
    X(translate_2d, reference_translate(IN(0), S(0), S(1), 0, OUT))                                        \
    X(translate_3d, reference_translate(IN(0), S(0), S(1), S(2), OUT))                                     \
    X(gaussian_blur_2d, reference_gaussian_blur(IN(0), S(0), S(1), 0, OUT))                                \
    X(gaussian_blur_3d, reference_gaussian_blur(IN(0), S(0), S(1), S(2), OUT))                             \
    X(minimum_2d_box, reference_box(IN(0), REFERENCE_MINIMUM, N(0), N(1), 0, OUT))                         \
    X(minimum_3d_box, reference_box(IN(0), REFERENCE_MINIMUM, N(0), N(1), N(2), OUT))                      \
    X(maximum_2d_box, reference_box(IN(0), REFERENCE_MAXIMUM, N(0), N(1), 0, OUT))                         \
    X(maximum_3d_box, reference_box(IN(0), REFERENCE_MAXIMUM, N(0), N(1), N(2), OUT))                      \
    X(mean_2d_box, reference_box(IN(0), REFERENCE_MEAN, N(0), N(1), 0, OUT))                               \
    X(mean_3d_box, reference_box(IN(0), REFERENCE_MEAN, N(0), N(1), N(2), OUT))                            \
    X(detect_maxima_2d_box, reference_detect_maxima(IN(0), N(0), N(1), 0, false, OUT))                     \
    X(detect_maxima_3d_box, reference_detect_maxima(IN(0), N(0), N(1), N(2), true, OUT))                   \
    X(detect_maxima_box, reference_detect_maxima(IN(0), N(0), N(0), N(0), true, OUT))                      \
    X(detect_maxima_slice_by_slice_box, reference_detect_maxima(IN(0), N(0), N(1), 0, false, OUT))         \
    X(maximum_x_projection, reference_project(IN(0), REFERENCE_X, REFERENCE_MAXIMUM, OUT))                 \
    X(maximum_y_projection, reference_project(IN(0), REFERENCE_Y, REFERENCE_MAXIMUM, OUT))                 \
    X(maximum_z_projection, reference_project(IN(0), REFERENCE_Z, REFERENCE_MAXIMUM, OUT))                 \
    X(minimum_x_projection, reference_project(IN(0), REFERENCE_X, REFERENCE_MINIMUM, OUT))                 \
    X(minimum_y_projection, reference_project(IN(0), REFERENCE_Y, REFERENCE_MINIMUM, OUT))                 \
    X(minimum_z_projection, reference_project(IN(0), REFERENCE_Z, REFERENCE_MINIMUM, OUT))                 \
    X(mean_x_projection, reference_project(IN(0), REFERENCE_X, REFERENCE_MEAN, OUT))                       \
    X(mean_y_projection, reference_project(IN(0), REFERENCE_Y, REFERENCE_MEAN, OUT))                       \
    X(mean_z_projection, reference_project(IN(0), REFERENCE_Z, REFERENCE_MEAN, OUT))                       \
    X(sum_x_projection, reference_project(IN(0), REFERENCE_X, REFERENCE_SUM, OUT))                         \
    X(sum_y_projection, reference_project(IN(0), REFERENCE_Y, REFERENCE_SUM, OUT))                         \
    X(sum_z_projection, reference_project(IN(0), REFERENCE_Z, REFERENCE_SUM, OUT))                         \
    X(sum_of_all_pixels, answer_value(r, reference_reduce(IN(0), REFERENCE_SUM)))                          \
    X(mean_of_all_pixels, answer_value(r, reference_reduce(IN(0), REFERENCE_MEAN)))                        \
    X(minimum_of_all_pixels, answer_value(r, reference_reduce(IN(0), REFERENCE_MINIMUM)))                  \
    X(maximum_of_all_pixels, answer_value(r, reference_reduce(IN(0), REFERENCE_MAXIMUM)))                  \
    X(histogram, histogram(r))                                                                             \
    X(automatic_threshold, reference_automatic_threshold(IN(0), r->text, OUT))                             \
    X(get_automatic_threshold, answer_value(r, reference_threshold_value(IN(0), r->text)))                 \
    X(threshold_bin, answer_value(r, reference_threshold_bin(r->text, IN(0)->pixels)))                     \
    X(connected_components_labeling_box, reference_connected_components(IN(0), REFERENCE_BOX, OUT))        \
    X(connected_components_labeling_diamond, reference_connected_components(IN(0), REFERENCE_DIAMOND, OUT)) \
    X(exclude_labels_on_edges, reference_exclude_labels_on_edges(IN(0), OUT))                              \
    X(close_index_gaps_in_label_map, reference_close_index_gaps(IN(0), OUT))                               \
    X(statistics_of_labelled_pixels, statistics(r, false))                                                 \
    X(statistics_of_background_and_labelled_pixels, statistics(r, true))                                   \
    X(replace_intensities, reference_replace_intensities(IN(0), IN(1), OUT))                               \
    X(dilate_labels, reference_dilate_labels(IN(0), N(0), OUT))                                            \
    X(label_spots, reference_label_spots(IN(0), OUT))                                                      \
    X(voronoi_labeling, reference_voronoi_labeling(IN(0), OUT))                                            \
    X(masked_voronoi_labeling, reference_masked_voronoi_labeling(IN(0), IN(1), OUT))                       \
    X(voronoi_otsu_labeling, reference_voronoi_otsu_labeling(IN(0), S(0), S(1), OUT))                      \
    X(distance_map, reference_distance_map(IN(0), OUT))                                                    \
    X(watershed, watershed(r))                                                                             \
    X(set_random, reference_random(S(0), S(1), N(2), OUT))                                                 \
    X(generate_touch_matrix, reference_generate_touch_matrix(IN(0), OUT))

#define DEFINE(name, call)            \
    static void run_##name(request *r) \
    {                                  \
        call;                          \
    }
OPERATIONS(DEFINE)

#define LIST(name, call) {#name, run_##name},
static const struct {
    const char *name;
    void (*run)(request *r);
} operations[] = {OPERATIONS(LIST)};

static bool run_request(request *r)
{
    const reference_image *images[IMAGES] = {IN(0), IN(1), IN(2), IN(3)};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, r->name) == 0) {
            operations[i].run(r);
            return true;
        }
    return reference_pointwise(r->name, images, r->scalars, OUT);
}

static bool read_image(reference_image *image)
{
    int type;
    drua_shape s;
    if (scanf("%d %" SCNd32 " %" SCNd64 " %" SCNd64 " %" SCNd64, &type, &s.dimension, &s.width, &s.height,
              &s.depth) != 5)
        return false;
    *image = reference_make((drua_type)type, s);
    for (size_t i = 0; i < reference_count(image); i++)
        if (scanf("%lf", &image->pixels[i]) != 1)
            return false;
    return true;
}

static bool read_request(request *r)
{
    *r = (request){0};
    if (scanf("%63s [%255[^]]", r->name, r->text) < 1 || scanf("] %d", &r->scalar_count) != 1 ||
        r->scalar_count < 0 || r->scalar_count > SCALARS)
        return false;
    for (int i = 0; i < r->scalar_count; i++)
        if (scanf("%lf", &r->scalars[i]) != 1)
            return false;
    if (scanf("%d", &r->image_count) != 1 || r->image_count < 0 || r->image_count > IMAGES)
        return false;
    for (int i = 0; i < r->image_count; i++)
        if (!read_image(&r->images[i]))
            return false;
    return read_image(&r->output);
}

static void print_numbers(const char *kind, const double *numbers, size_t count)
{
    fputs(kind, stdout);
    for (size_t i = 0; i < count; i++)
        printf(" %.17g", numbers[i]);
    putchar('\n');
    fflush(stdout);
}

int main(void)
{
    request r;
    while (read_request(&r)) {
        if (!run_request(&r))
            print_numbers("unknown", NULL, 0);
        else if (r.values)
            print_numbers("values", r.values, r.value_count);
        else
            print_numbers("image", r.output.pixels, reference_count(&r.output));
        for (int i = 0; i < IMAGES; i++)
            reference_free(&r.images[i]);
        reference_free(&r.output);
        free(r.values);
    }
    return feof(stdin) ? 0 : 1;
}
