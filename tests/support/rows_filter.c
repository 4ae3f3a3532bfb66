/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of filters and morphology. */
#include "rows.h"

/* Radii of windows; 0 along z for planes. */
#define RADII ((const int64_t[]){N(0), N(1), IS_FLAT ? 0 : N(2)})

/* A radius of -1 means the radius along x; slice-by-slice operations have no radius along z. */
static void extrema(call *c, double sign)
{
    const bool flat = S(3) != 0;
    const int64_t x = N(0), y = N(1) < 0 ? x : N(1), z = flat ? 0 : N(2) < 0 ? x : N(2);
    reference_image signed_source = row_like(IN(0), DRUA_FLOAT32);
    for (size_t i = 0; i < reference_count(&signed_source); i++)
        signed_source.pixels[i] = sign * IN(0)->pixels[i];
    reference_detect_maxima(&signed_source, x, y, z, !flat, OUT(0));
    reference_free(&signed_source);
}

/* Applies an operation of two images and frees both. */
static void combine(const char *name, reference_image first, reference_image second, reference_image *output)
{
    reference_pointwise(name, (const reference_image *[]){&first, &second}, NULL, output);
    reference_free(&first);
    reference_free(&second);
}

static reference_image blurred(const reference_image *source, drua_type type, double x, double y, double z)
{
    reference_image blur = row_like(source, type);
    reference_gaussian_blur(source, x, y, z, &blur);
    return blur;
}

static void difference_of_gaussian(call *c)
{
    combine("subtract_images", blurred(IN(0), IN(0)->type, S(0), S(1), S(2)),
            blurred(IN(0), IN(0)->type, S(3), S(4), S(5)), OUT(0));
}

/* The background image has the source's type. */
static void background(call *c, const char *name)
{
    combine(name, reference_duplicate(IN(0)), blurred(IN(0), IN(0)->type, S(0), S(1), S(2)), OUT(0));
}

static reference_image two_windows(call *c, reference_window_statistic first, reference_window_statistic second,
                                   bool ball)
{
    reference_image inner = row_like(IN(0), IN(0)->type), outer = row_like(IN(0), IN(0)->type);
    reference_window(IN(0), first, ball, RADII, &inner);
    reference_window(&inner, second, ball, RADII, &outer);
    reference_free(&inner);
    return outer;
}

static void open_or_close(call *c, bool opens, bool ball)
{
    reference_image made = opens ? two_windows(c, REFERENCE_WINDOW_MINIMUM, REFERENCE_WINDOW_MAXIMUM, ball)
                                 : two_windows(c, REFERENCE_WINDOW_MAXIMUM, REFERENCE_WINDOW_MINIMUM, ball);
    reference_copy(&made, OUT(0));
    reference_free(&made);
}

static void top_hat(call *c, bool ball)
{
    combine("subtract_images", row_float(IN(0)),
            two_windows(c, REFERENCE_WINDOW_MINIMUM, REFERENCE_WINDOW_MAXIMUM, ball), OUT(0));
}

static void bottom_hat(call *c, bool ball)
{
    combine("subtract_images", two_windows(c, REFERENCE_WINDOW_MAXIMUM, REFERENCE_WINDOW_MINIMUM, ball),
            row_float(IN(0)), OUT(0));
}

/* ---- binary images: nonzero is true */

static reference_image binary(const reference_image *source)
{
    reference_image mask = row_like(source, DRUA_UINT8);
    for (size_t i = 0; i < reference_count(&mask); i++)
        mask.pixels[i] = source->pixels[i] != 0;
    return mask;
}

static void step(reference_image *mask, bool grows, bool ball, bool flat)
{
    reference_image before = reference_duplicate(mask);
    reference_window(&before, grows ? REFERENCE_WINDOW_MAXIMUM : REFERENCE_WINDOW_MINIMUM, ball,
                     (const int64_t[]){1, 1, !flat}, mask);
    reference_free(&before);
}

static void one_step(call *c, bool grows, bool ball)
{
    reference_image mask = binary(IN(0));
    reference_window(&mask, grows ? REFERENCE_WINDOW_MAXIMUM : REFERENCE_WINDOW_MINIMUM, ball,
                     (const int64_t[]){1, 1, !(IS_FLAT || S(0) != 0)}, OUT(0));
    reference_free(&mask);
}

static void steps(call *c, bool opens, bool ball)
{
    const int64_t count = N(0) < 1 ? 1 : N(0);
    reference_image mask = binary(IN(0));
    for (int64_t i = 0; i < 2 * count; i++)
        step(&mask, (i < count) != opens, ball, IS_FLAT);
    reference_copy(&mask, OUT(0));
    reference_free(&mask);
}

static void binary_edges(call *c)
{
    reference_image mask = binary(IN(0)), eroded = row_like(OUT(0), DRUA_UINT8);
    reference_window(&mask, REFERENCE_WINDOW_MINIMUM, true, (const int64_t[]){1, 1, !IS_FLAT}, &eroded);
    combine("subtract_images", mask, eroded, OUT(0));
}

static void octagon(call *c, reference_window_statistic statistic)
{
    reference_image now = reference_duplicate(IN(0));
    for (int64_t i = 0; i < N(0); i++) {
        reference_image before = reference_duplicate(&now);
        reference_window(&before, statistic, i % 2 == 1, (const int64_t[]){1, 1, IS_FLAT ? 0 : 1}, &now);
        reference_free(&before);
    }
    reference_copy(&now, OUT(0));
    reference_free(&now);
}

/* ---- the sharpest plane of a stack; the first of several equal slices */

static void take_from_largest(call *c, const reference_image *measure)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, slice) {
        int64_t best = 0;
        for (int64_t z = 1; z < IN(0)->shape.depth; z++)
            if (reference_at(measure, x, y, z) > reference_at(measure, x, y, best))
                best = z;
        reference_put(OUT(0), x, y, slice, reference_at(IN(0), x, y, best));
    }
}

enum { VARIANCE_MEASURE, SOBEL_MEASURE, TENENGRAD_MEASURE };

/* The sharpness of each pixel, computed slice by slice and smoothed within slices. */
static void focus(call *c, int which, double sigma)
{
    reference_image measure = row_like(IN(0), DRUA_FLOAT32);
    if (which == VARIANCE_MEASURE)
        reference_window(IN(0), REFERENCE_WINDOW_VARIANCE, true, (const int64_t[]){N(0), N(1), 0}, &measure);
    else
        reference_gradient_energy(IN(0), true, which == SOBEL_MEASURE, &measure);
    reference_image smooth = blurred(&measure, DRUA_FLOAT32, sigma, sigma, 0);
    take_from_largest(c, &smooth);
    reference_free(&measure);
    reference_free(&smooth);
}

/* The pixel after minus the pixel before. */
static void gradient(call *c, int64_t x, int64_t y, int64_t z)
{
    reference_image after = row_like(OUT(0), IN(0)->type), before = row_like(OUT(0), IN(0)->type);
    reference_crop(IN(0), x, y, z, &after);
    reference_crop(IN(0), -x, -y, -z, &before);
    combine("subtract_images", after, before, OUT(0));
}

/* The sum runs from -extent / 2 to extent / 2 as in CLIJ2, even if an even extent has one element fewer. */
static double weighted_sum(const reference_image *image, const reference_image *kernel, int64_t x, int64_t y, int64_t z)
{
    const int64_t cx = kernel->shape.width / 2, cy = kernel->shape.height / 2, cz = kernel->shape.depth / 2;
    double sum = 0;
    for (int64_t k = -cz; k <= cz; k++)
        for (int64_t j = -cy; j <= cy; j++)
            for (int64_t i = -cx; i <= cx; i++)
                sum += reference_at(kernel, i + cx, j + cy, k + cz) * reference_at(image, x + i, y + j, z + k);
    return sum;
}

static void convolve(call *c)
{
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put_snapped(OUT(0), x, y, z, weighted_sum(IN(0), IN(1), x, y, z));
}

/*
 * The exponent of a pixel in a weighted mean over a box: its weight is exp(-exponent), up to a factor common to the
 * box.
 */
typedef double box_exponent(call *c, const reference_image *likely, int64_t x, int64_t y, int64_t z, int64_t i,
                            int64_t j, int64_t k);

static double exponent_of_difference(double difference, double factor, double sigma)
{
    const double min_sigma = 1e-19;
    return factor * difference * difference / fmax(sigma * sigma, min_sigma * min_sigma);
}

static double bilateral_exponent(call *c, const reference_image *likely, int64_t x, int64_t y, int64_t z, int64_t i,
                                 int64_t j, int64_t k)
{
    (void)likely;
    const double difference = reference_at(IN(0), x + i, y + j, z + k) - reference_at(IN(0), x, y, z);
    return exponent_of_difference(difference, 0.5, S(3)) +
           exponent_of_difference(sqrt((double)(i * i + j * j + k * k)), 0.5, S(4));
}

static double likely_exponent(call *c, const reference_image *likely, int64_t x, int64_t y, int64_t z, int64_t i,
                              int64_t j, int64_t k)
{
    return exponent_of_difference(reference_at(IN(0), x + i, y + j, z + k) - reference_at(likely, x + i, y + j, z + k),
                                  1, S(3));
}

static void weighted_box(call *c, box_exponent *exponent, const reference_image *likely)
{
    const int64_t rz = IN(0)->shape.depth > 1 ? N(2) : 0;
#define EACH_IN_BOX                                                                                                    \
    for (int64_t k = -rz; k <= rz; k++)                                                                                \
        for (int64_t j = -N(1); j <= N(1); j++)                                                                        \
            for (int64_t i = -N(0); i <= N(0); i++)
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        double min = INFINITY, sum = 0, weights = 0;
        EACH_IN_BOX
        min = fmin(min, exponent(c, likely, x, y, z, i, j, k));
        EACH_IN_BOX {
            const double weight = exp(min - exponent(c, likely, x, y, z, i, j, k));
            sum += weight * reference_at(IN(0), x + i, y + j, z + k);
            weights += weight;
        }
        reference_put_snapped(OUT(0), x, y, z, sum / weights);
    }
}

static void non_local_means(call *c)
{
    reference_image mean = row_like(IN(0), DRUA_FLOAT32);
    reference_box(IN(0), REFERENCE_MEAN, N(0), N(1), N(2), &mean);
    weighted_box(c, likely_exponent, &mean);
    reference_free(&mean);
}

static void above_median(call *c)
{
    reference_image median = row_like(IN(0), DRUA_FLOAT32);
    reference_window(IN(0), REFERENCE_WINDOW_MEDIAN, true, RADII, &median);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z)
        reference_put(OUT(0), x, y, z,
                      reference_at(IN(0), x, y, z) > (float)(reference_at(&median, x, y, z) - (float)S(3)));
    reference_free(&median);
}

#define WINDOW(statistic, ball) reference_window(IN(0), REFERENCE_WINDOW_##statistic, ball, RADII, OUT(0))

static void run_gaussian_blur(call *c) { reference_gaussian_blur(IN(0), S(0), S(1), S(2), OUT(0)); }
static void run_subtract_gaussian_background(call *c) { background(c, "subtract_images"); }
static void run_divide_by_gaussian_background(call *c) { background(c, "divide_images"); }
static void run_minimum_box(call *c) { reference_box(IN(0), REFERENCE_MINIMUM, N(0), N(1), N(2), OUT(0)); }
static void run_maximum_box(call *c) { reference_box(IN(0), REFERENCE_MAXIMUM, N(0), N(1), N(2), OUT(0)); }
static void run_mean_box(call *c) { reference_box(IN(0), REFERENCE_MEAN, N(0), N(1), N(2), OUT(0)); }
static void run_bilateral(call *c) { weighted_box(c, bilateral_exponent, NULL); }
static void run_mean_box_of_likely(call *c) { weighted_box(c, likely_exponent, IN(1)); }
static void run_variance_box(call *c) { WINDOW(VARIANCE, false); }
static void run_standard_deviation_box(call *c) { WINDOW(DEVIATION, false); }
static void run_median_box(call *c) { WINDOW(MEDIAN, false); }
static void run_entropy_box(call *c) { WINDOW(ENTROPY, false); }
static void run_minimum_sphere(call *c) { WINDOW(MINIMUM, true); }
static void run_maximum_sphere(call *c) { WINDOW(MAXIMUM, true); }
static void run_mean_sphere(call *c) { WINDOW(MEAN, true); }
static void run_count_nonzero_sphere(call *c) { WINDOW(NONZERO, true); }
static void run_variance_sphere(call *c) { WINDOW(VARIANCE, true); }
static void run_standard_deviation_sphere(call *c) { WINDOW(DEVIATION, true); }
static void run_median_sphere(call *c) { WINDOW(MEDIAN, true); }
static void run_detect_maxima(call *c) { extrema(c, 1); }
static void run_detect_minima(call *c) { extrema(c, -1); }
static void run_greyscale_opening_box(call *c) { open_or_close(c, true, false); }
static void run_greyscale_closing_box(call *c) { open_or_close(c, false, false); }
static void run_greyscale_opening_sphere(call *c) { open_or_close(c, true, true); }
static void run_greyscale_closing_sphere(call *c) { open_or_close(c, false, true); }
static void run_top_hat_box(call *c) { top_hat(c, false); }
static void run_top_hat_sphere(call *c) { top_hat(c, true); }
static void run_bottom_hat_box(call *c) { bottom_hat(c, false); }
static void run_bottom_hat_sphere(call *c) { bottom_hat(c, true); }
static void run_minimum_octagon(call *c) { octagon(c, REFERENCE_WINDOW_MINIMUM); }
static void run_maximum_octagon(call *c) { octagon(c, REFERENCE_WINDOW_MAXIMUM); }
static void run_dilate_box(call *c) { one_step(c, true, false); }
static void run_dilate_sphere(call *c) { one_step(c, true, true); }
static void run_erode_box(call *c) { one_step(c, false, false); }
static void run_erode_sphere(call *c) { one_step(c, false, true); }
static void run_opening_box(call *c) { steps(c, true, false); }
static void run_opening_diamond(call *c) { steps(c, true, true); }
static void run_closing_box(call *c) { steps(c, false, false); }
static void run_closing_diamond(call *c) { steps(c, false, true); }
static void run_distance_map(call *c) { reference_distance_map(IN(0), OUT(0)); }
static void run_only_zero_overwrite_maximum_box(call *c) { reference_grow_once(IN(0), REFERENCE_BOX, OUT(0)); }
static void run_only_zero_overwrite_maximum_diamond(call *c) { reference_grow_once(IN(0), REFERENCE_DIAMOND, OUT(0)); }
static void run_gradient_x(call *c) { gradient(c, 1, 0, 0); }
static void run_gradient_y(call *c) { gradient(c, 0, 1, 0); }
static void run_gradient_z(call *c) { gradient(c, 0, 0, 1); }
static void run_sobel(call *c) { reference_gradient_energy(IN(0), IS_FLAT || S(0) != 0, true, OUT(0)); }
static void run_tenengrad(call *c) { reference_gradient_energy(IN(0), IS_FLAT || S(0) != 0, false, OUT(0)); }
static void run_laplace_box(call *c) { reference_laplace(IN(0), REFERENCE_BOX, OUT(0)); }
static void run_laplace_diamond(call *c) { reference_laplace(IN(0), REFERENCE_DIAMOND, OUT(0)); }
static void run_slice_of_largest_projection(call *c) { take_from_largest(c, IN(1)); }
static void run_extended_depth_of_focus_variance_projection(call *c) { focus(c, VARIANCE_MEASURE, S(2)); }
static void run_extended_depth_of_focus_sobel_projection(call *c) { focus(c, SOBEL_MEASURE, S(0)); }
static void run_extended_depth_of_focus_tenengrad_projection(call *c) { focus(c, TENENGRAD_MEASURE, S(0)); }

/* `high` times the largest value of a box, plus `own` times the pixel, plus `low` times the smallest value. */
static void combine_extremes(call *c, double high, double own, double low)
{
    const int64_t *radii = RADII;
    REFERENCE_EACH_PIXEL (OUT(0)->shape, x, y, z) {
        const int64_t i = x < IN(0)->shape.width ? x : IN(0)->shape.width - 1,
                      j = y < IN(0)->shape.height ? y : IN(0)->shape.height - 1,
                      k = z < IN(0)->shape.depth ? z : IN(0)->shape.depth - 1;
        double min = NAN, max = NAN;
        for (int64_t dz = -radii[2]; dz <= radii[2]; dz++)
            for (int64_t dy = -radii[1]; dy <= radii[1]; dy++)
                for (int64_t dx = -radii[0]; dx <= radii[0]; dx++) {
                    min = fmin(min, reference_at(IN(0), i + dx, j + dy, k + dz));
                    max = fmax(max, reference_at(IN(0), i + dx, j + dy, k + dz));
                }
        reference_put(OUT(0), x, y, z,
                      (high == 0 ? 0 : high * max) + (own == 0 ? 0 : own * reference_at(IN(0), i, j, k)) +
                          (low == 0 ? 0 : low * min));
    }
}

static void beucher(call *c)
{
    combine_extremes(c, 1, 0, -1);
}
static void inner(call *c)
{
    combine_extremes(c, 0, 1, -1);
}
static void outer(call *c)
{
    combine_extremes(c, 1, -1, 0);
}
static void grey_laplacian(call *c)
{
    combine_extremes(c, 1, -2, 1);
}

const call_row rows_filter[] = {
    ROW(morphological_gradient, "g", beucher),
    ROW(internal_gradient, "g", inner),
    ROW(external_gradient, "g", outer),
    ROW(morphological_laplacian, "g", grey_laplacian),
    ROW(gaussian_blur, "g", run_gaussian_blur),
    ROW(convolve, "~gb", convolve),
    ROW(difference_of_gaussian, "2g", difference_of_gaussian),
    ROW(subtract_gaussian_background, "2g", run_subtract_gaussian_background),
    ROW(divide_by_gaussian_background, "P", run_divide_by_gaussian_background),
    ROW(minimum_box, "g", run_minimum_box),
    ROW(maximum_box, "g", run_maximum_box),
    ROW(mean_box, "~g", run_mean_box),
    ROW(bilateral, "~g", run_bilateral),
    ROW(mean_box_of_likely, "~%gg", run_mean_box_of_likely),
    ROW(non_local_means, "~%=g", non_local_means),
    ROW(variance_box, "g", run_variance_box),
    ROW(standard_deviation_box, "g", run_standard_deviation_box),
    ROW(median_box, "g", run_median_box),
    ROW(entropy_box, "g", run_entropy_box),
    ROW(minimum_sphere, "g", run_minimum_sphere),
    ROW(maximum_sphere, "g", run_maximum_sphere),
    ROW(mean_sphere, "g", run_mean_sphere),
    ROW(count_nonzero_sphere, "l", run_count_nonzero_sphere),
    ROW(variance_sphere, "g", run_variance_sphere),
    ROW(standard_deviation_sphere, "g", run_standard_deviation_sphere),
    ROW(above_median_sphere, "g", above_median),
    ROW(median_sphere, "g", run_median_sphere),
    ROW(detect_maxima, "g", run_detect_maxima),
    ROW(detect_minima, "g", run_detect_minima),
    ROW(greyscale_opening_box, "g", run_greyscale_opening_box),
    ROW(greyscale_closing_box, "g", run_greyscale_closing_box),
    ROW(greyscale_opening_sphere, "g", run_greyscale_opening_sphere),
    ROW(greyscale_closing_sphere, "g", run_greyscale_closing_sphere),
    ROW(top_hat_box, "g", run_top_hat_box),
    ROW(top_hat_sphere, "g", run_top_hat_sphere),
    ROW(bottom_hat_box, "g", run_bottom_hat_box),
    ROW(bottom_hat_sphere, "g", run_bottom_hat_sphere),
    ROW(minimum_octagon, "=g", run_minimum_octagon),
    ROW(maximum_octagon, "=g", run_maximum_octagon),
    ROW(dilate_box, "b", run_dilate_box),
    ROW(dilate_sphere, "b", run_dilate_sphere),
    ROW(erode_box, "b", run_erode_box),
    ROW(erode_sphere, "b", run_erode_sphere),
    ROW(opening_box, "=b", run_opening_box),
    ROW(opening_diamond, "=b", run_opening_diamond),
    ROW(closing_box, "=b", run_closing_box),
    ROW(closing_diamond, "=b", run_closing_diamond),
    ROW(binary_edge_detection, "b", binary_edges),
    ROW(distance_map, "=b", run_distance_map),
    ROW(only_zero_overwrite_maximum_box, "l", run_only_zero_overwrite_maximum_box),
    ROW(only_zero_overwrite_maximum_diamond, "l", run_only_zero_overwrite_maximum_diamond),
    ROW(gradient_x, "g", run_gradient_x),
    ROW(gradient_y, "g", run_gradient_y),
    ROW(gradient_z, "g", run_gradient_z),
    ROW(sobel, "g", run_sobel),
    ROW(tenengrad, "~g", run_tenengrad),
    ROW(laplace_box, "~g", run_laplace_box),
    ROW(laplace_diamond, "~g", run_laplace_diamond),
    ROW(slice_of_largest_projection, "g", run_slice_of_largest_projection),
    ROW(extended_depth_of_focus_variance_projection, "g", run_extended_depth_of_focus_variance_projection),
    ROW(extended_depth_of_focus_sobel_projection, "g", run_extended_depth_of_focus_sobel_projection),
    ROW(extended_depth_of_focus_tenengrad_projection, "g", run_extended_depth_of_focus_tenengrad_projection),
    {NULL, NULL, NULL, NULL},
};
