/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests non-rigid registration: scenes with a known deformation, and deformations that are applied, inverted and
 * differentiated by formulas in double precision.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE, AFTER, RESIDUAL, JACOBIAN, FOLDED, LONGEST, COLUMNS };

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_deformation");
}

static void close_context(void)
{
    drua_close(context);
}

/* ---- scenes with a known deformation */

enum { BLOBS = 400 };

typedef struct scene {
    double at[BLOBS][3], width[BLOBS], height[BLOBS];
    drua_shape shape;
} scene;

static double extent_of(drua_shape shape, int axis)
{
    return (double)(axis == 0 ? shape.width : axis == 1 ? shape.height : shape.depth);
}

static scene *make_scene(drua_shape shape)
{
    scene *s = reference_allocate(1, sizeof *s);
    s->shape = shape;
    for (int i = 0; i < BLOBS; i++) {
        for (int axis = 0; axis < 3; axis++)
            s->at[i][axis] = harness_below(&chance, 1000) * extent_of(shape, axis) / 1000 - 0.5;
        s->width[i] = 1.5 + harness_below(&chance, 100) / 40.0;
        s->height[i] = 100 + harness_below(&chance, 900);
    }
    return s;
}

static double brightness_at(const scene *s, const double at[3])
{
    double sum = 200;
    for (int i = 0; i < BLOBS; i++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++)
            square += (at[axis] - s->at[i][axis]) * (at[axis] - s->at[i][axis]);
        square /= 2 * s->width[i] * s->width[i];
        sum += square < 20 ? s->height[i] * exp(-square) : 0;
    }
    return sum;
}

/* The true shift at a pixel of the reference: waves of up to 4 pixels that are 0 at the borders. */
static void true_shift(drua_shape shape, const double at[3], double shift[3])
{
    const double pi = acos(-1);
    double calm = 1;
    for (int axis = 0; axis < 3; axis++)
        if (extent_of(shape, axis) > 1)
            calm *= sin(pi * (at[axis] + 0.5) / extent_of(shape, axis));
    for (int axis = 0; axis < 3; axis++) {
        const double other = (at[(axis + 1) % 2] + 0.5) / extent_of(shape, (axis + 1) % 2);
        shift[axis] = extent_of(shape, axis) > 1 ? 4 * calm * cos(pi * (other + axis)) : 0;
    }
}

static reference_image draw_scene(const scene *s, bool deformed)
{
    reference_image image = reference_make(DRUA_FLOAT32, s->shape);
    REFERENCE_EACH_PIXEL (s->shape, x, y, z) {
        double at[3] = {(double)x, (double)y, (double)z}, shift[3];
        true_shift(s->shape, at, shift);
        for (int axis = 0; axis < 3 && deformed; axis++)
            at[axis] += shift[axis];
        reference_put(&image, x, y, z, brightness_at(s, at));
    }
    return image;
}

/* The mean distance from the truth, of pixels at least 4 pixels from a border. */
static double mean_error(const scene *s, const reference_image *found)
{
    double sum = 0, count = 0;
    REFERENCE_EACH_PIXEL (s->shape, x, y, z) {
        const double at[3] = {(double)x, (double)y, (double)z};
        double shift[3], square = 0;
        bool inside = true;
        true_shift(s->shape, at, shift);
        for (int axis = 0; axis < 3; axis++) {
            const double extent = extent_of(s->shape, axis);
            if (extent == 1)
                continue;
            const double off = shift[axis] - reference_at(found, x, y, z + axis * s->shape.depth);
            square += off * off;
            inside = inside && at[axis] >= 4 && at[axis] < extent - 4;
        }
        sum += inside ? sqrt(square) : 0;
        count += inside;
    }
    return sum / count;
}

/* Tests planes and stacks whose source is as bright as the reference, or dimmer and inverted. */
START_TEST(a_known_deformation_is_found)
{
    const bool is_stack = _i % 2, is_inverted = _i / 2;
    scene *s = make_scene(is_stack ? reference_stack(40, 36, 24) : reference_plane(100, 80));
    reference_image source = draw_scene(s, false), reference = draw_scene(s, true);
    for (size_t i = 0; i < reference_count(&source) && is_inverted; i++)
        source.pixels[i] = 3000 - 0.3 * source.pixels[i];
    drua_table *table;
    drua_argument a[] = {IMAGE(harness_push(context, &source)),
                         IMAGE(harness_push(context, &reference)),
                         NEW,
                         NAME(is_inverted ? "local_correlation" : "difference"),
                         NUMBER(1.5),
                         NUMBER(50)};
    REQUIRE(drua_invoke(context, "estimate_deformation", a, 6, &table));
    ck_assert_uint_eq(table->columns, COLUMNS);
    reference_image found = harness_pull(context, a[2].image);
    reference_image nothing = reference_make(DRUA_FLOAT32, found.shape);
    const double error = mean_error(s, &found), before = mean_error(s, &nothing);
    printf("%s, %s: %.3f pixels from the truth on average, %.3f before; correlation %.4f, %.4f before\n",
           is_stack ? "stack" : "plane", a[3].text, error, before, table->cells[AFTER], table->cells[BEFORE]);
    ck_assert_double_lt(error, is_stack ? 0.7 : 0.15);
    ck_assert_double_gt(before, 1.4);
    ck_assert_double_gt(fabs(table->cells[AFTER]), 0.995);
    ck_assert_double_lt(fabs(table->cells[BEFORE]), 0.98);
    ck_assert_double_gt(table->cells[JACOBIAN], 0.1);
    ck_assert_double_eq(table->cells[FOLDED], 0);
    drua_table_free(table);
    reference_free(&nothing);
    reference_free(&found);
    reference_free(&source);
    reference_free(&reference);
    free(s);
}
END_TEST

/* Equal images, and images of one value, have no shifts. */
START_TEST(nothing_to_find)
{
    static const char *const similarities[] = {"difference", "local_correlation"};
    for (int i = 0; i < 8; i++) {
        const drua_shape shape = i % 2 ? reference_stack(20, 7, 9) : reference_plane(i < 4 ? 70 : 1, 33);
        reference_image image = harness_image(&chance, DRUA_UINT16, shape, HARNESS_GREY);
        for (size_t k = 0; k < reference_count(&image) && i > 5; k++)
            image.pixels[k] = 40000;
        drua_table *table;
        drua_argument a[] = {IMAGE(harness_push(context, &image)), IMAGE(harness_push(context, &image)), NEW,
                             NAME(similarities[i / 2 % 2])};
        REQUIRE(drua_invoke(context, "estimate_deformation", a, 4, &table));
        ck_assert_double_lt(table->cells[LONGEST], 1e-4);
        ck_assert_double_eq_tol(table->cells[JACOBIAN], 1, 1e-4);
        ck_assert_double_eq_tol(table->cells[RESIDUAL], 0, 1e-2);
        if (i > 5)
            ck_assert_double_nan(table->cells[AFTER]);
        drua_table_free(table);
        reference_free(&image);
    }
}
END_TEST

/* ---- deformations by formulas */

/* A deformation of a plane or stack whose shifts are `constant` + `slopes` times the position. */
static reference_image linear_field(drua_shape shape, const double constant[3], const double slopes[3][3])
{
    const int axes = shape.depth > 1 ? 3 : 2;
    reference_image field =
        reference_make(DRUA_FLOAT32, reference_stack(shape.width, shape.height, shape.depth * axes));
    REFERENCE_EACH_PIXEL (shape, x, y, z)
        for (int axis = 0; axis < axes; axis++)
            reference_put(&field, x, y, z + axis * shape.depth,
                          constant[axis] + slopes[axis][0] * (double)x + slopes[axis][1] * (double)y +
                              slopes[axis][2] * (double)z);
    return field;
}

START_TEST(jacobian_is_the_determinant)
{
    static const double constant[3] = {0.5, -0.25, 1},
                        slopes[3][3] = {{0.25, 0.5, -0.125}, {-0.25, 0.125, 0.5}, {0.5, 0, -0.25}};
    /* (1.25 * 1.125 + 0.5 * 0.25), and the 3 x 3 determinant by its first row */
    static const double expected[] = {1.53125,
                                      1.25 * (1.125 * 0.75) - 0.5 * (-0.25 * 0.75 - 0.25) - 0.125 * (-1.125 * 0.5)};
    for (int i = 0; i < 2; i++) {
        reference_image field = linear_field(i ? reference_stack(6, 5, 4) : reference_plane(7, 5), constant, slopes);
        drua_argument a[] = {IMAGE(harness_push(context, &field)), NEW};
        REQUIRE(drua_invoke(context, "jacobian_of_deformation", a, 2, NULL));
        reference_image found = harness_pull(context, a[1].image);
        ck_assert_int_eq(found.shape.depth, i ? 4 : 1);
        for (size_t k = 0; k < reference_count(&found); k++)
            ck_assert_double_eq_tol(found.pixels[k], expected[i], 1e-5);
        reference_free(&found);
        reference_free(&field);
    }
}
END_TEST

/* The inverse of a linear deformation is known: v = -(1 + A)^-1 (constant + A p), where it leads inside the image. */
START_TEST(inverse_undoes_a_deformation)
{
    static const double constant[3] = {1.5, -0.75, 0.5}, slopes[3][3] = {{0.02, 0, 0}, {0, -0.04, 0}, {0, 0, 0.05}};
    for (int i = 0; i < 2; i++) {
        const drua_shape shape = i ? reference_stack(16, 14, 12) : reference_plane(30, 20);
        reference_image field = linear_field(shape, constant, slopes);
        drua_table *table;
        drua_argument a[] = {IMAGE(harness_push(context, &field)), NEW};
        REQUIRE(drua_invoke(context, "invert_deformation", a, 2, &table));
        ck_assert_str_eq(table->headings[0], "Largest_Error");
        ck_assert_double_lt(table->cells[0], 2e-4);
        reference_image found = harness_pull(context, a[1].image);
        REFERENCE_EACH_PIXEL (shape, x, y, z)
            for (int axis = 0; axis < (i ? 3 : 2); axis++) {
                const double at[3] = {(double)x, (double)y, (double)z}, slope = slopes[axis][axis],
                             expected = -(constant[axis] + slope * at[axis]) / (1 + slope);
                if (at[axis] + expected >= 0 && at[axis] + expected <= extent_of(shape, axis) - 1)
                    ck_assert_double_eq_tol(reference_at(&found, x, y, z + axis * shape.depth), expected, 1e-3);
            }
        drua_table_free(table);
        reference_free(&found);
        reference_free(&field);
    }
}
END_TEST

/* ---- applying */

/* Linear interpolation of a ramp is exact, and pixels whose shift leads outside are 0. */
START_TEST(a_deformed_ramp_is_exact)
{
    static const double constant[3] = {1.25, -0.5, 0.25}, slopes[3][3] = {{0.0625, 0, 0}, {0, 0.03125, 0}, {0}};
    for (int i = 0; i < 2; i++) {
        const drua_shape shape = i ? reference_stack(12, 10, 8) : reference_plane(20, 15);
        reference_image field = linear_field(shape, constant, slopes), ramp = reference_make(DRUA_FLOAT32, shape);
        REFERENCE_EACH_PIXEL (shape, x, y, z)
            reference_put(&ramp, x, y, z, 10 + (double)x + 100 * (double)y + 10000 * (double)z);
        drua_argument a[] = {IMAGE(harness_push(context, &ramp)), IMAGE(harness_push(context, &field)), NEW};
        REQUIRE(drua_invoke(context, "apply_deformation", a, 3, NULL));
        reference_image found = harness_pull(context, a[2].image);
        REFERENCE_EACH_PIXEL (shape, x, y, z) {
            const double at[3] = {(double)x, (double)y, (double)z};
            double expected = 10;
            bool inside = true, outside = false;
            for (int axis = 0; axis < (i ? 3 : 2); axis++) {
                static const double steps[] = {1, 100, 10000};
                const double to = at[axis] * (1 + slopes[axis][axis]) + constant[axis],
                             last = extent_of(shape, axis) - 1;
                expected += steps[axis] * to;
                inside = inside && to >= 0 && to <= last;
                outside = outside || to < -0.5 || to >= last + 0.5;
            }
            if (inside)
                ck_assert_double_eq_tol(reference_at(&found, x, y, z), expected, 0.02);
            else if (outside)
                ck_assert_double_eq(reference_at(&found, x, y, z), 0);
        }
        reference_free(&found);
        reference_free(&field);
        reference_free(&ramp);
    }
}
END_TEST

/* A shift that is NaN gives NaN, or 0 in images of integers. Only its own pixel is affected. */
START_TEST(unknown_shifts_give_nan)
{
    for (int i = 0; i < 4; i++) {
        const int axes = i % 2 ? 3 : 2;
        const drua_shape shape = axes == 3 ? reference_stack(12, 10, 8) : reference_plane(20, 15);
        const drua_type type = i < 2 ? DRUA_FLOAT32 : DRUA_UINT16;
        reference_image field = reference_make(DRUA_FLOAT32,
                                               reference_stack(shape.width, shape.height, axes * shape.depth)),
                        source = reference_make(type, shape);
        for (size_t k = 0; k < reference_count(&source); k++)
            source.pixels[k] = 7;
        for (int axis = 0; axis < axes; axis++)
            reference_put(&field, 3 + axis, 4, axis * shape.depth + shape.depth / 2, NAN);
        drua_argument a[] = {IMAGE(harness_push(context, &source)), IMAGE(harness_push(context, &field)), NEW};
        REQUIRE(drua_invoke(context, "apply_deformation", a, 3, NULL));
        reference_image found = harness_pull(context, a[2].image);
        REFERENCE_EACH_PIXEL (shape, x, y, z) {
            const bool unknown = y == 4 && z == shape.depth / 2 && x >= 3 && x < 3 + axes;
            const double value = reference_at(&found, x, y, z);
            ck_assert_msg(!unknown               ? value == 7
                          : type == DRUA_FLOAT32 ? isnan(value)
                                                 : value == 0,
                          "%g at %d, %d, %d", value, (int)x, (int)y, (int)z);
        }
        reference_free(&found);
        reference_free(&field);
        reference_free(&source);
    }
}
END_TEST

START_TEST(one_call_is_both_halves)
{
    scene *s = make_scene(reference_plane(60, 50));
    reference_image source = draw_scene(s, false), reference = draw_scene(s, true);
    const drua_image from = harness_push(context, &source), to = harness_push(context, &reference);
    drua_table *table, *other;
    drua_argument whole[] = {IMAGE(from), IMAGE(to), NEW, NEW}, first[] = {IMAGE(from), IMAGE(to), NEW};
    REQUIRE(drua_invoke(context, "register_deformable", whole, 4, &table));
    REQUIRE(drua_invoke(context, "estimate_deformation", first, 3, &other));
    drua_argument second[] = {IMAGE(from), IMAGE(first[2].image), NEW};
    REQUIRE(drua_invoke(context, "apply_deformation", second, 3, NULL));
    reference_image one = harness_pull(context, whole[2].image), two = harness_pull(context, second[2].image);
    ck_assert_mem_eq(one.pixels, two.pixels, reference_count(&one) * sizeof *one.pixels);
    ck_assert_mem_eq(table->cells, other->cells, COLUMNS * sizeof *table->cells);
    drua_table_free(table);
    drua_table_free(other);
    reference_free(&one);
    reference_free(&two);
    reference_free(&source);
    reference_free(&reference);
    free(s);
}
END_TEST

START_TEST(bad_input_is_refused)
{
    reference_image plane = harness_image(&chance, DRUA_FLOAT32, reference_plane(20, 15), HARNESS_GREY),
                    wider = harness_image(&chance, DRUA_FLOAT32, reference_plane(21, 15), HARNESS_GREY),
                    four = harness_image(&chance, DRUA_FLOAT32, reference_stack(20, 15, 4), HARNESS_SHIFTS);
    const drua_image image = harness_push(context, &plane), field = harness_push(context, &four);
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "estimate_deformation", IMAGE(harness_push(context, &wider)), IMAGE(image), NEW), "21 x 15",
            "20 x 15", "crop or scale");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "apply_deformation", IMAGE(image), IMAGE(field), NEW), "4 slices");
    REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "jacobian_of_deformation", IMAGE(field), NEW), "4 slices",
            "estimateDeformation");
    plane.pixels[7] = NAN;
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_deformable", IMAGE(harness_push(context, &plane)), IMAGE(image), NEW, NEW),
            "source", "NaN", "undefinedToZero");
    plane.pixels[7] = INFINITY;
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "register_deformable", IMAGE(image), IMAGE(harness_push(context, &plane)), NEW, NEW),
            "reference", "infinite");
    reference_image shifts = harness_image(&chance, DRUA_FLOAT32, reference_stack(20, 15, 2), HARNESS_SHIFTS);
    static const double broken[] = {(double)NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        shifts.pixels[37 + 300 * (i % 2)] = broken[i];
        REFUSED(DRUA_E_ARGUMENT, INVOKE(context, "invert_deformation", IMAGE(harness_push(context, &shifts)), NEW),
                "deformation", "NaN or infinite", "estimateDeformation");
        shifts.pixels[37 + 300 * (i % 2)] = 0;
    }
    reference_free(&shifts);
    reference_free(&plane);
    reference_free(&wider);
    reference_free(&four);
}
END_TEST

/* If one image has no texture, all shifts are 0, and the Log says why. The Log also warns about unrelated images. */
START_TEST(images_without_a_match_are_named)
{
    reference_image empty = reference_make(DRUA_FLOAT32, reference_plane(50, 40)),
                    one = harness_image(&chance, DRUA_FLOAT32, reference_plane(50, 40), HARNESS_GREY),
                    other = harness_image(&chance, DRUA_FLOAT32, reference_plane(50, 40), HARNESS_GREY);
    for (int k = 0; k < 2; k++) {
        drua_argument arguments[] = {IMAGE(harness_push(context, k ? &empty : &one)),
                                     IMAGE(harness_push(context, k ? &one : &empty)), NEW, NEW};
        REQUIRE(drua_invoke(context, "register_deformable", arguments, 4, NULL));
        ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "same value everywhere"));
        reference_image shifts = harness_pull(context, arguments[3].image);
        for (size_t i = 0; i < reference_count(&shifts); i++)
            ck_assert_double_eq(shifts.pixels[i], 0);
        reference_free(&shifts);
    }
    REQUIRE(INVOKE(context, "register_deformable", IMAGE(harness_push(context, &one)),
                   IMAGE(harness_push(context, &other)), NEW, NEW));
    ck_assert_ptr_nonnull(strstr(drua_take_messages(context), "check whether both images show the same scene"));
    reference_free(&empty);
    reference_free(&one);
    reference_free(&other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deformation");
    TCase *tests = tcase_create("deformation");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_loop_test(tests, a_known_deformation_is_found, 0, 4);
    tcase_add_test(tests, nothing_to_find);
    tcase_add_test(tests, jacobian_is_the_determinant);
    tcase_add_test(tests, inverse_undoes_a_deformation);
    tcase_add_test(tests, a_deformed_ramp_is_exact);
    tcase_add_test(tests, unknown_shifts_give_nan);
    tcase_add_test(tests, one_call_is_both_halves);
    tcase_add_test(tests, bad_input_is_refused);
    tcase_add_test(tests, images_without_a_match_are_named);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
