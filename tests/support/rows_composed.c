/* SPDX-License-Identifier: BSD-3-Clause */
/* Local thresholds, filters made of filters and other operations that build on several. */
#include "rows.h"

/* ---- local thresholds */

typedef struct around {
    double low, high, mean, median, deviation;
} around;

static reference_image disk(call *c, reference_window_statistic statistic)
{
    const int64_t r = N(0);
    reference_image result = row_like(IN(0), DRUA_FLOAT32);
    reference_window(IN(0), statistic, true, (const int64_t[]){r, r, IS_FLAT ? 0 : r}, &result);
    return result;
}

typedef bool (*marks_rule)(const call *c, double value, around a);

static bool above_mean(const call *c, double v, around a) { return v > (float)(a.mean - (float)S(1)); }
static bool above_median(const call *c, double v, around a) { return v > (float)(a.median - (float)S(1)); }
static bool above_middle(const call *c, double v, around a) { return v > (float)((a.low + a.high) / 2 - (float)S(1)); }
static bool near_high(const call *c, double v, around a) { return (void)c, v != 0 && a.high - v <= v - a.low; }
static bool niblack(const call *c, double v, around a) { return v > a.mean + S(1) * sqrt(fmax(a.deviation * a.deviation - S(2), 0)); }
static bool sauvola(const call *c, double v, around a) { return v > a.mean * (1 + S(1) * (a.deviation / S(2) - 1)); }

static bool bernsen(const call *c, double v, around a)
{
    const double middle = (a.low + a.high) / 2;
    return a.high - a.low < S(1) ? middle >= 128 : v >= middle;
}

static bool phansalkar(const call *c, double v, around a)
{
    const double mean = a.mean / 255;
    return v / 255 > mean * (1 + 2 * exp(-10 * mean) + S(1) * (a.deviation / 255 / S(2) - 1));
}

static void local_threshold(call *c, marks_rule marks)
{
    static const reference_window_statistic statistics[] = {REFERENCE_WINDOW_MINIMUM, REFERENCE_WINDOW_MAXIMUM, REFERENCE_WINDOW_MEAN,
                                                            REFERENCE_WINDOW_MEDIAN, REFERENCE_WINDOW_DEVIATION};
    reference_image of[5];
    for (int i = 0; i < 5; i++)
        of[i] = disk(c, statistics[i]);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        around a = {reference_at(&of[0], x, y, z), reference_at(&of[1], x, y, z), reference_at(&of[2], x, y, z), reference_at(&of[3], x, y, z),
                    reference_at(&of[4], x, y, z)};
        reference_put(OUT(0), x, y, z, marks(c, reference_at(IN(0), x, y, z), a));
    }
    for (int i = 0; i < 5; i++)
        reference_free(&of[i]);
}

/* ---- filters of filters */

static reference_image blurred(const reference_image *source, drua_type type, double x, double y, double z)
{
    reference_image blur = row_like(source, type);
    reference_gaussian_blur(source, x, y, z, &blur);
    return blur;
}

static void laplacian_of_gaussian(call *c)
{
    reference_image blur = blurred(IN(0), DRUA_FLOAT32, S(0), S(1), S(2));
    reference_laplace(&blur, REFERENCE_BOX, OUT(0));
    reference_free(&blur);
}

static void unsharp_mask(call *c)
{
    reference_image blur = blurred(IN(0), DRUA_FLOAT32, S(0), S(1), S(2));
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double value = reference_at(IN(0), x, y, z);
        reference_put(OUT(0), x, y, z, value + S(3) * (value - reference_at(&blur, x, y, z)));
    }
    reference_free(&blur);
}

static void difference_in_place(call *c)
{
    reference_image one = blurred(IN(0), IN(0)->type, S(0), S(1), S(2)), two = blurred(IN(0), IN(0)->type, S(3), S(4), S(5));
    reference_pointwise("subtract_images", (const reference_image *[]){&one, &two}, NULL, OUT(0));
    reference_free(&one);
    reference_free(&two);
}

static void threshold_dog(call *c)
{
    reference_image one = blurred(IN(0), DRUA_FLOAT32, S(0), S(0), S(0)), two = blurred(IN(0), DRUA_FLOAT32, S(1), S(1), S(1));
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double difference = reference_at(&one, x, y, z) - reference_at(&two, x, y, z);
        reference_put(OUT(0), x, y, z, (difference > S(2)) == (S(3) != 0));
    }
    reference_free(&one);
    reference_free(&two);
}

static void local_extrema(call *c)
{
    reference_image low = row_like(IN(0), IN(0)->type), high = row_like(IN(0), IN(0)->type);
    reference_box(IN(0), REFERENCE_MINIMUM, N(0), N(1), N(2), &low);
    reference_box(IN(0), REFERENCE_MAXIMUM, N(0), N(1), N(2), &high);
    REFERENCE_EACH_PIXEL(OUT(0)->shape, x, y, z) {
        const double a = reference_at(&low, x, y, z), b = reference_at(&high, x, y, z);
        reference_put(OUT(0), x, y, z, fabs(a) > fabs(b) ? a : b);
    }
    reference_free(&low);
    reference_free(&high);
}

static void octagon(reference_image *now, reference_window_statistic statistic, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) {
        reference_image before = reference_duplicate(now);
        reference_window(&before, statistic, i % 2 == 1, (const int64_t[]){1, 1, now->shape.dimension == 3}, now);
        reference_free(&before);
    }
}

static void top_hat_octagon(call *c)
{
    reference_image open = row_float(IN(0)), source = row_float(IN(0));
    octagon(&open, REFERENCE_WINDOW_MINIMUM, N(0));
    octagon(&open, REFERENCE_WINDOW_MAXIMUM, N(0));
    reference_pointwise("subtract_images", (const reference_image *[]){&source, &open}, NULL, OUT(0));
    reference_free(&open);
    reference_free(&source);
}

#define ROWS(X)                                                                                                                  \
    X(local_threshold_bernsen, "=g", local_threshold(c, bernsen))                                                                \
    X(local_threshold_contrast, "=g", local_threshold(c, near_high))                                                             \
    X(local_threshold_mean, "=g", local_threshold(c, above_mean))                                                                \
    X(local_threshold_median, "=g", local_threshold(c, above_median))                                                            \
    X(local_threshold_mid_grey, "=g", local_threshold(c, above_middle))                                                          \
    X(local_threshold_niblack, "=g", local_threshold(c, niblack))                                                                \
    X(local_threshold_phansalkar, "=g", local_threshold(c, phansalkar))                                                          \
    X(local_threshold_sauvola, "=g", local_threshold(c, sauvola))                                                                \
    X(laplacian_of_gaussian, "=g", laplacian_of_gaussian(c))                                                                     \
    X(unsharp_mask, "=g", unsharp_mask(c))                                                                                       \
    X(gaussian_blur_in_place, "g", reference_gaussian_blur(IN(0), S(0), S(1), S(2), OUT(0)))                                     \
    X(difference_of_gaussian_in_place, "2g", difference_in_place(c))                                                             \
    X(threshold_difference_of_gaussian, "=g", threshold_dog(c))                                                                  \
    X(local_extrema_box, "=g", local_extrema(c))                                                                                 \
    X(top_hat_octagon, "=g", top_hat_octagon(c))

DEFINE_ROWS(composed)
