/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters by kernels compiled for their windows, as on GPUs, give the same bits as the general kernels. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBERS = 6 };

typedef struct trial {
    const char *operation;
    double numbers[MAX_NUMBERS]; /* for convolve and local_cross_correlation: the extent of the image of weights */
    int count;
    drua_shape shape;
    drua_type type, made; /* the types of source and result; DRUA_NO_TYPE: a new image */
    int kernels; /* minimum number of kernels that must be compiled for this trial */
    bool view; /* the source is a part of a larger image */
} trial;

/*
 * Tiles are 64 x 128, 64 x 8 and 64 x 16, chunks are 128 slices. Some images extend beyond one tile; some are smaller
 * than a window.
 */
static const trial trials[] = {
    {"maximum_box", {2, 1, 2}, 3, {68, 17, 5, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, false},
    {"minimum_box", {1, 2, 1}, 3, {13, 3, 131, 3}, DRUA_INT16, DRUA_NO_TYPE, 1, true},
    {"mean_box", {1, 1, 1}, 3, {67, 25, 3, 3}, DRUA_UINT8, DRUA_FLOAT32, 1, false},
    {"mean_box", {2, 1, 0}, 3, {132, 130, 2, 3}, DRUA_UINT16, DRUA_NO_TYPE, 1, false},
    {"mean_box", {9, 9, 9}, 3, {37, 20, 12, 3}, DRUA_UINT16, DRUA_NO_TYPE, 2, false},
    {"mean_box", {20, 20, 20}, 3, {36, 9, 21, 3}, DRUA_UINT16, DRUA_NO_TYPE, 3, false},
    {"mean_box", {60, 62, 11}, 3, {37, 10, 21, 3}, DRUA_INT16, DRUA_FLOAT32, 3, true},
    {"gaussian_blur", {0.4, 0.3, 0.3}, 3, {35, 18, 3, 3}, DRUA_INT8, DRUA_NO_TYPE, 1, false},
    {"gaussian_blur", {0.3, 0.3, 1.3}, 3, {20, 130, 130, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 2, true},
    {"gaussian_blur", {1.7, 0, 0}, 3, {518, 5, 2, 3}, DRUA_UINT16, DRUA_NO_TYPE, 1, false},
    {"gaussian_blur", {0, 1.7, 0}, 3, {24, 31, 3, 3}, DRUA_INT32, DRUA_FLOAT32, 1, false},
    {"top_hat_box", {1, 1, 1}, 3, {36, 20, 4, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 2, false},
    {"greyscale_closing_box", {4, 4, 1}, 3, {36, 20, 5, 3}, DRUA_INT16, DRUA_NO_TYPE, 3, false},
    {"subtract_gaussian_background", {0, 0, 0.3}, 3, {33, 4, 9, 3}, DRUA_UINT16, DRUA_FLOAT32, 1, false},
    {"difference_of_gaussian",
     {0.3, 0.3, 0.3, 0.5, 0.4, 0.5},
     6,
     {36, 131, 18, 3},
     DRUA_FLOAT32,
     DRUA_NO_TYPE,
     2,
     false},
    {"difference_of_gaussian", {0.5, 0.3, 0, 0.3, 0.4, 0}, 6, {33, 9, 2, 3}, DRUA_UINT16, DRUA_FLOAT32, 1, false},
    {"median_box", {1, 1, 0}, 3, {132, 70, 2, 3}, DRUA_UINT8, DRUA_NO_TYPE, 1, false},
    {"median_box", {1, 1, 1}, 3, {67, 5, 35, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, true},
    {"median_box", {1, 1, 1}, 3, {66, 6, 3, 3}, DRUA_UINT32, DRUA_NO_TYPE, 1, false},
    {"median_box", {2, 2, 0}, 3, {70, 67, 2, 3}, DRUA_INT16, DRUA_NO_TYPE, 1, false},
    {"median_box", {2, 2, 2}, 3, {37, 5, 19, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, true},
    {"maximum_sphere", {3, 3, 3}, 3, {68, 15, 18, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, false},
    {"minimum_sphere", {10, 10, 0}, 3, {35, 40, 2, 3}, DRUA_UINT16, DRUA_NO_TYPE, 1, true},
    {"maximum_sphere", {7, 2, 1}, 3, {36, 5, 3, 3}, DRUA_INT8, DRUA_FLOAT32, 1, false},
    {"minimum_octagon", {3}, 1, {67, 14, 4, 3}, DRUA_INT32, DRUA_NO_TYPE, 1, false},
    {"mean_sphere", {3, 3, 3}, 3, {68, 15, 18, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, false},
    {"mean_sphere", {1, 2, 3}, 3, {67, 13, 4, 3}, DRUA_INT16, DRUA_NO_TYPE, 1, true},
    {"count_nonzero_sphere", {2, 1, 0}, 3, {64, 3, 2, 3}, DRUA_UINT8, DRUA_NO_TYPE, 1, false},
    {"variance_sphere", {3, 3, 3}, 3, {37, 35, 5, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, false},
    {"maximum_sphere", {2, 11, 0}, 3, {133, 66, 2, 3}, DRUA_UINT16, DRUA_NO_TYPE, 1, false},
    {"minimum_sphere", {2, 1, 11}, 3, {35, 9, 13, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, true},
    {"mean_sphere", {2, 11, 0}, 3, {130, 67, 2, 3}, DRUA_UINT8, DRUA_FLOAT32, 1, true},
    {"mean_sphere", {4, 5, 1}, 3, {36, 18, 3, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, false},
    {"variance_sphere", {4, 5, 0}, 3, {35, 34, 2, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, true},
    {"variance_sphere", {4, 5, 2}, 3, {36, 18, 35, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, true},
    {"variance_sphere", {4, 3, 1}, 3, {33, 9, 3, 3}, DRUA_UINT8, DRUA_UINT16, 1, false},
    {"standard_deviation_box", {1, 4, 2}, 3, {35, 9, 3, 3}, DRUA_INT16, DRUA_NO_TYPE, 1, true},
    {"standard_deviation_box", {1, 2, 0}, 3, {33, 34, 2, 3}, DRUA_UINT8, DRUA_NO_TYPE, 1, true},
    {"sobel", {0}, 1, {132, 9, 34, 3}, DRUA_UINT16, DRUA_NO_TYPE, 1, false},
    {"tenengrad", {1}, 1, {33, 5, 3, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, true},
    {"entropy_box", {1, 1, 0}, 3, {33, 5, 3, 3}, DRUA_UINT8, DRUA_NO_TYPE, 1, false},
    {"convolve", {9, 7, 3}, 3, {133, 21, 5, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, true},
    {"convolve", {4, 1, 2}, 3, {6, 3, 2, 3}, DRUA_UINT16, DRUA_UINT8, 1, false},
    {"local_cross_correlation", {5, 6, 3}, 3, {131, 18, 4, 3}, DRUA_FLOAT32, DRUA_NO_TYPE, 1, false},
    {"local_cross_correlation", {1, 9, 1}, 3, {37, 5, 1, 2}, DRUA_INT16, DRUA_NO_TYPE, 1, true},
};

/* A context that compiles filter kernels at once, or never. */
static drua_context *open_with(const char *chains)
{
    setenv("DRUA_CHAINS", chains, 1);
    return harness_open();
}

static drua_image push_weights(drua_context *context, const trial *t)
{
    harness_random chance = {2};
    const double *extent = t->numbers;
    reference_image weights =
        harness_image(&chance, DRUA_FLOAT32,
                      (drua_shape){(int64_t)extent[0], (int64_t)extent[1], (int64_t)extent[2], 3}, HARNESS_GREY);
    const drua_image image = harness_push(context, &weights);
    reference_free(&weights);
    return image;
}

static drua_image run_filter(drua_context *context, const trial *t, drua_image source)
{
    drua_argument arguments[2 + MAX_NUMBERS] = {IMAGE(source)};
    int count = 1, result = 1;
    if (!strcmp(t->operation, "convolve") || !strcmp(t->operation, "local_cross_correlation")) {
        arguments[count++] = IMAGE(push_weights(context, t));
        result = count;
        arguments[count++] = NEW;
    } else {
        arguments[count++] = NEW;
        for (int i = 0; i < t->count; i++)
            arguments[count++] = NUMBER(t->numbers[i]);
    }
    if (t->made) {
        arguments[result].kind = DRUA_ARG_IMAGE;
        REQUIRE(drua_create(context, t->shape, t->made, &arguments[result].image));
    }
    REQUIRE(drua_invoke(context, t->operation, arguments, (size_t)count, NULL));
    REQUIRE(drua_sync(context));
    return arguments[result].image;
}

static drua_image make_source(drua_context *context, harness_random *chance, const trial *t)
{
    drua_shape shape = t->shape;
    if (t->view) {
        shape.width += 5;
        shape.height += 3;
    }
    reference_image pixels = harness_image(chance, t->type, shape, HARNESS_GREY);
    drua_argument part[] = {IMAGE(harness_push(context, &pixels)),
                            NEW,
                            NUMBER(3),
                            NUMBER(2),
                            NUMBER(0),
                            NUMBER((double)t->shape.width),
                            NUMBER((double)t->shape.height),
                            NUMBER((double)t->shape.depth)};
    reference_free(&pixels);
    if (t->view)
        REQUIRE(drua_invoke(context, "crop", part, sizeof part / sizeof *part, NULL));
    return part[t->view].image;
}

static void *pull_bytes(drua_context *context, drua_image image, size_t *bytes)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    void *pixels = reference_allocate(1, info.bytes);
    REQUIRE(drua_pull(context, image, pixels));
    *bytes = info.bytes;
    return pixels;
}

START_TEST(same_bits)
{
    drua_context *never = open_with("interpret"), *at_once = open_with("compile");
    harness_random chance = {1};
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        if (!harness_is_sampled((int)i))
            continue;
        const trial *t = &trials[i];
        drua_statistics before, after;
        size_t bytes, other_bytes;
        harness_random again = chance;
        const drua_image general = run_filter(never, t, make_source(never, &chance, t)),
                         source = make_source(at_once, &again, t);
        drua_get_statistics(at_once, &before);
        const drua_image special = run_filter(at_once, t, source);
        drua_get_statistics(at_once, &after);
        ck_assert_msg(after.programs_built >= before.programs_built + (uint64_t)t->kernels,
                      "%s: trial %zu compiled %d kernels", t->operation, i,
                      (int)(after.programs_built - before.programs_built));
        void *one = pull_bytes(never, general, &bytes), *other = pull_bytes(at_once, special, &other_bytes);
        ck_assert_uint_eq(bytes, other_bytes);
        ck_assert_msg(!memcmp(one, other, bytes), "%s: trial %zu", t->operation, i);
        free(one);
        free(other);
        REQUIRE(drua_clear(never));
        REQUIRE(drua_clear(at_once));
    }
    drua_close(never);
    drua_close(at_once);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("separable");
    TCase *tests = tcase_create("separable");
    harness_as_gpu();
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, same_bits);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
