/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests registration: movies with known transforms, results that StackReg and its Python version made (../shared), and
 * the mapping of each kind of transform against a spline that is solved directly.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 10, XX = 1, CORRELATION = 7, RESIDUAL, OVERLAP };

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

/* StackReg's movie, registered by StackReg, is the same to one grey level of up to 22,936. */
START_TEST(results_are_those_of_stackreg)
{
    static const char *const modes[][2] = {{"translation", "translation"},
                                           {"rigid_body", "rigid-body"},
                                           {"scaled_rotation", "scaled-rotation"},
                                           {"affine", "affine"}};
    char path[400];
    snprintf(path, sizeof path, "%sreg-%s.tif", FOREIGN, modes[_i][1]);
    if (!is_present(path)) {
        printf("%s is not there: not compared\n", path);
        return;
    }
    drua_argument arguments[] = {IMAGE(read_file(FOREIGN "unreg.tif")), NEW, NAME(modes[_i][0]), NAME("previous")};
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

enum { BLOBS = 60 };

typedef struct scene {
    double x[BLOBS], y[BLOBS], width[BLOBS], height[BLOBS];
} scene;

/* The transform of a frame: pixel x, y of the scene lies at xx x + xy y + x0, yx x + yy y + y0 of the frame. */
typedef struct known {
    double xx, xy, x0, yx, yy, y0;
} known;

static scene make_scene(int width, int height)
{
    scene s;
    for (int i = 0; i < BLOBS; i++) {
        s.x[i] = harness_below(&chance, 1000) * width / 1000.0;
        s.y[i] = harness_below(&chance, 1000) * height / 1000.0;
        s.width[i] = 2 + harness_below(&chance, 100) / 25.0;
        s.height[i] = 100 + harness_below(&chance, 900);
    }
    return s;
}

static double brightness(const scene *s, double x, double y)
{
    double sum = 200;
    for (int i = 0; i < BLOBS; i++) {
        const double dx = x - s->x[i], dy = y - s->y[i], square = (dx * dx + dy * dy) / (2 * s->width[i] * s->width[i]);
        sum += square < 30 ? s->height[i] * exp(-square) : 0;
    }
    return sum;
}

/* A turn and a scale about the middle, a shear, and a shift. */
static known make_known(double width, double height, double turn, double scale, double shear, double x, double y)
{
    known k = {
        .xx = scale * cos(turn), .xy = -scale * sin(turn) + shear, .yx = scale * sin(turn), .yy = scale * cos(turn)};
    k.x0 = x + width / 2 - k.xx * width / 2 - k.xy * height / 2;
    k.y0 = y + height / 2 - k.yx * width / 2 - k.yy * height / 2;
    return k;
}

static void draw_frame(const scene *s, const known *k, double noise, reference_image *movie, int64_t z)
{
    const double det = k->xx * k->yy - k->xy * k->yx;
    REFERENCE_EACH_PIXEL (((drua_shape){movie->shape.width, movie->shape.height, 1, 2}), x, y, none) {
        const double dx = (double)x - k->x0, dy = (double)y - k->y0, random = harness_below(&chance, 2001) / 1000.0 - 1;
        (void)none;
        reference_put(movie, x, y, z,
                      brightness(s, (k->yy * dx - k->xy * dy) / det, (k->xx * dy - k->yx * dx) / det) + noise * random);
    }
}

static reference_image draw_movie(const known *frames, int64_t count, int64_t width, int64_t height, double noise)
{
    const scene s = make_scene((int)width, (int)height);
    reference_image movie = reference_make(DRUA_UINT16, reference_stack(width, height, count));
    for (int64_t z = 0; z < count; z++)
        draw_frame(&s, &frames[z], noise, &movie, z);
    return movie;
}

/* Distance between where two transforms put a pixel, as the largest of nine pixels. */
static double distance_of(const known *k, const double *row, double width, double height)
{
    double max = 0;
    for (int i = 0; i < 9; i++) {
        const double x = i % 3 * width / 2, y = i / 3 * height / 2;
        max = fmax(max, hypot(k->xx * x + k->xy * y + k->x0 - row[XX] * x - row[XX + 1] * y - row[XX + 2],
                              k->yx * x + k->yy * y + k->y0 - row[XX + 3] * x - row[XX + 4] * y - row[XX + 5]));
    }
    return max;
}

static drua_table *estimate(drua_image movie, const char *mode, const char *reference, drua_image *transforms)
{
    drua_table *table = NULL;
    drua_argument arguments[] = {IMAGE(movie), NEW, NAME(mode), NAME(reference)};
    REQUIRE(drua_invoke(context, "estimate_registration", arguments, 4, &table));
    ck_assert_uint_eq(table->columns, COLUMNS);
    if (transforms)
        *transforms = arguments[1].image;
    else
        drua_release(context, arguments[1].image);
    return table;
}

/*
 * Frames drift further and further from the first. If each frame is compared with the previous one, the errors of
 * earlier frames add up.
 */
START_TEST(a_known_transform_is_found)
{
    enum { FRAMES = 6, WIDTH = 120, HEIGHT = 100 };
    static const struct {
        const char *mode, *reference;
        double turn, scale, shear, max;
    } cases[] = {{"translation", "previous", 0, 0, 0, 0.02},
                 {"translation", "first", 0, 0, 0, 0.02},
                 {"translation", "mean", 0, 0, 0, 0.2},
                 {"rigid_body", "previous", 0.01, 0, 0, 0.03},
                 {"rigid_body", "first", 0.01, 0, 0, 0.03},
                 {"scaled_rotation", "previous", 0.01, 0.005, 0, 0.05},
                 {"scaled_rotation", "first", 0.01, 0.005, 0, 0.05},
                 {"affine", "previous", 0.01, 0.005, 0.01, 0.06},
                 {"affine", "first", 0.01, 0.005, 0.01, 0.06}};
    const bool to_mean = !strcmp(cases[_i].reference, "mean");
    known frames[FRAMES];
    for (int i = 0; i < FRAMES; i++)
        frames[i] = make_known(WIDTH, HEIGHT, cases[_i].turn * i, 1 + cases[_i].scale * i, cases[_i].shear * i,
                               to_mean ? 0.4 * (i - 2.5) : 1.3 * i, to_mean ? -0.3 * (i - 2.5) : -0.9 * i);
    reference_image movie = draw_movie(frames, FRAMES, WIDTH, HEIGHT, 5);
    drua_table *table = estimate(harness_push(context, &movie), cases[_i].mode, cases[_i].reference, NULL);
    double max = 0;
    for (int i = 0; i < FRAMES; i++) {
        const double *row = table->cells + (size_t)i * COLUMNS;
        max = fmax(max, distance_of(&frames[i], row, WIDTH, HEIGHT));
        ck_assert_double_eq(row[0], i + 1);
        ck_assert_double_gt(row[CORRELATION], to_mean ? 0.98 : 0.999);
        ck_assert_double_lt(row[RESIDUAL], to_mean ? 60 : 15);
        ck_assert_double_gt(row[OVERLAP], 0.85);
    }
    printf("%s to the %s: %.4f pixels from the truth\n", cases[_i].mode, cases[_i].reference, max);
    ck_assert_double_lt(max, cases[_i].max);
    drua_table_free(table);
    reference_free(&movie);
}
END_TEST

/* ---- frames with nothing to find */

static void check_identity(const drua_table *table)
{
    for (size_t i = 0; i < table->rows; i++) {
        static const double identity[] = {1, 0, 0, 0, 1, 0};
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq_tol(table->cells[i * COLUMNS + XX + (size_t)k], identity[k], 1e-6);
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
            drua_table *table = estimate(harness_push(context, &movie), modes[k % 4], references[k / 4], NULL);
            ck_assert_uint_eq(table->rows, (size_t)cases[c].depth);
            check_identity(table);
            if (cases[c].kind < 2)
                ck_assert_double_nan(table->cells[CORRELATION]);
            drua_table_free(table);
            reference_free(&movie);
        }
}
END_TEST

/* An empty frame stays where the frame before it is. Pixels that are not numbers give an error that names the frame. */
START_TEST(bad_frames)
{
    known frames[5];
    for (int i = 0; i < 5; i++)
        frames[i] = make_known(60, 50, 0, 1, 0, i, 0);
    reference_image movie = draw_movie(frames, 5, 60, 50, 0);
    for (int64_t i = 0; i < 3000; i++)
        movie.pixels[3 * 3000 + i] = 0;
    drua_table *table = estimate(harness_push(context, &movie), "translation", "first", NULL);
    ck_assert_double_eq_tol(table->cells[2 * COLUMNS + 3], 2, 0.02);
    ck_assert_double_eq_tol(table->cells[4 * COLUMNS + 3], 4, 0.02);
    ck_assert_double_nan(table->cells[3 * COLUMNS + CORRELATION]);
    drua_table_free(table);
    reference_image floats = reference_make(DRUA_FLOAT32, movie.shape);
    memcpy(floats.pixels, movie.pixels, reference_count(&movie) * sizeof *movie.pixels);
    floats.pixels[2 * 3000 + 77] = NAN;
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "register_stack", IMAGE(harness_push(context, &floats)), NEW), "frame 3",
            "not numbers", "undefinedToZero");
    floats.pixels[0] = INFINITY;
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "estimate_registration", IMAGE(harness_push(context, &floats)), NEW),
            "frame 1", "not numbers");
    reference_free(&floats);
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
    enum { WIDTH = 23, HEIGHT = 17, FRAMES = 4, NUMBERS = 7 };
    const drua_type type = _i == 0 ? DRUA_FLOAT32 : _i == 1 ? DRUA_UINT8 : DRUA_INT16;
    reference_image movie = harness_image(&chance, type, reference_stack(WIDTH, HEIGHT, FRAMES), HARNESS_GREY),
                    rows = reference_make(DRUA_FLOAT32, reference_plane(NUMBERS, FRAMES));
    for (int i = 0; i < FRAMES; i++) {
        const known k = make_known(WIDTH, HEIGHT, i * 0.3, 1 + 0.2 * i, 0.1 * i, i * 1.7, i == 3 ? 200 : -2.2 * i);
        const double row[NUMBERS] = {i + 1, k.xx, k.xy, k.x0, k.yx, k.yy, k.y0};
        for (int n = 0; n < NUMBERS; n++)
            reference_put(&rows, n, i, 0, row[n]);
    }
    drua_argument arguments[] = {IMAGE(harness_push(context, &movie)), IMAGE(harness_push(context, &rows)), NEW};
    REQUIRE(drua_invoke(context, "apply_registration", arguments, 3, NULL));
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
                const double value = spline_at(frame, WIDTH, HEIGHT, row[1] * (double)x + row[2] * (double)y + row[3],
                                               row[4] * (double)x + row[5] * (double)y + row[6]),
                             got = reference_at(&moved, x, y, z);
                if (type == DRUA_FLOAT32)
                    ck_assert_double_eq_tol(got, value, 2e-3);
                else
                    ck_assert_double_le(fabs(got - reference_store(type, floor(value + 0.5))),
                                        fabs(value - floor(value) - 0.5) < 2e-3);
            }
    }
    reference_free(&moved);
    reference_free(&rows);
    reference_free(&movie);
}
END_TEST

/* One call gives the pixels and the table of its two halves; the transforms also move another channel. */
START_TEST(one_call_is_both_halves)
{
    known frames[7];
    for (int i = 0; i < 7; i++)
        frames[i] = make_known(50, 60, 0.01 * i, 1, 0, i, -i);
    reference_image movie = draw_movie(frames, 7, 50, 60, 3);
    drua_image image = harness_push(context, &movie), transforms;
    drua_table *table, *halves = estimate(image, "rigid_body", "first", &transforms);
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
    tcase_add_loop_test(tests, results_are_those_of_stackreg, 0, 4);
    tcase_add_loop_test(tests, a_known_transform_is_found, 0, 9);
    tcase_add_test(tests, nothing_to_find);
    tcase_add_test(tests, bad_frames);
    tcase_add_loop_test(tests, frames_move_as_their_transforms_say, 0, 3);
    tcase_add_test(tests, one_call_is_both_halves);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
