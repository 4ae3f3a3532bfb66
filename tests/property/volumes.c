/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the registration of stacks on scenes with a known transform, and with stacks that have nothing to find. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOBS = 90, COLUMNS = 16, CORRELATION = 12, RESIDUAL, OVERLAP, RATIO };

static drua_context *context;
static harness_random chance;
static double blobs[BLOBS][5]; /* x, y, z, width, height */

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_volumes");
    for (int i = 0; i < BLOBS; i++) {
        static const double wide[3] = {58, 50, 40};
        for (int axis = 0; axis < 3; axis++)
            blobs[i][axis] = harness_below(&chance, 1000) * wide[axis] / 1000 - 5;
        blobs[i][3] = 2.5 + harness_below(&chance, 100) / 60.0;
        blobs[i][4] = 100 + harness_below(&chance, 900);
    }
}

static void close_context(void)
{
    drua_close(context);
}

/* A transform: position i of the source is at[i][0] x + at[i][1] y + at[i][2] z + at[i][3] of the reference. */
typedef struct known {
    double at[3][4];
} known;

static const drua_shape shape = {48, 40, 30, 3};
static const int extent[3] = {48, 40, 30};

/* A rotation about all three axes in radians, a scale and a shear about the middle of the stack, and a shift. */
static known make_known(const double turn[3], double scale, double shear, const double shift[3])
{
    known k = {{{scale, shear, 0, 0}, {0, scale, shear, 0}, {-shear, 0, scale, 0}}};
    for (int axis = 0; axis < 3; axis++) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const double u = k.at[a][j], v = k.at[b][j];
            k.at[a][j] = cos(turn[axis]) * u - sin(turn[axis]) * v;
            k.at[b][j] = sin(turn[axis]) * u + cos(turn[axis]) * v;
        }
    }
    for (int i = 0; i < 3; i++) {
        k.at[i][3] = shift[i] + (double)(extent[i] - 1) / 2;
        for (int j = 0; j < 3; j++)
            k.at[i][3] -= k.at[i][j] * (double)(extent[j] - 1) / 2;
    }
    return k;
}

static double cofactor(const known *k, int i, int j)
{
    const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return k->at[a][c] * k->at[b][d] - k->at[a][d] * k->at[b][c];
}

/* Draws the scene as the source shows it, with another brightness, contrast and noise. */
static reference_image draw_scene(const known *k, double gain, double offset, double noise)
{
    reference_image image = reference_make(DRUA_FLOAT32, shape);
    const double det =
        k->at[0][0] * cofactor(k, 0, 0) + k->at[0][1] * cofactor(k, 0, 1) + k->at[0][2] * cofactor(k, 0, 2);
    REFERENCE_EACH_PIXEL (shape, x, y, z) {
        const double q[3] = {(double)x - k->at[0][3], (double)y - k->at[1][3], (double)z - k->at[2][3]};
        double p[3] = {0}, sum = 200;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                p[j] += cofactor(k, i, j) * q[i] / det;
        for (int i = 0; i < BLOBS; i++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square += (p[axis] - blobs[i][axis]) * (p[axis] - blobs[i][axis]);
            square /= 2 * blobs[i][3] * blobs[i][3];
            sum += square < 30 ? blobs[i][4] * exp(-square) : 0;
        }
        reference_put(&image, x, y, z, gain * sum + offset + noise * (harness_below(&chance, 2001) / 1000.0 - 1));
    }
    return image;
}

/* The largest distance along an axis between the positions to which the transform and the table's row move a corner. */
static double error_of(const known *k, const double *row)
{
    double max = 0;
    for (int c = 0; c < 8; c++)
        for (int i = 0; i < 3; i++) {
            double error = k->at[i][3] - row[4 * i + 3];
            for (int j = 0; j < 3; j++)
                error += (k->at[i][j] - row[4 * i + j]) * (c >> j & 1 ? (double)(extent[j] - 1) : 0);
            max = fmax(max, fabs(error));
        }
    return max;
}

static const known same = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

START_TEST(a_known_transform_is_found)
{
    static const struct {
        const char *mode;
        double turn[3], scale, shear, shift[3], gain, offset, noise, max;
    } cases[] = {{"translation", {0, 0, 0}, 1, 0, {2.3, -1.7, 1.1}, 1, 0, 5, 0.03},
                 {"translation", {0, 0, 0}, 1, 0, {5.6, -4.2, 3.4}, 0.5, 300, 5, 0.03},
                 {"rigid_body", {0.07, -0.05, 0.09}, 1, 0, {1, -2, 1}, 1, 0, 5, 0.05},
                 {"rigid_body", {0.2, -0.15, 0.25}, 1, 0, {2, -2, 1}, 2, -100, 20, 0.1},
                 {"scaled_rotation", {0.07, -0.05, 0.09}, 1.05, 0, {1, -2, 1}, 2, 50, 5, 0.1},
                 {"affine", {0.05, 0.03, -0.06}, 0.97, 0.03, {1, -1, 0.5}, 1, 0, 5, 0.15}};
    const known k = make_known(cases[_i].turn, cases[_i].scale, cases[_i].shear, cases[_i].shift);
    reference_image source = draw_scene(&k, cases[_i].gain, cases[_i].offset, cases[_i].noise),
                    reference = draw_scene(&same, 1, 0, cases[_i].noise);
    drua_table *table;
    drua_argument arguments[] = {IMAGE(harness_push(context, &source)), IMAGE(harness_push(context, &reference)), NEW,
                                 NAME(cases[_i].mode)};
    REQUIRE(drua_invoke(context, "estimate_registration_3d", arguments, 4, &table));
    ck_assert_uint_eq(table->columns, COLUMNS);
    const double error = error_of(&k, table->cells);
    printf("%s: %.4f pixels from the truth\n", cases[_i].mode, error);
    ck_assert_double_lt(error, cases[_i].max);
    ck_assert_double_gt(table->cells[CORRELATION], 0.98);
    ck_assert_double_gt(table->cells[OVERLAP], 0.5);
    drua_argument apply[] = {arguments[0], arguments[1], arguments[2], NEW};
    REQUIRE(drua_invoke(context, "apply_registration_3d", apply, 4, NULL));
    drua_argument both[] = {arguments[0], arguments[1], NEW, NAME(cases[_i].mode)};
    REQUIRE(drua_invoke(context, "register_volumes", both, 4, NULL));
    reference_image one = harness_pull(context, both[2].image), two = harness_pull(context, apply[3].image);
    ck_assert_mem_eq(one.pixels, two.pixels, reference_count(&one) * sizeof *one.pixels);
    reference_free(&one);
    reference_free(&two);
    reference_free(&source);
    reference_free(&reference);
    drua_table_free(table);
}
END_TEST

/* A uniformly random rotation about the middle of the stack, and a shift. */
static known random_view(double max_shift)
{
    double q[4], square = 0, shift[3];
    do {
        square = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = harness_below(&chance, 2001) / 1000.0 - 1;
            square += q[i] * q[i];
        }
    } while (square > 1 || square < 0.01);
    for (int i = 0; i < 3; i++)
        shift[i] = max_shift * (harness_below(&chance, 2001) / 1000.0 - 1);
    known k = {{{0}}};
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        k.at[i][i] = (q[0] * q[0] + q[i + 1] * q[i + 1] - q[a + 1] * q[a + 1] - q[b + 1] * q[b + 1]) / square;
        k.at[i][a] = 2 * (q[i + 1] * q[a + 1] - q[0] * q[b + 1]) / square;
        k.at[i][b] = 2 * (q[i + 1] * q[b + 1] + q[0] * q[a + 1]) / square;
    }
    for (int i = 0; i < 3; i++) {
        k.at[i][3] = shift[i] + (double)(extent[i] - 1) / 2;
        for (int j = 0; j < 3; j++)
            k.at[i][3] -= k.at[i][j] * (double)(extent[j] - 1) / 2;
    }
    return k;
}

/* Estimates a transform and returns its only row, which the caller frees. */
static drua_table *estimate(const reference_image *source, const reference_image *reference, const char *mode,
                            const char *search, const char *missing)
{
    drua_table *table;
    drua_argument arguments[] = {IMAGE(harness_push(context, source)),
                                 IMAGE(harness_push(context, reference)),
                                 NEW,
                                 NAME(mode),
                                 NAME(search),
                                 NAME(missing)};
    REQUIRE(drua_invoke(context, "estimate_registration_3d", arguments, 6, &table));
    ck_assert_uint_eq(table->columns, COLUMNS);
    for (int i = 0; i < 3; i++)
        REQUIRE(drua_release(context, arguments[i].image));
    return table;
}

START_TEST(views_from_any_side_are_aligned)
{
    const known k = random_view(4);
    reference_image source = draw_scene(&k, 2, -50, 10), reference = draw_scene(&same, 1, 0, 10);
    drua_table *table = estimate(&source, &reference, "rigid_body", "rotations", "none");
    printf("rotations: %.4f pixels from the truth, peak ratio %.2f\n", error_of(&k, table->cells), table->cells[RATIO]);
    ck_assert_double_lt(error_of(&k, table->cells), 0.1);
    ck_assert_double_gt(table->cells[CORRELATION], 0.98);
    ck_assert_double_gt(table->cells[RATIO], 1.6);
    ck_assert_ptr_null(strstr(drua_take_messages(context), "chance"));
    drua_table_free(table);
    reference_free(&source);
    reference_free(&reference);
}
END_TEST

/* A shift of a quarter of the stack is found by a search of all shifts; `near` finds it only by luck. */
START_TEST(wide_shifts_are_found)
{
    static const double turn[2][3] = {{0, 0, 0}, {0.07, -0.05, 0.09}};
    static const char *const modes[] = {"translation", "rigid_body"};
    const known k = make_known(turn[_i], 1, 0, (const double[3]){12, -9, 6});
    reference_image source = draw_scene(&k, 2, -50, 10), reference = draw_scene(&same, 1, 0, 10);
    drua_table *near = estimate(&source, &reference, modes[_i], "near", "none"),
               *wide = estimate(&source, &reference, modes[_i], "shifts", "none");
    printf("shifts: %.4f pixels from the truth, peak ratio %.2f; near: %.1f pixels\n", error_of(&k, wide->cells),
           wide->cells[RATIO], error_of(&k, near->cells));
    ck_assert_double_nan(near->cells[RATIO]);
    ck_assert_double_lt(error_of(&k, wide->cells), 0.1);
    ck_assert_double_gt(wide->cells[RATIO], 1.6);
    drua_table_free(near);
    drua_table_free(wide);
    reference_free(&source);
    reference_free(&reference);
}
END_TEST

/* Writes `value` into a frame of 6 pixels and into bricks, at the same places of every stack. */
static void lose_pixels(reference_image *image, double value)
{
    REFERENCE_EACH_PIXEL (shape, x, y, z)
        if (x < 6 || y < 6 || x >= 42 || y >= 34 || (x / 8 + y / 8 + z / 8) % 5 == 0)
            reference_put(image, x, y, z, value);
}

/* Missing pixels stay in place while the content moves. Whether they are 0 or NaN makes no difference. */
START_TEST(missing_pixels_do_not_count)
{
    static const char *const searches[] = {"near", "shifts"};
    const known k = make_known((const double[3]){0.03, -0.02, 0.04}, 1, 0, (const double[3]){2.3, -1.7, 1.1});
    reference_image source = draw_scene(&k, 2, 10, 5), reference = draw_scene(&same, 1, 0, 5);
    lose_pixels(&source, 0);
    lose_pixels(&reference, 0);
    drua_table *none = estimate(&source, &reference, "rigid_body", searches[_i], "none"),
               *zero = estimate(&source, &reference, "rigid_body", searches[_i], "zero");
    lose_pixels(&source, (double)NAN);
    lose_pixels(&reference, (double)NAN);
    drua_table *undefined = estimate(&source, &reference, "rigid_body", searches[_i], "nan");
    printf("missing pixels: %.4f pixels from the truth; if they count: %.2f\n", error_of(&k, zero->cells),
           error_of(&k, none->cells));
    ck_assert_double_lt(error_of(&k, zero->cells), 0.1);
    ck_assert_double_gt(zero->cells[CORRELATION], 0.98);
    ck_assert_double_lt(zero->cells[OVERLAP], 0.6);
    ck_assert_double_gt(error_of(&k, none->cells), 0.3);
    ck_assert_mem_eq(zero->cells, undefined->cells, RATIO * sizeof *zero->cells);
    drua_table_free(none);
    drua_table_free(zero);
    drua_table_free(undefined);
    reference_free(&source);
    reference_free(&reference);
}
END_TEST

/* A search over all rotations always finds a match. The Log warns if the match may be chance. */
START_TEST(chance_is_named)
{
    reference_image reference = draw_scene(&same, 1, 0, 10), source = reference_make(DRUA_FLOAT32, shape);
    if (_i == 0) { /* an ellipsoid fits after half a turn too */
        REFERENCE_EACH_PIXEL (shape, x, y, z) {
            const double u = ((double)x - 23.5) / 15, v = ((double)y - 19.5) / 9, w = ((double)z - 14.5) / 6;
            reference_put(&source, x, y, z, 1000 * exp(-2 * (u * u + v * v + w * w)));
            reference_put(&reference, x, y, z, 1000 * exp(-2 * (u * u + v * v + w * w)));
        }
    } else {
        for (int i = 0; i < BLOBS; i++) /* another scene */
            for (int axis = 0; axis < 3; axis++)
                blobs[i][axis] = harness_below(&chance, 1000) * (58 - 8 * axis) / 1000.0 - 5;
        reference_free(&source);
        source = draw_scene(&same, 1, 0, 10);
    }
    drua_table *table = estimate(&source, &reference, "rigid_body", "rotations", "none");
    printf("peak ratio %.2f\n", table->cells[RATIO]);
    ck_assert_double_lt(table->cells[RATIO], 1.6);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "the alignment may be chance"));
    drua_table_free(table);
    reference_free(&source);
    reference_free(&reference);
}
END_TEST

/* Stacks without texture, and choices that exclude each other. */
START_TEST(wide_searches_of_bad_stacks)
{
    reference_image empty = reference_make(DRUA_FLOAT32, shape), scene = draw_scene(&same, 1, 0, 0);
    const drua_image good = harness_push(context, &scene), flat = harness_push(context, &empty);
    drua_table *table = estimate(&empty, &scene, "rigid_body", "rotations", "none");
    ck_assert_double_lt(error_of(&same, table->cells), 1e-6);
    ck_assert_double_nan(table->cells[CORRELATION]);
    ck_assert_double_eq(table->cells[RATIO], 0);
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "same value everywhere"));
    drua_table_free(table);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_volumes", IMAGE(good), IMAGE(good), NEW, NAME("translation"), NAME("rotations")),
            "search must be near or shifts", "rigid_body");
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_volumes", IMAGE(flat), IMAGE(good), NEW, NAME("rigid_body"), NAME("near"),
                   NAME("zero")),
            "source has only missing pixels", "missing = zero");
    scene.pixels[1234] = INFINITY;
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_volumes", IMAGE(harness_push(context, &scene)), IMAGE(good), NEW,
                   NAME("rigid_body"), NAME("near"), NAME("nan")),
            "source holds pixels that are NaN or infinite");
    reference_free(&scene);
    reference_free(&empty);
}
END_TEST

/* If slices are two pixels apart, a rigid body rotates in units of length, not in pixels. */
START_TEST(turns_follow_the_voxel_size)
{
    static const double turn[3] = {0.15, -0.12, 0.05}, shift[3] = {1, -1, 1}, size[3] = {0.5, 0.5, 1};
    known k = make_known(turn, 1, 0, (const double[3]){0, 0, 0});
    for (int i = 0; i < 3; i++) {
        k.at[i][3] = shift[i] + (double)(extent[i] - 1) / 2;
        for (int j = 0; j < 3; j++) {
            k.at[i][j] *= size[j] / size[i];
            k.at[i][3] -= k.at[i][j] * (double)(extent[j] - 1) / 2;
        }
    }
    reference_image source = draw_scene(&k, 1, 0, 2), reference = draw_scene(&same, 1, 0, 2);
    for (int known_sizes = 0; known_sizes < 2; known_sizes++) {
        drua_table *table;
        drua_argument arguments[] = {IMAGE(harness_push(context, &source)), IMAGE(harness_push(context, &reference)),
                                     NEW, NAME("rigid_body")};
        REQUIRE(drua_set_metadata(context, arguments[0].image, "pixelWidth=0.5\npixelHeight=0.5\npixelDepth=1\n"));
        if (known_sizes) /* sizes count only if both stacks have them */
            REQUIRE(drua_set_metadata(context, arguments[1].image, "pixelWidth=0.5\npixelHeight=0.5\npixelDepth=1\n"));
        REQUIRE(drua_invoke(context, "estimate_registration_3d", arguments, 4, &table));
        if (known_sizes)
            ck_assert_double_lt(error_of(&k, table->cells), 0.1);
        else
            ck_assert_double_gt(error_of(&k, table->cells), 0.5);
        drua_table_free(table);
    }
    reference_free(&source);
    reference_free(&reference);
}
END_TEST

/* A ramp moves exactly where the source covers the result; pixels outside are 0, integers are rounded. */
START_TEST(stacks_move_as_their_transforms_say)
{
    const drua_type type = _i ? DRUA_UINT16 : DRUA_FLOAT32;
    const drua_shape s = reference_stack(20, 15, 12), wider = reference_stack(22, 14, 9);
    reference_image ramp = reference_make(type, s), other = reference_make(DRUA_UINT8, wider),
                    rows = reference_make(DRUA_FLOAT32, reference_plane(4, 3));
    static const double numbers[12] = {1.1, 0.1, -0.05, -1, -0.1, 0.9, 0.05, 1.5, 0.02, 0.03, 1.2, -0.4};
    memcpy(rows.pixels, numbers, sizeof numbers);
    REFERENCE_EACH_PIXEL (s, x, y, z)
        reference_put(&ramp, x, y, z, 100 + 30 * (double)x + 20 * (double)y + 50 * (double)z);
    drua_argument arguments[] = {IMAGE(harness_push(context, &ramp)), IMAGE(harness_push(context, &other)),
                                 IMAGE(harness_push(context, &rows)), NEW};
    REQUIRE(drua_invoke(context, "apply_registration_3d", arguments, 4, NULL));
    reference_image moved = harness_pull(context, arguments[3].image);
    ck_assert_int_eq(moved.type, type);
    ck_assert_int_eq(moved.shape.width, 22);
    ck_assert_int_eq(moved.shape.depth, 9);
    REFERENCE_EACH_PIXEL (wider, x, y, z) {
        const double p[4] = {(double)x, (double)y, (double)z, 1}, last[3] = {19, 14, 11};
        double at[3] = {0};
        bool inside = true, outside = false;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 4; j++)
                at[i] += numbers[4 * i + j] * p[j];
            inside = inside && at[i] >= 0 && at[i] <= last[i];
            outside = outside || at[i] < -0.51 || at[i] > last[i] + 0.51;
        }
        const double value = 100 + 30 * at[0] + 20 * at[1] + 50 * at[2], got = reference_at(&moved, x, y, z);
        if (inside)
            ck_assert_double_le(fabs(got - value), _i ? 0.501 : 1e-2);
        if (outside)
            ck_assert_double_eq(got, 0);
    }
    rows.pixels[3] = 500;
    arguments[2] = (drua_argument)IMAGE(harness_push(context, &rows));
    arguments[3] = (drua_argument)NEW;
    REQUIRE(drua_invoke(context, "apply_registration_3d", arguments, 4, NULL));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "moves out of the image"));
    reference_free(&moved);
    reference_free(&rows);
    reference_free(&other);
    reference_free(&ramp);
}
END_TEST

/* Stacks without texture stay where they are, unrelated ones are named, and other bad input is refused. */
START_TEST(bad_stacks)
{
    reference_image empty = reference_make(DRUA_FLOAT32, shape), scene = draw_scene(&same, 1, 0, 0),
                    noise = harness_image(&chance, DRUA_FLOAT32, shape, HARNESS_GREY),
                    plane = reference_make(DRUA_FLOAT32, reference_plane(48, 40)),
                    rows = reference_make(DRUA_FLOAT32, reference_plane(4, 3));
    const drua_image good = harness_push(context, &scene), flat = harness_push(context, &empty);
    drua_table *table;
    drua_argument arguments[] = {IMAGE(flat), IMAGE(good), NEW};
    REQUIRE(drua_invoke(context, "estimate_registration_3d", arguments, 3, &table));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "same value everywhere"));
    ck_assert_double_lt(error_of(&same, table->cells), 1e-6);
    ck_assert_double_nan(table->cells[CORRELATION]);
    drua_table_free(table);
    REQUIRE(INVOKE(context, "register_volumes", IMAGE(harness_push(context, &noise)), IMAGE(good), NEW));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "check whether both stacks show the same scene"));
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_volumes", IMAGE(good), IMAGE(harness_push(context, &plane)), NEW),
            "reference is a plane", "registerStack");
    scene.pixels[1234] = NAN;
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_volumes", IMAGE(harness_push(context, &scene)), IMAGE(good), NEW),
            "source holds pixels that are NaN");
    const drua_image zeros = harness_push(context, &rows);
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "apply_registration_3d", IMAGE(good), IMAGE(good), IMAGE(zeros), NEW),
            "a line or a point");
    rows.pixels[7] = NAN;
    REFUSED(
        DRUA_E_ARGUMENT,
        INVOKE(context, "apply_registration_3d", IMAGE(good), IMAGE(good), IMAGE(harness_push(context, &rows)), NEW),
        "got nan");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "apply_registration_3d", IMAGE(good), IMAGE(good), IMAGE(good), NEW),
            "3 rows of 4 numbers");
    reference_free(&rows);
    reference_free(&plane);
    reference_free(&noise);
    reference_free(&scene);
    reference_free(&empty);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("volumes");
    TCase *tests = tcase_create("volumes");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_loop_test(tests, a_known_transform_is_found, 0, 6);
    tcase_add_loop_test(tests, views_from_any_side_are_aligned, 0, 2);
    tcase_add_loop_test(tests, wide_shifts_are_found, 0, 2);
    tcase_add_loop_test(tests, missing_pixels_do_not_count, 0, 2);
    tcase_add_loop_test(tests, chance_is_named, 0, 2);
    tcase_add_test(tests, wide_searches_of_bad_stacks);
    tcase_add_test(tests, turns_follow_the_voxel_size);
    tcase_add_loop_test(tests, stacks_move_as_their_transforms_say, 0, 2);
    tcase_add_test(tests, bad_stacks);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
