/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of operations that create, move or transform images. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>

static void from_array(call *c)
{
    for (size_t i = 0; i < c->length; i++)
        OUT(0)->pixels[i] = reference_store(OUT(0)->type, (float)c->array[i]);
}

static void join(call *c, int64_t x, int64_t y, int64_t z)
{
    reference_paste(IN(0), 0, 0, 0, OUT(0));
    reference_paste(IN(1), x, y, z, OUT(0));
}

static void repeat(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, reference_at(IN(0), x, y, 0));
}

static void views(call *c)
{
    REFERENCE_EACH_PIXEL(reference_plane(IN(0)->shape.width, IN(0)->shape.height), x, y, z)
        reference_put(OUT(0), x / N(0), y / N(1), y % N(1) * N(0) + x % N(0), reference_at(IN(0), x, y, z));
}

static void luminance(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put_snapped(OUT(0), x, y, z,
                              0.299 * reference_at(IN(0), x, y, 0) + 0.587 * reference_at(IN(0), x, y, 1) +
                                  0.114 * reference_at(IN(0), x, y, 2));
}

/* Indices count from 1, z fastest, then y. */
static void pixel_index(call *c)
{
    const drua_shape s = IN(0)->shape;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z,
                      reference_at(IN(0), x, y, z) != 0 ? (double)((x * s.height + y) * s.depth + z + 1) : 0);
}

static void draw_box(call *c)
{
    const bool flat = OUT(0)->shape.dimension == 2;
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        if (x >= S(0) && x <= S(0) + S(3) && y >= S(1) && y <= S(1) + S(4) && (flat || (z >= S(2) && z <= S(2) + S(5))))
            reference_put(OUT(0), x, y, z, S(6));
}

/* ---- moves by whole pixels: output(x, y, z) = source(...) */

#define MOVED(name, x_, y_, z_)                                                 \
    static void name(call *c)                                                   \
    {                                                                           \
        const drua_shape s = IN(0)->shape;                                      \
        REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)                            \
            reference_put(OUT(0), x, y, z, reference_at(IN(0), x_, y_, z_));    \
        (void)s;                                                                \
    }
MOVED(clockwise, y, s.height - 1 - x, z)
MOVED(counter_clockwise, s.width - 1 - y, x, z)
MOVED(from_top, x, z, y)
MOVED(from_bottom, x, s.height - 1 - z, y)
MOVED(from_left, z, x, y)
MOVED(from_right, s.width - 1 - z, x, y)

static void every_nth_slice(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z, reference_at(IN(0), x, y, z * N(0) + N(1)));
}

static void downsample(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(
            OUT(0), x, y, z,
            reference_at(IN(0), (int64_t)((double)x / S(0)), (int64_t)((double)y / S(1)), (int64_t)((double)z / S(2))));
}

/* The mean of the two middle values of four. */
static void half_median(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double sum = 0, min = INFINITY, greatest = -INFINITY;
        for (int i = 0; i < 4; i++) {
            const double value = reference_at(IN(0), 2 * x + i % 2, 2 * y + i / 2, z);
            sum += value;
            min = fmin(min, value);
            greatest = fmax(greatest, value);
        }
        reference_put(OUT(0), x, y, z, (sum - min - greatest) / 2);
    }
}

/* Lists the values of box x, y, z of the source and returns their number. */
static int box_of(call *c, int64_t x, int64_t y, int64_t z, double *values)
{
    const drua_shape s = IN(0)->shape;
    int count = 0;
    for (int64_t k = z * N(2); k < (z + 1) * N(2) && k < s.depth; k++)
        for (int64_t j = y * N(1); j < (y + 1) * N(1) && j < s.height; j++)
            for (int64_t i = x * N(0); i < (x + 1) * N(0) && i < s.width; i++)
                values[count++] = reference_at(IN(0), i, j, k);
    return count;
}

static void mean_of_boxes(call *c)
{
    double *values = malloc(sizeof *values * (size_t)(N(0) * N(1) * N(2)));
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double sum = 0;
        const int count = box_of(c, x, y, z, values);
        for (int i = 0; i < count; i++)
            sum += values[i];
        reference_put(OUT(0), x, y, z, OUT(0)->type == DRUA_FLOAT32 ? sum / count : floor(sum / count + 0.5));
    }
    free(values);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value of the longest run among the sorted values. */
static void mode_of_boxes(call *c)
{
    double *values = malloc(sizeof *values * (size_t)(N(0) * N(1) * N(2)));
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const int count = box_of(c, x, y, z, values);
        int longest = 0;
        qsort(values, (size_t)count, sizeof *values, by_value);
        for (int i = 0, run = 0; i < count; i++) {
            run = i && values[i] == values[i - 1] ? run + 1 : 1;
            if (run > longest) {
                longest = run;
                reference_put(OUT(0), x, y, z, values[i]);
            }
        }
    }
    free(values);
}

/* ---- interpolated */

static void transform(call *c, const char *text, bool back)
{
    const reference_matrix forward = reference_affine_matrix(text, IN(0)->shape, IN(0)->shape.dimension);
    const reference_matrix matrix = back ? reference_inverse(&forward) : forward;
    reference_affine_transform(IN(0), &matrix, OUT(0));
}

/* Applies the steps of a transform; with `middle`, about the image's middle. */
static void transform_about(call *c, bool middle, const char *steps)
{
    char text[440];
    snprintf(text, sizeof text, middle ? "-center %s center" : "%s", steps);
    transform(c, text, false);
}

static void rotate(call *c)
{
    char steps[400];
    if (IS_FLAT)
        snprintf(steps, sizeof steps, "rotate=%.17g", S(2));
    else
        snprintf(steps, sizeof steps, "rotateZ=%.17g rotateY=%.17g rotateX=%.17g", S(2), S(1), S(0));
    transform_about(c, S(3) != 0, steps);
}

static void rigid(call *c)
{
    char steps[400];
    if (IS_FLAT)
        snprintf(steps, sizeof steps, "translateX=%.17g translateY=%.17g rotate=%.17g", S(0), S(1), S(5));
    else
        snprintf(steps, sizeof steps,
                 "translateX=%.17g translateY=%.17g translateZ=%.17g rotateX=%.17g rotateY=%.17g rotateZ=%.17g", S(0),
                 S(1), S(2), S(3), S(4), S(5));
    transform_about(c, true, steps);
}

static void scale(call *c, double x, double y, double z, bool middle)
{
    char steps[400];
    snprintf(steps, sizeof steps, "scaleX=%.17g scaleY=%.17g scaleZ=%.17g", x, y, z);
    transform_about(c, middle, steps);
}

/* Interpolates, or takes the pixel that contains the position. */
static void resample(call *c)
{
    const reference_matrix matrix = {{{S(0), 0, 0, 0}, {0, S(1), 0, 0}, {0, 0, IS_FLAT ? 1 : S(2), 0}}};
    if (S(3) != 0)
        reference_affine_transform(IN(0), &matrix, OUT(0));
    else
        REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
            reference_put(OUT(0), x, y, z,
                          reference_at(IN(0), (int64_t)(((double)x + 0.5) * matrix.at[0][0]),
                                       (int64_t)(((double)y + 0.5) * matrix.at[1][1]),
                                       (int64_t)(((double)z + 0.5) * matrix.at[2][2])));
}

#define FIELD(x, y, z) {x, y, z}

static void run_sine(call *c) { row_pointwise(c, "sinus"); }
static void run_cosine(call *c) { row_pointwise(c, "cosinus"); }
static void run_set_column(call *c) { row_pointwise(c, c->op->name); }
static void run_set_row(call *c) { row_pointwise(c, c->op->name); }
static void run_set_plane(call *c) { row_pointwise(c, c->op->name); }
static void run_set_image_borders(call *c) { row_pointwise(c, c->op->name); }
static void run_set_random(call *c) { reference_random(S(0), S(1), N(2), OUT(0)); }
static void run_copy(call *c) { reference_copy(IN(0), OUT(0)); }
static void run_convert_float(call *c) { reference_copy(IN(0), OUT(0)); }
static void run_convert_uint8(call *c) { reference_copy(IN(0), OUT(0)); }
static void run_convert_uint16(call *c) { reference_copy(IN(0), OUT(0)); }
static void run_create_2d(call *c) { (void)c; }
static void run_create_3d(call *c) { (void)c; }
static void run_get_dimensions(call *c)
{
    RESULT((double)IN(0)->shape.width);
    RESULT((double)IN(0)->shape.height);
    RESULT((double)IN(0)->shape.depth);
}
static void run_crop(call *c) { reference_crop(IN(0), N(0), N(1), N(2), OUT(0)); }
static void run_sub_stack(call *c) { reference_crop(IN(0), 0, 0, N(0), OUT(0)); }
static void run_copy_slice(call *c) { reference_copy_slice(IN(0), N(0), OUT(0)); }
static void run_paste(call *c) { reference_paste(IN(0), N(0), N(1), N(2), OUT(0)); }
static void run_combine_horizontally(call *c) { join(c, IN(0)->shape.width, 0, 0); }
static void run_combine_vertically(call *c) { join(c, 0, IN(0)->shape.height, 0); }
static void run_concatenate_stacks(call *c) { join(c, 0, 0, IN(0)->shape.depth); }
static void run_flip(call *c) { reference_flip(IN(0), S(0) != 0, S(1) != 0, S(2) != 0, OUT(0)); }
static void run_transpose_xy(call *c) { reference_transpose(IN(0), REFERENCE_X, REFERENCE_Y, OUT(0)); }
static void run_transpose_xz(call *c) { reference_transpose(IN(0), REFERENCE_X, REFERENCE_Z, OUT(0)); }
static void run_transpose_yz(call *c) { reference_transpose(IN(0), REFERENCE_Y, REFERENCE_Z, OUT(0)); }
static void run_rotate_clockwise(call *c) { clockwise(c); }
static void run_rotate_counter_clockwise(call *c) { counter_clockwise(c); }
static void run_reslice_top(call *c) { from_top(c); }
static void run_reslice_bottom(call *c) { from_bottom(c); }
static void run_reslice_left(call *c) { from_left(c); }
static void run_reslice_right(call *c) { from_right(c); }
static void run_different(call *c) { reference_similar(IN(0), IN(1), S(0), false, OUT(0)); }
static void run_similar(call *c) { reference_similar(IN(0), IN(1), S(0), true, OUT(0)); }
static void run_within_intensity_range(call *c) { reference_within(IN(0), S(0), S(1), OUT(0)); }
static void run_replace_pixels_if_zero(call *c) { reference_fill_zeros(IN(0), IN(1), OUT(0)); }
static void run_extrema(call *c) { reference_farther_from_zero(IN(0), IN(1), OUT(0)); }
static void run_visualize_outlines_on_original(call *c) { reference_outlines(IN(0), IN(1), OUT(0)); }
static void run_affine_transform(call *c) { transform(c, TEXT_OF("transform"), S(0) != 0); }
static void run_translate(call *c) { reference_translate(IN(0), S(0), S(1), IS_FLAT ? 0 : S(2), OUT(0)); }
static void run_scale(call *c) { scale(c, S(0), S(1), S(2), S(3) != 0); }
static void run_scale_evenly(call *c) { scale(c, S(0), S(0), S(0), S(1) != 0); }
static void run_apply_vector_field_2d(call *c)
{
    reference_warp(IN(0), (const reference_image *const[]) FIELD(IN(1), IN(2), NULL), OUT(0));
}
static void run_apply_vector_field_3d(call *c)
{
    reference_warp(IN(0), (const reference_image *const[]) FIELD(IN(1), IN(2), IN(3)), OUT(0));
}

const call_row rows_image[] = {
    ROW(sine, "g", run_sine),
    ROW(cosine, "g", run_cosine),
    ROW(set_column, "g", run_set_column),
    ROW(set_row, "g", run_set_row),
    ROW(set_plane, "g", run_set_plane),
    ROW(set_image_borders, "g", run_set_image_borders),
    ROW(set_random, "g", run_set_random),
    ROW(set_nonzero_pixels_to_pixel_index, "^l", pixel_index),
    ROW(copy, "s", run_copy),
    ROW(convert_float, "g", run_convert_float),
    ROW(convert_uint8, "g", run_convert_uint8),
    ROW(convert_uint16, "g", run_convert_uint16),
    ROW(convert_rgb_stack_to_gray_slice, "^~c", luminance),
    ROW(light_field_views, "^g", views),
    ROW(create_2d, "", run_create_2d),
    ROW(create_3d, "", run_create_3d),
    ROW(push_array, "", from_array),
    ROW(push_array_2d, "", from_array),
    ROW(get_dimensions, "g", run_get_dimensions),
    ROW(draw_box, "g", draw_box),
    ROW(crop, "s", run_crop),
    ROW(sub_stack, "s", run_sub_stack),
    ROW(copy_slice, "s", run_copy_slice),
    ROW(paste, "s", run_paste),
    ROW(combine_horizontally, "=s", run_combine_horizontally),
    ROW(combine_vertically, "=s", run_combine_vertically),
    ROW(concatenate_stacks, "=s", run_concatenate_stacks),
    ROW(flip, "s", run_flip),
    ROW(transpose_xy, "=s", run_transpose_xy),
    ROW(transpose_xz, "=s", run_transpose_xz),
    ROW(transpose_yz, "=s", run_transpose_yz),
    ROW(rotate_clockwise, "^s", run_rotate_clockwise),
    ROW(rotate_counter_clockwise, "^s", run_rotate_counter_clockwise),
    ROW(reslice_top, "^s", run_reslice_top),
    ROW(reslice_bottom, "^s", run_reslice_bottom),
    ROW(reslice_left, "^s", run_reslice_left),
    ROW(reslice_right, "^s", run_reslice_right),
    ROW(reduce_stack, "^s", every_nth_slice),
    ROW(image_to_stack, "=g", repeat),
    ROW(different, "g", run_different),
    ROW(similar, "g", run_similar),
    ROW(within_intensity_range, "g", run_within_intensity_range),
    ROW(replace_pixels_if_zero, "g", run_replace_pixels_if_zero),
    ROW(extrema, "g", run_extrema),
    ROW(visualize_outlines_on_original, "=gl", run_visualize_outlines_on_original),
    ROW(downsample_slice_by_slice_half_median, "^g", half_median),
    ROW(bin_mean, "^g", mean_of_boxes),
    ROW(bin_mode, "^l", mode_of_boxes),
    ROW(downsample, "^s", downsample),
    ROW(resample, "^~g", resample),
    ROW(affine_transform, "~g", run_affine_transform),
    ROW(translate, "~g", run_translate),
    ROW(rotate, "~g", rotate),
    ROW(rigid_transform, "~g", rigid),
    ROW(scale, "~g", run_scale),
    ROW(scale_evenly, "~g", run_scale_evenly),
    ROW(apply_vector_field_2d, "gf", run_apply_vector_field_2d),
    ROW(apply_vector_field_3d, "gf", run_apply_vector_field_3d),
    {NULL, NULL, NULL, NULL},
};
