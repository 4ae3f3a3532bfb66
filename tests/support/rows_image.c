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

/* ---- contrast-limited adaptive histogram equalization, a histogram for each pixel */

/* Cuts bins off at the limit and spreads the rest, until the same number is cut off twice. */
static void clip_histogram(int64_t *bins, int count, int64_t limit)
{
    int64_t cut = 0, before = -1;
    while (cut != before) {
        before = cut;
        cut = 0;
        for (int i = 0; i < count; i++)
            if (bins[i] > limit) {
                cut += bins[i] - limit;
                bins[i] = limit;
            }
        const int64_t rest = cut % count;
        for (int i = 0; i < count; i++)
            bins[i] += cut / count;
        const int64_t step = rest ? (count - 1) / rest : 0;
        for (int64_t i = step / 2; rest && i < count; i += step)
            bins[i]++;
    }
}

/* The value from 0 to 255 that a bin gets; a histogram of one filled bin has no contrast. */
static int equalized_bin(const int64_t *bins, int count, int bin)
{
    int64_t up_to = 0, all = 0, first = 0;
    for (int i = 0; i < count; i++) {
        up_to += i <= bin ? bins[i] : 0;
        all += bins[i];
        first = first ? first : bins[i];
    }
    const float part = (float)(up_to - first) / (float)(all - first) * 255.0f + 0.5f;
    return all == first ? (up_to > first ? 255 : 0) : (int)part & 255;
}

/* The share of pixels up to each bin of a histogram. */
static void share_of_bins(const int64_t *bins, int count, float *shares)
{
    int64_t up_to = 0, all = 0, first = 0;
    for (int i = 0; i < count; i++) {
        all += bins[i];
        first = first ? first : bins[i];
    }
    for (int i = 0; i < count; i++) {
        up_to += bins[i];
        shares[i] = (float)(up_to - first) / (float)(all - first);
    }
}

/* The bin of a level. */
static int bin_of(int level, int count)
{
    return (int)((float)level / 255.0f * (float)(count - 1) + 0.5f);
}

/* Counts the levels of a window of a slice. Returns the number of its pixels. */
static int64_t count_window(drua_shape s, const int *levels, int64_t x, int64_t y, int64_t z, int radius, int count,
                            int64_t bins[256])
{
    int64_t pixels = 0;
    memset(bins, 0, 256 * sizeof *bins);
    for (int64_t j = y - radius; j <= y + radius; j++)
        for (int64_t i = x - radius; i <= x + radius; i++)
            if (reference_is_inside(s, i, j, z)) {
                bins[bin_of(levels[(z * s.height + j) * s.width + i], count)]++;
                pixels++;
            }
    return pixels;
}

/*
 * The centres of the two blocks around a position, and the weight of the first one. The centres are those of whole
 * blocks, moved to the middle, and one at each end.
 */
static float blocks_around(int64_t at, int64_t extent, int radius, int64_t centres[2])
{
    const int64_t block = 2 * radius + 1, whole = extent / block, rest = extent % block,
                  shift = rest > 1 ? rest / 2 : 0;
    int64_t before = -1, after = -1;
    for (int64_t i = -1; i <= whole; i++) {
        const bool is_end = i < 0 || i == whole;
        int64_t centre = i < 0 ? radius + 1 : i == whole ? extent - radius - 1 : i * block + radius + 1 + shift;
        if (is_end && (whole == 0 ? i < 0 : rest == 0 || (i < 0 && rest == 1)))
            continue;
        centre = whole == 0 ? extent / 2 : centre;
        before = centre <= at ? centre : before;
        after = centre > at && after < 0 ? centre : after;
    }
    centres[0] = before < 0 ? after : before;
    centres[1] = after < 0 ? before : after;
    return centres[0] == centres[1] ? 1 : (float)(centres[1] - at) / (float)(centres[1] - centres[0]);
}

static float interpolated(drua_shape s, const int *levels, int64_t x, int64_t y, int64_t z, int radius, int count,
                          float slope)
{
    const float block = (float)(2 * radius + 1), limit = slope * block * block / (float)(count - 1) + 0.5f;
    int64_t bins[256], xs[2], ys[2];
    float along[2];
    const float of_x = blocks_around(x, s.width, radius, xs), of_y = blocks_around(y, s.height, radius, ys);
    for (int j = 0; j < 2; j++) {
        float shares[256], at[2];
        for (int i = 0; i < 2; i++) {
            count_window(s, levels, xs[i], ys[j], z, radius, count, bins);
            clip_histogram(bins, count, (int64_t)limit);
            share_of_bins(bins, count, shares);
            at[i] = shares[bin_of(levels[(z * s.height + y) * s.width + x], count)];
        }
        along[j] = xs[0] == xs[1] ? at[0] : of_x * at[0] + (1.0f - of_x) * at[1];
    }
    const float share = ys[0] == ys[1] ? along[0] : of_y * along[0] + (1.0f - of_y) * along[1];
    const float value = share * 255.0f + 0.5f;
    return isnan(value) ? 0 : floorf(fminf(fmaxf(value, 0), 255));
}

static void local_contrast(call *c)
{
    const drua_shape s = IN(0)->shape;
    const bool bytes = IN(0)->type == DRUA_UINT8, masked = c->input_count == 2, fast = S(3) != 0;
    const int count = (int)N(1), radius = ((int)N(0) - 1) / 2;
    double range[2], weights[2] = {0, 1};
    reference_finite_range(IN(0), range);
    if (masked)
        reference_finite_range(IN(1), weights);
    const float low = bytes ? 0 : (float)range[0], high = bytes ? 255 : (float)range[1], largest = (float)weights[1];
    int *levels = reference_allocate(reference_count(IN(0)), sizeof *levels);
    for (size_t i = 0; i < reference_count(IN(0)); i++) {
        const float v = (float)IN(0)->pixels[i],
                    scaled = bytes || !(high > low) ? v : (v - low) / (high - low) * 255.0f + 0.5f;
        levels[i] = (int)fminf(fmaxf(scaled, 0), 255);
    }
    REFERENCE_EACH_PIXEL (OUT(0)->shape, px, py, pz) {
        const int64_t x = px < s.width ? px : s.width - 1, y = py < s.height ? py : s.height - 1,
                      z = pz < s.depth ? pz : s.depth - 1;
        int64_t bins[256];
        float made, weight = 1, slope = (float)S(2);
        if (masked) {
            weight = largest > 0 ? fminf(fmaxf((float)reference_at(IN(1), x, y, z) / largest, 0), 1) : 0;
            slope = 1 + weight * (slope - 1);
        }
        const int level = levels[(z * s.height + y) * s.width + x];
        if (fast) {
            made = interpolated(s, levels, x, y, z, radius, count, (float)S(2));
        } else {
            const int64_t pixels = count_window(s, levels, x, y, z, radius, count, bins);
            clip_histogram(bins, count, (int64_t)(slope * (float)pixels / (float)(count - 1) + 0.5f));
            made = (float)equalized_bin(bins, count, bin_of(level, count));
        }
        const float v = (float)reference_at(IN(0), x, y, z), scale = level ? made / (float)level : 1,
                    scaled = weight * (scale * (v - low) + low - v) + v,
                    mixed = masked ? floorf(weight * made + (1.0f - weight) * v + 0.5f) : made;
        reference_put(OUT(0), px, py, pz, bytes ? mixed : IN(0)->type == DRUA_FLOAT32 ? scaled : floorf(scaled + 0.5f));
    }
    free(levels);
}

const call_row rows_image[] = {
    ROW(enhance_local_contrast, "g", local_contrast),
    ROW(enhance_local_contrast_in_mask, "gg", local_contrast),
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
