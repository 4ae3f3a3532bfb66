/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what registration does with frames and pixels that hold nothing to register, and with failed searches. */
#include "moving_scene.h"

#include <math.h>
#include <string.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_registration_limits");
}

static void close_context(void)
{
    drua_close(context);
}

/* ---- frames with nothing to find */

static void check_identity(const drua_table *table)
{
    for (size_t i = 0; i < table->rows; i++) {
        static const double identity[] = {1, 0, 0, 0, 1, 0};
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq_tol(table->cells[i * MOVED_COLUMNS + MOVED_XX + (size_t)k], identity[k], 1e-6);
    }
}

/* A single frame, a single pixel, frames of one value, and equal frames do not move. */
START_TEST(nothing_to_find)
{
    static const char *const modes[] = {"translation", "rigid_body", "scaled_rotation", "affine"};
    static const char *const references[] = {"previous", "first", "mean"};
    static const struct {
        int width, height, depth, kind;
    } cases[] = {{40, 30, 1, 2}, {1, 1, 4, 2}, {1, 50, 3, 0}, {40, 30, 4, 0}, {40, 30, 4, 1}, {30, 41, 3, 3}};
    for (int k = 0; k < 12; k++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            reference_image movie =
                reference_make(DRUA_UINT16, reference_stack(cases[c].width, cases[c].height, cases[c].depth));
            const size_t plane = reference_count(&movie) / (size_t)cases[c].depth;
            for (size_t i = 0; i < reference_count(&movie); i++)
                movie.pixels[i] = cases[c].kind < 2 ? 60000 * cases[c].kind
                                  : i < plane       ? harness_below(&chance, 1000)
                                                    : movie.pixels[i - plane];
            drua_table *table =
                moving_estimate(context, harness_push(context, &movie), modes[k % 4], references[k / 4], NULL);
            ck_assert_uint_eq(table->rows, (size_t)cases[c].depth);
            check_identity(table);
            if (cases[c].kind < 2)
                ck_assert_double_nan(table->cells[MOVED_CORRELATION]);
            drua_table_free(table);
            reference_free(&movie);
        }
}
END_TEST

static reference_image drifting(int64_t count, double x, double y)
{
    moving_frame frames[8];
    for (int64_t i = 0; i < count; i++)
        frames[i] = moving_by(80, 70, 0, 1, 0, x * (double)i, y * (double)i);
    return moving_movie(&chance, frames, count, 80, 70, 0);
}

/* Fails unless each frame but `empty` has moved by its number times x, y. Frees the table. */
static void check_drift(drua_table *table, double x, double y, int empty, double max)
{
    const double *first = table->cells + (empty == 0 ? MOVED_COLUMNS : 0);
    for (int i = 0; i < (int)table->rows; i++) {
        const double *row = table->cells + (size_t)i * MOVED_COLUMNS;
        const int steps = i - (empty == 0 && i > 0);
        if (i == empty) {
            ck_assert_double_nan(row[MOVED_CORRELATION]);
            continue;
        }
        ck_assert_double_eq_tol(row[MOVED_XX + 2] - first[MOVED_XX + 2], x * steps, max);
        ck_assert_double_eq_tol(row[MOVED_XX + 5] - first[MOVED_XX + 5], y * steps, max);
    }
    drua_table_free(table);
}

/*
 * An empty frame moves as the frame before it. No other frame is compared with an empty frame, and the mean omits it.
 * The Log names the frame.
 */
START_TEST(empty_frames_change_no_other_frame)
{
    static const char *const modes[] = {"translation", "rigid_body", "affine"};
    static const char *const references[] = {"previous", "first", "mean"};
    const int empty = _i % 2 ? 0 : 3;
    for (int k = 0; k < 9; k++) {
        const char *reference = references[k / 3];
        const double step = k / 3 == 2 ? 0.3 : 1.1;
        reference_image movie = drifting(6, step, -step / 2);
        for (int64_t i = 0; i < 5600; i++)
            movie.pixels[empty * 5600 + i] = _i / 2 * 700;
        drua_table *table = moving_estimate(context, harness_push(context, &movie), modes[k % 3], reference, NULL);
        ck_assert_ptr_nonnull(
            strstr(drua_take_messages(context), empty ? "no texture in frame 4" : "no texture in frame 1"));
        if (empty == 3)
            ck_assert_double_eq(table->cells[3 * MOVED_COLUMNS + MOVED_XX + 2],
                                table->cells[2 * MOVED_COLUMNS + MOVED_XX + 2]);
        check_drift(table, step, -step / 2, empty, k / 3 == 2 ? 0.5 : 0.05);
        reference_free(&movie);
    }
}
END_TEST

/* Grey values of any size give the same transforms. */
START_TEST(the_unit_of_grey_values_does_not_matter)
{
    static const double units[] = {1e30, 1e-30};
    reference_image movie = drifting(4, 1.1, 0.7), floats = reference_make(DRUA_FLOAT32, movie.shape);
    for (size_t i = 0; i < reference_count(&movie); i++)
        floats.pixels[i] = movie.pixels[i] * units[_i];
    check_drift(moving_estimate(context, harness_push(context, &floats), "affine", "previous", NULL), 1.1, 0.7, -1,
                0.1);
    reference_free(&floats);
    reference_free(&movie);
}
END_TEST

START_TEST(pixels_that_are_not_numbers_are_refused)
{
    reference_image movie = drifting(4, 1, 0), floats = reference_make(DRUA_FLOAT32, movie.shape);
    memcpy(floats.pixels, movie.pixels, reference_count(&movie) * sizeof *movie.pixels);
    floats.pixels[2 * 5600 + 77] = NAN;
    const char *const references[] = {"previous", "mean"};
    for (int k = 0; k < 2; k++)
        REFUSED(DRUA_E_ARGUMENT,
                INVOKE(context, "register_stack", IMAGE(harness_push(context, &floats)), NEW, NAME("affine"),
                       NAME(references[k])),
                "frame 3", "NaN or infinite", "undefinedToZero");
    floats.pixels[0] = INFINITY;
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "estimate_registration", IMAGE(harness_push(context, &floats)), NEW),
            "frame 1", "NaN or infinite");
    reference_free(&floats);
    reference_free(&movie);
}
END_TEST

/* A search that ends with an impossible transform leaves the frame where it is; the Log names it and weak matches. */
START_TEST(failed_searches_are_named)
{
    reference_image movie = reference_make(DRUA_FLOAT32, reference_stack(70, 60, 2));
    for (int i = 0; i < 49; i++) { /* an object that is nowhere near its place in the other frame */
        reference_put(&movie, 5 + i % 7, 5 + i / 7, 0, 100);
        reference_put(&movie, 55 + i % 7, 45 + i / 7, 1, 100);
    }
    drua_image image = harness_push(context, &movie);
    drua_table *table = moving_estimate(context, image, "affine", "previous", NULL);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "impossible transform for frame 2"));
    check_identity(table);
    drua_table_free(table);
    table = moving_estimate(context, image, "translation", "previous", NULL);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "less than 0.3 for frame 2"));
    drua_table_free(table);
    reference_free(&movie);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "register_stack", IMAGE(image), NEW, NAME("bilinear"), NAME("previous")),
            "bilinear", "first or mean");
}
END_TEST

/* ---- pixels that do not count */

/*
 * After a deskew, borders of zeros stay in place while the scene moves. If they count, the transforms are wrong, in
 * bilinear mode also by too much drift.
 */
START_TEST(empty_borders_do_not_count)
{
    static const char *const modes[] = {"translation", "rigid_body", "scaled_rotation", "affine", "bilinear"};
    const bool previous = _i < 4;
    reference_image movie = drifting(5, 1.3, -0.9);
    REFERENCE_EACH_PIXEL (movie.shape, x, y, z)
        if (x < 11 || x >= 74 || y < 9 || y >= 64)
            reference_put(&movie, x, y, z, 0);
    drua_image image = harness_push(context, &movie);
    drua_table *table = NULL,
               *fooled = moving_estimate(context, image, modes[_i], previous ? "previous" : "first", NULL);
    ck_assert_double_gt(fabs(fooled->cells[MOVED_COLUMNS + MOVED_XX + 2] - 1.3), 0.05);
    drua_argument arguments[] = {IMAGE(image), NEW, NAME(modes[_i]), NAME(previous ? "previous" : "first"),
                                 NAME("zero")};
    REQUIRE(drua_invoke(context, "estimate_registration", arguments, 5, &table));
    for (int i = 0; i < 5; i++) {
        const moving_frame truth = moving_by(80, 70, 0, 1, 0, 1.3 * i, -0.9 * i);
        ck_assert_double_lt(moving_error(&truth, table->cells + (size_t)i * MOVED_COLUMNS, 80, 70),
                            previous ? 0.15 : 1);
    }
    drua_table_free(table);
    drua_table_free(fooled);
    reference_free(&movie);
}
END_TEST

/* Half of the movie stands still and is brighter; the mask selects the other half, once for all or for each frame. */
START_TEST(masks_select_what_moves)
{
    reference_image movie = drifting(4, 1.3, -0.9), mask = reference_make(DRUA_UINT8, reference_stack(80, 70, 4)),
                    plane = reference_make(DRUA_UINT8, reference_plane(80, 70));
    REFERENCE_EACH_PIXEL (movie.shape, x, y, z) {
        if (x < 32)
            reference_put(&movie, x, y, z, 3 * reference_at(&movie, x, y, 0));
        reference_put(&mask, x, y, z, x > 36 ? 255 : 0);
        reference_put(&plane, x, y, 0, x > 36 ? 1 : 0);
    }
    drua_image image = harness_push(context, &movie);
    for (int k = 0; k < 2; k++) {
        drua_table *table;
        drua_argument arguments[] = {IMAGE(image), IMAGE(harness_push(context, k ? &mask : &plane)), NEW,
                                     NAME("translation"), NAME("first")};
        REQUIRE(drua_invoke(context, "estimate_registration_masked", arguments, 5, &table));
        check_drift(table, 1.3, -0.9, -1, 0.05);
    }
    reference_image narrow = reference_make(DRUA_UINT8, reference_stack(79, 70, 4));
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "estimate_registration_masked", IMAGE(image), IMAGE(harness_push(context, &narrow)), NEW),
            "mask has 79 x 70 x 4", "source 80 x 70 x 4");
    reference_free(&narrow);
    reference_free(&plane);
    reference_free(&mask);
    reference_free(&movie);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("registration_limits");
    TCase *tests = tcase_create("registration_limits");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, nothing_to_find);
    tcase_add_loop_test(tests, empty_frames_change_no_other_frame, 0, 4);
    tcase_add_loop_test(tests, the_unit_of_grey_values_does_not_matter, 0, 2);
    tcase_add_test(tests, pixels_that_are_not_numbers_are_refused);
    tcase_add_test(tests, failed_searches_are_named);
    tcase_add_loop_test(tests, empty_borders_do_not_count, 0, 5);
    tcase_add_test(tests, masks_select_what_moves);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
