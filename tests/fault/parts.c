/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that operations that divide their work into parts give the same results with and without a budget, and never
 * exceed the budget of device memory.
 */
#include "limited.h"

#include <stdlib.h>
#include <string.h>

/* ---- convolutions through Fourier transforms: a kernel that fits, with each treatment of the edges */

/* Fails unless the result in parts equals the whole, and frees both. */
static void expect_alike(reference_image both[2], double max, const char *about)
{
    char message[256];
    ck_assert_msg(reference_agrees(&both[0], &both[1], max, false, message, sizeof message), "%s: %s", about, message);
    reference_free(&both[0]);
    reference_free(&both[1]);
}

static reference_image convolve_in_parts(drua_context *context, const reference_image *image,
                                         const reference_image *kernel, bool correlate, const char *edges)
{
    int output = 2;
    drua_image result;
    STEP(result, "convolve_fft", IMAGE(harness_push(context, image)), IMAGE(harness_push(context, kernel)), NEW,
         NUMBER(correlate), NUMBER(1), NAME(edges));
    reference_image pixels = harness_pull(context, result);
    REQUIRE(drua_clear(context));
    return pixels;
}

START_TEST(convolutions_in_parts)
{
    static const char *const edges[] = {"zero", "repeat", "mirror", "periodic"};
    static const drua_shape images[] = {{96, 80, 70, 3}, {60, 1100, 7, 3}, {900, 800, 1, 2}},
                            kernels[] = {{9, 8, 5, 3}, {3, 40, 3, 3}, {31, 24, 1, 2}};
    harness_random chance = {5};
    loader_find();
    drua_context *whole = harness_open(), *limited = limited_open("3MB");
    for (int i = 0; i < 3; i++)
        for (int e = 0; e < 4; e++) {
            reference_image image =
                harness_image(&chance, e % 2 ? DRUA_UINT16 : DRUA_FLOAT32, images[i], HARNESS_POSITIVE);
            reference_image kernel = harness_image(&chance, DRUA_FLOAT32, kernels[i], HARNESS_POSITIVE);
            reference_image expected = convolve_in_parts(whole, &image, &kernel, e > 1, edges[e]);
            const uint64_t others = (uint64_t)loader.live_bytes() - limited_statistics(limited).device_bytes,
                           slabs = limited_statistics(limited).tiles;
            loader.forget_peak();
            reference_image got = convolve_in_parts(limited, &image, &kernel, e > 1, edges[e]);
            char message[256];
            ck_assert_msg(
                reference_agrees(&expected, &got, 1e-6 * limited_largest(&expected), false, message, sizeof message),
                "%s, case %d: %s", edges[e], i, message);
            ck_assert_uint_gt(limited_statistics(limited).tiles, slabs + 1);
            loader_expect_peak(3 << 20, others);
            reference_free(&image);
            reference_free(&kernel);
            reference_free(&expected);
            reference_free(&got);
        }
    drua_close(whole);
    drua_close(limited);
}
END_TEST

/* The template is found where it was cut out. */
START_TEST(templates_in_parts)
{
    static const drua_shape images[] = {{96, 80, 40, 3}, {900, 800, 1, 2}};
    static const int at[][3] = {{50, 33, 31}, {700, 601, 0}}, extents[][3] = {{9, 8, 6}, {30, 21, 1}};
    harness_random chance = {7};
    loader_find();
    drua_context *contexts[2] = {harness_open(), limited_open("3MB")};
    for (int i = 0; i < 2; i++) {
        reference_image image = harness_image(&chance, DRUA_FLOAT32, images[i], HARNESS_GREY), scores[2];
        const uint64_t slabs = limited_statistics(contexts[1]).tiles;
        double best[2] = {0};
        for (int k = 0; k < 2; k++) {
            drua_context *context = contexts[k];
            drua_image source = harness_push(context, &image), piece;
            int output = 1;
            STEP(piece, "crop", IMAGE(source), NEW, NUMBER(at[i][0]), NUMBER(at[i][1]), NUMBER(at[i][2]),
                 NUMBER(extents[i][0]), NUMBER(extents[i][1]), NUMBER(extents[i][2]));
            drua_argument match[] = {IMAGE(source), IMAGE(piece), NEW, NEW, NEW, NEW, NEW};
            REQUIRE(drua_invoke(context, "match_template", match, 7, NULL));
            for (int axis = 0; axis < 3; axis++)
                ck_assert_double_eq(match[3 + axis].number, at[i][axis] + extents[i][axis] / 2);
            best[k] = match[6].number;
            scores[k] = harness_pull(context, match[2].image);
            REQUIRE(drua_clear(context));
        }
        ck_assert_double_eq_tol(best[0], best[1], 1e-4);
        expect_alike(scores, 1e-4, "match_template");
        ck_assert_uint_gt(limited_statistics(contexts[1]).tiles, slabs + 1);
        reference_free(&image);
    }
    drua_close(contexts[0]);
    drua_close(contexts[1]);
}
END_TEST

/* ---- generated images */

static reference_image make_image(drua_context *context, const char *name, drua_argument *arguments, size_t count)
{
    REQUIRE(drua_invoke(context, name, arguments, count, NULL));
    reference_image image = harness_pull(context, arguments[0].image);
    REQUIRE(drua_clear(context));
    return image;
}

START_TEST(made_in_parts)
{
    static const struct {
        const char *name;
        drua_argument arguments[14];
        size_t count;
    } calls[] = {
        {"phantom", {NEW, NAME("bars"), NUMBER(50), NUMBER(40), NUMBER(301)}, 5},
        {"phantom",
         {NEW, NAME("beads"), NUMBER(50), NUMBER(40), NUMBER(301), NUMBER(100), NUMBER(3), NUMBER(11), NUMBER(5)},
         9},
        {"phantom", {NEW, NAME("beads"), NUMBER(700), NUMBER(801), NUMBER(1), NUMBER(100), NUMBER(3), NUMBER(11)}, 8},
        {"gaussian_psf", {NEW, NUMBER(61), NUMBER(63), NUMBER(151), NUMBER(3), NUMBER(2), NUMBER(9)}, 7},
        {"microscope_psf", {NEW, NUMBER(91), NUMBER(91), NUMBER(75), NAME("two_photon")}, 5},
        {"blinking_emitters", {NEW, NEW, NUMBER(40), NUMBER(36), NUMBER(999), NUMBER(60)}, 6}};
    loader_find();
    drua_context *contexts[2] = {harness_open(), limited_open("2MB")};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const uint64_t slabs = limited_statistics(contexts[1]).tiles;
        reference_image images[2];
        for (int k = 0; k < 2; k++) {
            drua_argument arguments[14];
            memcpy(arguments, calls[i].arguments, sizeof arguments);
            images[k] = make_image(contexts[k], calls[i].name, arguments, calls[i].count);
        }
        expect_alike(images, 0, calls[i].name);
        ck_assert_msg(limited_statistics(contexts[1]).tiles > slabs + 1, "%s was made at once", calls[i].name);
    }
    drua_close(contexts[0]);
    drua_close(contexts[1]);
}
END_TEST

static reference_image count_sides(drua_context *context, const reference_image *labels)
{
    int output = 1;
    drua_image result;
    STEP(result, "generate_touch_count_matrix", IMAGE(harness_push(context, labels)), NEW);
    reference_image counts = harness_pull(context, result);
    REQUIRE(drua_clear(context));
    return counts;
}

/*
 * If there are two slices (or rows), each is the other's neighbour, so both parts read the whole image. No pixel may
 * count twice.
 */
START_TEST(parts_that_read_everything)
{
    static const drua_shape shapes[] = {{640, 640, 2, 3}, {409600, 2, 1, 2}};
    harness_random chance = {9};
    loader_find();
    drua_context *contexts[2] = {harness_open(), limited_open("1MB")};
    for (int i = 0; i < 2; i++) {
        const uint64_t slabs = limited_statistics(contexts[1]).tiles;
        reference_image labels = harness_image(&chance, DRUA_UINT8, shapes[i], HARNESS_LABELS), counts[2];
        for (int k = 0; k < 2; k++)
            counts[k] = count_sides(contexts[k], &labels);
        ck_assert_msg(limited_statistics(contexts[1]).tiles > slabs + 1, "shape %d was read at once", i);
        expect_alike(counts, 0, i ? "rows" : "slices");
        reference_free(&labels);
    }
    drua_close(contexts[0]);
    drua_close(contexts[1]);
}
END_TEST

/*
 * Every part reads pixels that an earlier part has changed, around its own pixels or everywhere. It must see the values
 * from before the call.
 */
START_TEST(parts_that_read_what_they_change)
{
    static const struct {
        const char *name;
        drua_shape shape;
        drua_type type;
    } calls[] = {{"nonzero_minimum_box", {40, 36, 400, 3}, DRUA_FLOAT32},
                 {"nonzero_maximum_diamond", {900, 801, 1, 2}, DRUA_FLOAT32},
                 {"write_values_to_positions", {900, 668, 1, 2}, DRUA_UINT16}};
    harness_random chance = {13};
    loader_find();
    drua_context *contexts[2] = {harness_open(), limited_open("2MB")};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const uint64_t slabs = limited_statistics(contexts[1]).tiles;
        reference_image before = harness_image(&chance, calls[i].type, calls[i].shape, HARNESS_LABELS), after[2];
        for (int k = 0; k < 2; k++) {
            const drua_image image = harness_push(contexts[k], &before);
            REQUIRE(INVOKE(contexts[k], calls[i].name, IMAGE(image), IMAGE(image)));
            after[k] = harness_pull(contexts[k], image);
            REQUIRE(drua_clear(contexts[k]));
        }
        ck_assert_msg(limited_statistics(contexts[1]).tiles > slabs + 1, "%s changed the image at once", calls[i].name);
        expect_alike(after, 0, calls[i].name);
        reference_free(&before);
    }
    drua_close(contexts[0]);
    drua_close(contexts[1]);
}
END_TEST

/* An existing destination may be larger than the result; some of its parts lie beyond the source. */
START_TEST(parts_behind_the_source)
{
    static const struct {
        const char *name;
        drua_shape from, to;
        drua_argument arguments[8];
        size_t count;
    } calls[] = {{"bin_mean", {203, 147, 17, 3}, {209, 152, 19, 3}, {[2] = NUMBER(2), NUMBER(2), NUMBER(2)}, 5},
                 {"bin_mode", {203, 147, 17, 3}, {209, 152, 19, 3}, {[2] = NUMBER(2), NUMBER(2), NUMBER(2)}, 5},
                 {"light_field_views", {900, 800, 1, 2}, {150, 160, 90, 3}, {[2] = NUMBER(9), NUMBER(8)}, 4},
                 {"reslice_radial_around_center", {100, 90, 60, 3}, {80, 150, 60, 3}, {[2] = NUMBER(60), NUMBER(1)}, 4},
                 {"cylinder_transform",
                  {100, 60, 90, 3},
                  {60, 150, 80, 3},
                  {[2] = NUMBER(60), NUMBER(1), NUMBER(0.5), NUMBER(0.5)},
                  6},
                 {"downsample_slice_by_slice_half_median", {300, 300, 8, 3}, {310, 330, 12, 3}, {{0}}, 2},
                 {"downsample", {203, 147, 17, 3}, {209, 152, 19, 3}, {[2] = NUMBER(0.5), NUMBER(0.5), NUMBER(0.5)}, 5},
                 {"stack_to_tiles", {60, 50, 200, 3}, {1000, 900, 1, 2}, {[2] = NUMBER(12), NUMBER(12)}, 4},
                 {"rotate_clockwise", {203, 147, 17, 3}, {209, 252, 19, 3}, {{0}}, 2},
                 {"flip", {203, 147, 17, 3}, {209, 152, 19, 3}, {[2] = NUMBER(1), NUMBER(1), NUMBER(1)}, 5}};
    harness_random chance = {17};
    loader_find();
    drua_context *contexts[2] = {harness_open(), limited_open("1MB")};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const uint64_t slabs = limited_statistics(contexts[1]).tiles;
        reference_image source = harness_image(&chance, DRUA_FLOAT32, calls[i].from, HARNESS_POSITIVE), made[2];
        for (int k = 0; k < 2; k++) {
            drua_argument arguments[8];
            drua_image to;
            REQUIRE(drua_create(contexts[k], calls[i].to, DRUA_INT16, &to));
            memcpy(arguments, calls[i].arguments, sizeof arguments);
            arguments[0] = IMAGE(harness_push(contexts[k], &source));
            arguments[1] = IMAGE(to);
            REQUIRE(drua_invoke(contexts[k], calls[i].name, arguments, calls[i].count, NULL));
            made[k] = harness_pull(contexts[k], to);
            REQUIRE(drua_clear(contexts[k]));
        }
        ck_assert_msg(limited_statistics(contexts[1]).tiles > slabs + 1, "%s was made at once", calls[i].name);
        expect_alike(made, 0, calls[i].name);
        reference_free(&source);
    }
    drua_close(contexts[0]);
    drua_close(contexts[1]);
}
END_TEST

/* The sequence of numbers continues from part to part. A call may be refused if a single slice does not fit. */
START_TEST(random_in_parts)
{
    enum { SHAPES = 4, TOO_WIDE = 3 };
    static const drua_shape shapes[] = {{700, 1501, 1, 2}, {60, 70, 301, 3}, {500, 401, 7, 3}, {800, 900, 2, 3}};
    loader_find();
    drua_context *context = limited_open("2MB");
    for (int i = 0; i < SHAPES; i++) {
        const uint64_t slabs = limited_statistics(context).tiles;
        drua_image image;
        char message[256];
        REQUIRE(drua_create(context, shapes[i], i == 1 ? DRUA_UINT16 : DRUA_FLOAT32, &image));
        const drua_status status = INVOKE(context, "set_random", IMAGE(image), NUMBER(-5), NUMBER(3000), NUMBER(8 + i));
        if (i == TOO_WIDE && status != DRUA_OK)
            continue;
        ck_assert_msg(status == DRUA_OK, "shape %d: %s", i, drua_error_message());
        reference_image got = harness_pull(context, image), expected = reference_make(got.type, shapes[i]);
        reference_random(-5, 3000, 8 + i, &expected);
        ck_assert_msg(reference_agrees(&expected, &got, 0, false, message, sizeof message), "shape %d: %s", i, message);
        ck_assert_msg(limited_statistics(context).tiles > slabs + 1, "shape %d was filled at once", i);
        reference_free(&got);
        reference_free(&expected);
        REQUIRE(drua_clear(context));
    }
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parts");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 900);
    harness_add(tests, convolutions_in_parts, 1);
    harness_add(tests, templates_in_parts, 1);
    harness_add(tests, made_in_parts, 1);
    harness_add(tests, parts_that_read_everything, 1);
    harness_add(tests, parts_that_read_what_they_change, 1);
    harness_add(tests, parts_behind_the_source, 1);
    harness_add(tests, random_in_parts, 1);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
