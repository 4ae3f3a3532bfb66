/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests shifts between images: every shift that is found must have the best correlation by the definition in double
 * precision, and known shifts must be found.
 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

typedef struct search {
    int window[3], max[3], mean[3];
} search;

/* The differences from the mean over a box. */
static reference_image differences_from_mean(const reference_image *image, const int mean[3])
{
    reference_image made = reference_make(DRUA_FLOAT32, image->shape);
    REFERENCE_EACH_PIXEL(image->shape, x, y, z)
    {
        double sum = 0, count = 0;
        for (int i = -mean[0]; i <= mean[0]; i++)
            for (int j = -mean[1]; j <= mean[1]; j++)
                for (int k = -mean[2]; k <= mean[2]; k++, count++)
                    sum += reference_at(image, x + i, y + j, z + k);
        const double here = reference_at(image, x, y, z), difference = here - sum / count;
        made.pixels[(z * image->shape.height + y) * image->shape.width + x] =
            fabs(difference) < 1e-6 * fabs(here) ? 0 : difference;
    }
    return made;
}

static double coefficient(const reference_image *one, const reference_image *other, const search *s,
                          const int64_t at[3], const int64_t shift[3])
{
    double both = 0, first = 0, second = 0;
    for (int64_t x = at[0] - s->window[0]; x <= at[0] + s->window[0]; x++)
        for (int64_t y = at[1] - s->window[1]; y <= at[1] + s->window[1]; y++)
            for (int64_t z = at[2] - s->window[2]; z <= at[2] + s->window[2]; z++) {
                const double a = reference_at(one, x, y, z),
                             b = reference_at(other, x + shift[0], y + shift[1], z + shift[2]);
                both += a * b, first += a * a, second += b * b;
            }
    return first > 0 && second > 0 ? both / sqrt(first * second) : 0;
}

static double best(const reference_image *one, const reference_image *other, const search *s, const int64_t at[3])
{
    double max = -INFINITY;
    for (int64_t x = -s->max[0]; x <= s->max[0]; x++)
        for (int64_t y = -s->max[1]; y <= s->max[1]; y++)
            for (int64_t z = -s->max[2]; z <= s->max[2]; z++)
                max = fmax(max, coefficient(one, other, s, at, (const int64_t[]){x, y, z}));
    return max;
}

static void check_best(const reference_image *first, const reference_image *second, const search *s,
                       const reference_image found[3])
{
    reference_image one = differences_from_mean(first, s->mean), other = differences_from_mean(second, s->mean);
    REFERENCE_EACH_PIXEL(first->shape, x, y, z)
    {
        const int64_t at[3] = {x, y, z};
        int64_t shift[3];
        for (int axis = 0; axis < 3; axis++) {
            shift[axis] = (int64_t)reference_at(&found[axis], x, y, z);
            ck_assert_msg(llabs(shift[axis]) <= s->max[axis], "a shift of %d along axis %d", (int)shift[axis], axis);
        }
        const double got = coefficient(&one, &other, s, at, shift), wanted = best(&one, &other, s, at);
        ck_assert_msg(got >= wanted - 1e-4, "at %d, %d, %d the coefficient is %g, the best %g", (int)x, (int)y, (int)z,
                      got, wanted);
    }
    reference_free(&one);
    reference_free(&other);
}

static void free_all(reference_image found[3])
{
    for (int axis = 0; axis < 3; axis++)
        reference_free(&found[axis]);
}

static void velocimetry(drua_context *context, const reference_image *one, const reference_image *other,
                        const int max[3], reference_image found[3])
{
    drua_argument a[] = {IMAGE(harness_push(context, one)),
                         IMAGE(harness_push(context, other)),
                         NEW,
                         NEW,
                         NEW,
                         NUMBER(max[0]),
                         NUMBER(max[1]),
                         NUMBER(max[2])};
    REQUIRE(drua_invoke(context, "particle_image_velocimetry", a, 8, NULL));
    for (int axis = 0; axis < 3; axis++)
        found[axis] = harness_pull(context, a[2 + axis].image);
}

/* The image moved by x, y: the pixel at p moves to p + (x, y). */
static reference_image move_image(const reference_image *image, int64_t x, int64_t y)
{
    reference_image made = reference_make(image->type, image->shape);
    reference_crop(image, -x, -y, 0, &made);
    return made;
}

START_TEST(best_of_all_shifts)
{
    static const int64_t extents[][3] = {{9, 7, 1}, {1, 5, 1}, {12, 1, 1}, {6, 5, 4}, {13, 10, 2}};
    drua_context *context = harness_open();
    harness_random chance = {harness_new_seed("shifts")};
    for (int i = 0; i < 10; i++) {
        const int64_t *e = extents[i % 5];
        const drua_shape shape = e[2] > 1 ? reference_stack(e[0], e[1], e[2]) : reference_plane(e[0], e[1]);
        reference_image one = harness_image(&chance, harness_types[i % 7], shape, HARNESS_GREY),
                        other = harness_image(&chance, DRUA_FLOAT32, shape, HARNESS_GREY);
        const search s = {{3, 3, 0}, {2, 1, e[2] > 1}, {3, 3, 0}};
        reference_image found[3];
        velocimetry(context, &one, &other, s.max, found);
        check_best(&one, &other, &s, found);
        free_all(found);
        reference_free(&one);
        reference_free(&other);
    }
    drua_close(context);
}
END_TEST

START_TEST(best_along_axes)
{
    drua_context *context = harness_open();
    harness_random chance = {harness_new_seed("lines")};
    for (int volume = 0; volume < 2; volume++) {
        reference_image one = harness_image(&chance, DRUA_UINT8, reference_stack(9, 8, 5), HARNESS_GREY),
                        other = move_image(&one, 1, 0), found[3];
        drua_argument a[6] = {IMAGE(harness_push(context, &one)),
                              IMAGE(harness_push(context, &other)),
                              NEW,
                              NEW,
                              volume ? NEW : NUMBER(2),
                              NUMBER(2)};
        REQUIRE(drua_invoke(context, volume ? "fast_particle_image_velocimetry_3d" : "fast_particle_image_velocimetry",
                            a, volume ? 6 : 5, NULL));
        for (int axis = 0; axis < 2 + volume; axis++) {
            search s = {{0}, {0}, {0}};
            s.max[axis] = 2, s.window[axis] = volume ? 2 : 5, s.mean[axis] = volume ? 2 : 3;
            for (int other_axis = 0; other_axis < 3; other_axis++)
                found[other_axis] = reference_make(DRUA_FLOAT32, one.shape);
            reference_free(&found[axis]);
            found[axis] = harness_pull(context, a[2 + axis].image);
            check_best(&one, &other, &s, found);
            free_all(found);
        }
        reference_free(&one);
        reference_free(&other);
    }
    drua_close(context);
}
END_TEST

/* Texture moved by 2, -1 gives that shift where the windows do not reach the border; flat images give no shift. */
START_TEST(known_shifts)
{
    enum { SIZE = 28, BORDER = 9 };
    static const int max[] = {2, 2, 0};
    drua_context *context = harness_open();
    harness_random chance = {harness_new_seed("texture")};
    reference_image one = harness_image(&chance, DRUA_UINT16, reference_plane(SIZE, SIZE), HARNESS_GREY),
                    other = move_image(&one, 2, -1), found[3];
    velocimetry(context, &one, &other, max, found);
    for (int64_t y = BORDER; y < SIZE - BORDER; y++)
        for (int64_t x = BORDER; x < SIZE - BORDER; x++) {
            ck_assert_double_eq(reference_at(&found[0], x, y, 0), 2);
            ck_assert_double_eq(reference_at(&found[1], x, y, 0), -1);
        }
    free_all(found);
    reference_image flat = reference_make(DRUA_FLOAT32, one.shape);
    for (size_t i = 0; i < reference_count(&flat); i++)
        flat.pixels[i] = (float)0.1;
    velocimetry(context, &flat, &flat, max, found);
    for (size_t i = 0; i < reference_count(&flat); i++)
        ck_assert_msg(found[0].pixels[i] == 0 && found[1].pixels[i] == 0 && found[2].pixels[i] == 0,
                      "a flat image moves");
    free_all(found);
    reference_free(&flat);
    reference_free(&one);
    reference_free(&other);
    drua_close(context);
}
END_TEST

/* Pairs of slices are treated as separate pairs of planes. */
START_TEST(slices_are_planes)
{
    enum { SLICES = 4 };
    static const int max[] = {1, 2, 0};
    drua_context *context = harness_open();
    harness_random chance = {harness_new_seed("slices")};
    reference_image stack = harness_image(&chance, DRUA_FLOAT32, reference_stack(11, 9, SLICES), HARNESS_GREY);
    drua_argument a[] = {
        IMAGE(harness_push(context, &stack)), NEW, NEW, NEW, NUMBER(max[0]), NUMBER(max[1]), NUMBER(7)};
    REQUIRE(drua_invoke(context, "particle_image_velocimetry_timelapse", a, 7, NULL));
    for (int axis = 0; axis < 3; axis++) {
        reference_image all = harness_pull(context, a[1 + axis].image);
        ck_assert_int_eq(all.shape.depth, SLICES - 1);
        for (int t = 0; t < SLICES - 1; t++) {
            reference_image plane = reference_make(DRUA_FLOAT32, reference_plane(11, 9)),
                            next = reference_duplicate(&plane), found[3];
            reference_crop(&stack, 0, 0, t, &plane);
            reference_crop(&stack, 0, 0, t + 1, &next);
            velocimetry(context, &plane, &next, max, found);
            REFERENCE_EACH_PIXEL(plane.shape, x, y, z)
            ck_assert_double_eq(reference_at(&all, x, y, t), reference_at(&found[axis], x, y, z));
            free_all(found);
            reference_free(&plane);
            reference_free(&next);
        }
        reference_free(&all);
    }
    reference_free(&stack);
    drua_close(context);
}
END_TEST

/* Where the shift is uniform, registration turns the second image into the first. */
START_TEST(registration_undoes_a_shift)
{
    enum { SIZE = 48, BORDER = 20 };
    drua_context *context = harness_open();
    harness_random chance = {harness_new_seed("registration")};
    reference_image one = harness_image(&chance, DRUA_FLOAT32, reference_plane(SIZE, SIZE), HARNESS_GREY),
                    other = move_image(&one, -1, 1);
    drua_argument a[] = {IMAGE(harness_push(context, &one)), IMAGE(harness_push(context, &other)), NEW, NUMBER(2),
                         NUMBER(2)};
    REQUIRE(drua_invoke(context, "deformable_registration_2d", a, 5, NULL));
    reference_image warped = harness_pull(context, a[2].image);
    for (int64_t y = BORDER; y < SIZE - BORDER; y++)
        for (int64_t x = BORDER; x < SIZE - BORDER; x++)
            ck_assert_double_eq_tol(reference_at(&warped, x, y, 0), reference_at(&one, x, y, 0), 1e-2);
    drua_argument alone[] = {a[0], NEW, NEW, NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
    REFUSED(DRUA_E_ARGUMENT, drua_invoke(context, "particle_image_velocimetry_timelapse", alone, 7, NULL), "one slice",
            "push a stack");
    reference_free(&warped);
    reference_free(&one);
    reference_free(&other);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("displacement");
    TCase *tests = tcase_create("displacement");
    tcase_add_test(tests, best_of_all_shifts);
    tcase_add_test(tests, best_along_axes);
    tcase_add_test(tests, known_shifts);
    tcase_add_test(tests, slices_are_planes);
    tcase_add_test(tests, registration_undoes_a_shift);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
