/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the bin of grey values on and next to bin edges against exact arithmetic with 384-bit integers. */
#include "harness.h"

#include <float.h>
#include <math.h>

/*
 * Returns the counts of a histogram from `low` to `high` or, if `own_range`, over the image's own range. The caller
 * frees the image.
 */
static reference_image count(drua_context *context, const reference_image *source, int bins, float low, float high,
                             bool own_range)
{
    drua_argument arguments[] = {
        IMAGE(harness_push(context, source)), NEW, NUMBER(bins), NUMBER(low), NUMBER(high), NUMBER(own_range)};
    REQUIRE(drua_invoke(context, "histogram", arguments, 6, NULL));
    reference_image counts = harness_pull(context, arguments[1].image);
    REQUIRE(drua_clear(context));
    return counts;
}

/* With as many bins as there are whole numbers in the range, each bin holds one whole number. */
START_TEST(whole_numbers_have_a_bin_each)
{
    static const drua_type types[] = {DRUA_UINT8, DRUA_INT16, DRUA_UINT16, DRUA_FLOAT32};
    static const int numbers[] = {2, 42, 48, 62, 83, 110, 256, 1000}, first[] = {0, 100, 0, 0};
    const drua_type type = types[_i];
    drua_context *context = harness_open();
    for (int n = 0; n < (type == DRUA_UINT8 ? 7 : 8); n++) {
        const int start = numbers[n] > 150 ? 0 : first[_i];
        reference_image ramp = reference_make(type, (drua_shape){numbers[n], 1, 1, 2});
        for (int x = 0; x < numbers[n]; x++)
            ramp.pixels[x] = start + x;
        for (int own_range = 0; own_range < 2; own_range++) {
            reference_image counts =
                count(context, &ramp, numbers[n], (float)start, (float)(start + numbers[n] - 1), own_range);
            for (int bin = 0; bin < numbers[n]; bin++)
                if (counts.pixels[bin] != 1)
                    ck_abort_msg("%d greys from %d: bin %d has %g", numbers[n], start, bin, counts.pixels[bin]);
            reference_free(&counts);
        }
        reference_free(&ramp);
    }
    drua_close(context);
}
END_TEST

/* Draws a number of any magnitude that a float can hold. */
static float draw_number(harness_random *chance, int min, int max)
{
    const double fraction = harness_below(chance, 4) ? harness_below(chance, 1 << 24) : harness_below(chance, 200);
    return (float)ldexp(harness_below(chance, 2) ? fraction : -fraction, min + harness_below(chance, max - min + 1));
}

typedef struct range {
    float low, high;
} range;

/* Two numbers of similar size, two of very different sizes, or the limits of floats. */
static range draw_range(harness_random *chance)
{
    static const int sizes[][2] = {{-24, 0}, {-40, 20}, {0, 0}, {-149, 104}, {-149, -140}, {100, 104}};
    const int *size = sizes[harness_below(chance, 6)];
    range r;
    do {
        r = (range){draw_number(chance, size[0], size[1]), draw_number(chance, size[0], size[1])};
        if (harness_below(chance, 3) == 0)
            r.low = 0;
    } while (r.low == r.high);
    return r.low < r.high ? r : (range){r.high, r.low};
}

/* Draws pixels on bin edges (rounded to a float), on the floats next to them, and some anywhere between. */
static reference_image draw_pixels(harness_random *chance, range r, int bins)
{
    reference_image image = reference_make(DRUA_FLOAT32, (drua_shape){90, 11, 1, 2});
    for (size_t i = 0; i < reference_count(&image); i++) {
        const double share = bins > 1 && harness_below(chance, 8) ? harness_below(chance, bins) / (bins - 1.0)
                                                                  : harness_below(chance, 1 << 24) * 0x1p-24;
        const float value = (float)(r.low + share * ((double)r.high - r.low));
        const int side = harness_below(chance, 3) - 1;
        image.pixels[i] = side ? nextafterf(value, (float)(side * INFINITY)) : value;
    }
    image.pixels[0] = r.low;
    image.pixels[1] = r.high;
    return image;
}

/* Tests the drawn range and the image's own range, in which values outside the drawn range are counted too. */
START_TEST(bins_are_exact)
{
    enum { RANGES = 100 };
    static const int numbers[] = {1, 2, 3, 62, 100, 256, 256, 256, 1000, 5000, 10000, 70000, 600000};
    drua_context *context = harness_open();
    harness_random chance = {harness_new_seed("histograms")};
    for (int i = 0; i < RANGES; i++) {
        const int bins = i ? numbers[harness_below(&chance, 13)] : 1 << 24;
        const range r = draw_range(&chance);
        reference_image image = draw_pixels(&chance, r, bins),
                        expected = reference_make(DRUA_FLOAT32, (drua_shape){bins, 1, 1, 2});
        for (int own_range = 0; own_range < 2; own_range++) {
            const double low = own_range ? reference_reduce(&image, REFERENCE_MINIMUM) : r.low,
                         high = own_range ? reference_reduce(&image, REFERENCE_MAXIMUM) : r.high;
            if (!isfinite(low) || !isfinite(high))
                continue;
            reference_image counts = count(context, &image, bins, r.low, r.high, own_range);
            reference_histogram(&image, low, high, &expected);
            for (int bin = 0; bin < bins; bin++)
                if (counts.pixels[bin] != expected.pixels[bin])
                    ck_abort_msg("%d bins from %a to %a, own_range %d: bin %d has %g, not %g", bins, low, high,
                                 own_range, bin, counts.pixels[bin], expected.pixels[bin]);
            reference_free(&counts);
        }
        reference_free(&image);
        reference_free(&expected);
    }
    drua_close(context);
}
END_TEST

/*
 * Otsu's threshold separates pixels of 0 from the others. The lowest of the others lie exactly on a bin edge, and the
 * mask must contain them.
 */
START_TEST(masks_hold_the_border)
{
    enum { PIXELS = 91, ZEROS = 50, HIGHEST = 255 };
    drua_context *context = harness_open();
    for (int step = 1; step < 257; step += 17)
        for (int bin = 128; bin < HIGHEST; bin += 9) {
            reference_image image = reference_make(DRUA_UINT16, (drua_shape){PIXELS, 1, 1, 2});
            for (int x = 0; x < PIXELS; x++)
                image.pixels[x] = x < ZEROS ? 0 : step * (x + 1 < PIXELS ? bin : HIGHEST);
            drua_argument arguments[] = {IMAGE(harness_push(context, &image)), NEW, NAME("Otsu")};
            REQUIRE(drua_invoke(context, "automatic_threshold", arguments, 3, NULL));
            reference_image mask = harness_pull(context, arguments[1].image);
            for (int x = 0; x < PIXELS; x++)
                if (mask.pixels[x] != (x >= ZEROS))
                    ck_abort_msg("0, %d and %d: pixel %d is %g", step * bin, step * HIGHEST, x, mask.pixels[x]);
            reference_free(&mask);
            reference_free(&image);
            REQUIRE(drua_clear(context));
        }
    drua_close(context);
}
END_TEST

int main(void)
{
    TCase *bins = tcase_create("bins");
    tcase_add_loop_test(bins, whole_numbers_have_a_bin_each, 0, 4);
    tcase_add_test(bins, bins_are_exact);
    tcase_add_test(bins, masks_hold_the_border);
    Suite *suite = suite_create("histograms");
    suite_add_tcase(suite, bins);
    return harness_run(suite);
}
