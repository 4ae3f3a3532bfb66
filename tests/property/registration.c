/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests registration: movies with known transforms, results that StackReg and its Python version made (../shared), and
 * the mapping of each kind of transform against a spline that is solved directly.
 */
#include "moving_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_registration");
}

static void close_context(void)
{
    drua_close(context);
}

/* ---- results of others */

#define FOREIGN TEST_DATA "/../../../shared/foreign/pystackreg/pc12-"

static bool is_present(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file;
}

static drua_image read_file(const char *path)
{
    drua_argument arguments[] = {NAME(path), NEW};
    REQUIRE(drua_invoke(context, "read", arguments, 2, NULL));
    return arguments[1].image;
}

/* Drua's registration of StackReg's movie differs from that of StackReg by at most one of up to 22,936 grey levels. */
START_TEST(results_are_those_of_stackreg)
{
    static const char *const modes[][2] = {{"translation", "translation"},
                                           {"rigid_body", "rigid-body"},
                                           {"scaled_rotation", "scaled-rotation"},
                                           {"affine", "affine"},
                                           {"bilinear", "bilinear"}};
    char path[400];
    snprintf(path, sizeof path, "%sreg-%s.tif", FOREIGN, modes[_i][1]);
    if (!is_present(path)) {
        harness_skip("there is no %s", path);
        return;
    }
    drua_argument arguments[] = {IMAGE(read_file(FOREIGN "unreg.tif")), NEW, NAME(modes[_i][0]),
                                 NAME(_i < 4 ? "previous" : "first")};
    REQUIRE(drua_invoke(context, "register_stack", arguments, 4, NULL));
    reference_image mine = harness_pull(context, arguments[1].image), theirs = harness_pull(context, read_file(path));
    ck_assert_uint_eq(reference_count(&mine), reference_count(&theirs));
    double max = 0;
    size_t apart = 0;
    for (size_t i = 0; i < reference_count(&mine); i++) {
        const double difference = fabs(mine.pixels[i] - theirs.pixels[i]);
        max = fmax(max, difference);
        apart += difference > 1;
    }
    printf("%s: differs from StackReg by at most %g grey levels; more than one: %zu pixels\n", modes[_i][0], max,
           apart);
    ck_assert_double_le(max, 1);
    reference_free(&mine);
    reference_free(&theirs);
}
END_TEST

/* ---- movies with a known transform */

/*
 * Frames drift further and further from the first. If each frame is compared with the previous one, the errors of
 * earlier frames add up.
 */
START_TEST(a_known_transform_is_found)
{
    enum { FRAMES = 6, WIDTH = 120, HEIGHT = 100 };
    static const struct {
        const char *mode, *reference;
        double turn, scale, shear, twist, max;
    } cases[] = {{"translation", "previous", 0, 0, 0, 0, 0.02},
                 {"translation", "first", 0, 0, 0, 0, 0.02},
                 {"translation", "mean", 0, 0, 0, 0, 0.2},
                 {"rigid_body", "previous", 0.01, 0, 0, 0, 0.03},
                 {"rigid_body", "first", 0.01, 0, 0, 0, 0.03},
                 {"scaled_rotation", "previous", 0.01, 0.005, 0, 0, 0.05},
                 {"scaled_rotation", "first", 0.01, 0.005, 0, 0, 0.05},
                 {"affine", "previous", 0.01, 0.005, 0.01, 0, 0.06},
                 {"affine", "first", 0.01, 0.005, 0.01, 0, 0.06},
                 {"bilinear", "first", 0.01, 0.005, 0.01, 1e-4, 0.1}};
    const bool to_mean = !strcmp(cases[_i].reference, "mean");
    moving_frame frames[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = moving_by(WIDTH, HEIGHT, cases[_i].turn * i, 1 + cases[_i].scale * i, cases[_i].shear * i,
                              to_mean ? 0.4 * (i - 2.5) : 1.3 * i, to_mean ? -0.3 * (i - 2.5) : -0.9 * i);
        frames[i].twist_x = cases[_i].twist * i;
        frames[i].twist_y = -cases[_i].twist * i;
    }
    reference_image movie = moving_movie(&chance, frames, FRAMES, WIDTH, HEIGHT, 5);
    drua_table *table =
        moving_estimate(context, harness_push(context, &movie), cases[_i].mode, cases[_i].reference, NULL);
    double max = 0;
    for (int i = 0; i < FRAMES; i++) {
        const double *row = table->cells + (size_t)i * MOVED_COLUMNS;
        max = fmax(max, moving_error(&frames[i], row, WIDTH, HEIGHT));
        ck_assert_double_eq(row[0], i + 1);
        ck_assert_double_gt(row[MOVED_CORRELATION], to_mean ? 0.98 : 0.999);
        ck_assert_double_lt(row[MOVED_RESIDUAL], to_mean ? 60 : 15);
        ck_assert_double_gt(row[MOVED_OVERLAP], 0.85);
    }
    printf("%s to the %s: %.4f pixels from the truth\n", cases[_i].mode, cases[_i].reference, max);
    ck_assert_double_lt(max, cases[_i].max);
    drua_table_free(table);
    reference_free(&movie);
}
END_TEST

/* ---- moved frames */

/* Solves for the cubic B-spline coefficients of a line with repeated ends. */
static void solve_line(double *line, int64_t length, int64_t step)
{
    double *factor = reference_allocate((size_t)length, sizeof *factor);
    for (int64_t i = 0; i < length; i++) {
        const double before = i > 0 ? factor[i - 1] : 0, last = i > 0 ? line[(i - 1) * step] : 0,
                     middle = 4 + (i == 0) + (i == length - 1);
        factor[i] = 1 / (middle - before);
        line[i * step] = (6 * line[i * step] - last) * factor[i];
    }
    for (int64_t i = length - 2; i >= 0; i--)
        line[i * step] -= factor[i] * line[(i + 1) * step];
    free(factor);
}

static double spline(double t)
{
    t = fabs(t);
    return t < 1 ? 2 / 3.0 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

static int64_t folded(int64_t i, int64_t n)
{
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

static double spline_at(const double *coefficients, int64_t width, int64_t height, double x, double y)
{
    if (!(x > -0.5 && x < (double)width - 0.5 && y > -0.5 && y < (double)height - 0.5))
        return 0;
    double sum = 0;
    for (int64_t j = (int64_t)floor(y) - 2; j <= (int64_t)floor(y) + 3; j++)
        for (int64_t i = (int64_t)floor(x) - 2; i <= (int64_t)floor(x) + 3; i++)
            sum += spline(x - (double)i) * spline(y - (double)j) *
                   coefficients[folded(j, height) * width + folded(i, width)];
    return sum;
}

START_TEST(frames_move_as_their_transforms_say)
{
    enum { WIDTH = 23, HEIGHT = 17, FRAMES = 4, NUMBERS = MOVED_COLUMNS };
    const drua_type type = _i == 0 ? DRUA_FLOAT32 : _i == 1 ? DRUA_UINT8 : DRUA_INT16;
    reference_image movie = harness_image(&chance, type, reference_stack(WIDTH, HEIGHT, FRAMES), HARNESS_GREY),
                    rows = reference_make(DRUA_FLOAT32, reference_plane(NUMBERS, FRAMES));
    for (int i = 0; i < FRAMES; i++) {
        const moving_frame k =
            moving_by(WIDTH, HEIGHT, i * 0.3, 1 + 0.2 * i, 0.1 * i, i * 1.7, i == 3 ? 200 : -2.2 * i);
        const double row[NUMBERS] = {i + 1, k.xx, k.xy, k.x0, k.yx, k.yy, k.y0, 1, 0, 1, 0.01 * i, -0.02 * i};
        for (int n = 0; n < NUMBERS; n++)
            reference_put(&rows, n, i, 0, row[n]);
    }
    drua_argument arguments[] = {IMAGE(harness_push(context, &movie)), IMAGE(harness_push(context, &rows)), NEW};
    REQUIRE(drua_invoke(context, "apply_registration", arguments, 3, NULL));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "frame 4 moves out of the image"));
    reference_image moved = harness_pull(context, arguments[2].image);
    ck_assert_int_eq(moved.type, type);
    for (int64_t z = 0; z < FRAMES; z++) {
        double *frame = movie.pixels + z * WIDTH * HEIGHT;
        for (int64_t y = 0; y < HEIGHT; y++)
            solve_line(frame + y * WIDTH, WIDTH, 1);
        for (int64_t x = 0; x < WIDTH; x++)
            solve_line(frame + x, HEIGHT, WIDTH);
        const double *row = rows.pixels + z * NUMBERS;
        for (int64_t y = 0; y < HEIGHT; y++)
            for (int64_t x = 0; x < WIDTH; x++) {
                const double value = spline_at(
                                 frame, WIDTH, HEIGHT,
                                 row[1] * (double)x + row[2] * (double)y + row[3] + row[10] * (double)(x * y),
                                 row[4] * (double)x + row[5] * (double)y + row[6] + row[11] * (double)(x * y)),
                             got = reference_at(&moved, x, y, z);
                if (type == DRUA_FLOAT32)
                    ck_assert_double_eq_tol(got, value, 2e-3);
                else
                    ck_assert_double_le(fabs(got - reference_store(type, floor(value + 0.5))),
                                        fabs(value - floor(value) - 0.5) < 2e-3);
            }
    }
    reference_put(&rows, 4, 2, 0,
                  rows.pixels[2 * NUMBERS + 1] * rows.pixels[2 * NUMBERS + 5] / rows.pixels[2 * NUMBERS + 2]);
    for (int n = MOVED_TWIST; n < NUMBERS; n++)
        reference_put(&rows, n, 2, 0, 0);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "apply_registration", arguments[0], IMAGE(harness_push(context, &rows)), NEW), "frame 3",
            "line or a point");
    reference_free(&moved);
    reference_free(&rows);
    reference_free(&movie);
}
END_TEST

/* One call gives the pixels and the table of its two halves; the transforms also move another channel. */
START_TEST(one_call_is_both_halves)
{
    moving_frame frames[7];
    for (int i = 0; i < 7; i++)
        frames[i] = moving_by(50, 60, 0.01 * i, 1, 0, i, -i);
    reference_image movie = moving_movie(&chance, frames, 7, 50, 60, 3);
    drua_image image = harness_push(context, &movie), transforms;
    drua_table *table, *halves = moving_estimate(context, image, "rigid_body", "first", &transforms);
    drua_argument both[] = {IMAGE(image), NEW, NAME("rigid_body"), NAME("first")};
    drua_argument second[] = {IMAGE(image), IMAGE(transforms), NEW};
    REQUIRE(drua_invoke(context, "register_stack", both, 4, &table));
    REQUIRE(drua_invoke(context, "apply_registration", second, 3, NULL));
    reference_image one = harness_pull(context, both[1].image), two = harness_pull(context, second[2].image);
    ck_assert_mem_eq(one.pixels, two.pixels, reference_count(&one) * sizeof *one.pixels);
    for (size_t i = 0; i < table->rows * table->columns; i++)
        ck_assert_double_eq_tol(table->cells[i], halves->cells[i], 1e-6 * (1 + fabs(halves->cells[i])));
    ck_assert_str_eq(table->headings[3], "Shift_X");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "apply_registration", IMAGE(image), IMAGE(image), NEW), "transforms",
            "7 frames", "estimateRegistration");
    drua_table_free(table);
    drua_table_free(halves);
    reference_free(&one);
    reference_free(&two);
    reference_free(&movie);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("registration");
    TCase *tests = tcase_create("registration");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_loop_test(tests, results_are_those_of_stackreg, 0, 5);
    tcase_add_loop_test(tests, a_known_transform_is_found, 0, 10);
    tcase_add_loop_test(tests, frames_move_as_their_transforms_say, 0, 3);
    tcase_add_test(tests, one_call_is_both_halves);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
