/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares transforms and convolutions of many extents with sums in double precision. */
#include "fourier.h"

#include "provider.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const drua_shape shapes[] = {
    {1, 1, 1, 3},  {2, 1, 1, 3},  {3, 1, 1, 3},   {4, 1, 1, 3},    {5, 1, 1, 3},    {1, 2, 1, 3},   {1, 1, 2, 3},
    {1, 3, 1, 3},  {1, 7, 1, 3},  {1, 1, 11, 3},  {6, 1, 1, 3},    {7, 1, 1, 3},    {8, 1, 1, 3},   {11, 1, 1, 3},
    {13, 1, 1, 3}, {16, 1, 1, 3}, {17, 1, 1, 3},  {19, 1, 1, 3},   {1, 1, 23, 3},   {1, 29, 1, 3},  {31, 1, 1, 3},
    {64, 1, 1, 3}, {97, 1, 1, 3}, {243, 1, 1, 3}, {1024, 1, 1, 3}, {5000, 1, 1, 3}, {2, 2, 1, 3},   {3, 5, 1, 3},
    {5, 1, 4, 3},  {1, 6, 5, 3},  {9, 8, 1, 3},   {16, 1, 3, 3},   {17, 2, 1, 3},   {34, 12, 1, 3}, {2, 2, 2, 3},
    {3, 3, 3, 3},  {7, 5, 3, 3},  {8, 6, 4, 3},   {12, 10, 9, 3},  {13, 4, 2, 3}};

/* One process tests all extents, because opening the device is slow. DRUA_SAMPLE=n tests every n-th. */
START_TEST(against_sums)
{
    static const drua_shape few[] = {{1, 1, 1, 3}, {6, 1, 1, 3}, {1, 6, 5, 3},
                                     {9, 8, 1, 3}, {8, 6, 4, 3}, {17, 2, 1, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (harness_is_sampled((int)i))
            fourier_transforms(shapes[i]);
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        if (harness_is_sampled((int)i))
            fourier_convolutions(few[i]);
}
END_TEST

/*
 * The first transform of a process has a prime extent. It uses a longer transform, which must transform its tables
 * first.
 */
START_TEST(prime_at_first)
{
    fourier_transforms((drua_shape){29, 2, 1, 3});
}
END_TEST

/* Extents too long for a library's kernels use another library or give an error, never a crash. */
START_TEST(too_long)
{
    static const drua_shape long_ones[] = {{131072, 2, 1, 3}, {2, 131072, 1, 3}, {1, 1, 65521, 3}, {65521, 1, 1, 3}};
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        if (!harness_is_sampled((int)i))
            continue;
        const drua_shape s = long_ones[i];
        float *image = fourier_random(s);
        drua_buffer *work = fourier_push(image, s);
        const drua_status status = drua_fft_forward(FOURIER(fourier_fft, s), work);
        ck_assert(status == DRUA_OK || status == DRUA_E_UNSUPPORTED);
        if (status == DRUA_OK) {
            REQUIRE(drua_fft_inverse(FOURIER(fourier_fft, s), work));
            float *got = fourier_pull(work, s);
            ck_assert_double_lt(fourier_error(got, image, s), 2e-6);
            free(got);
        }
        drua_buffer_release(work);
        free(image);
    }
}
END_TEST

static float *forward_by(const char *library, const float *image, drua_shape s, bool *is_present)
{
    drua_fft *own;
    setenv("DRUA_FFT", library, 1);
    REQUIRE(drua_fft_open(fourier_device, &own));
    drua_buffer *work = fourier_push(image, s);
    *is_present = drua_fft_forward(FOURIER(own, s), work) == DRUA_OK;
    float *got = fourier_pull(work, s);
    if (*is_present)
        REQUIRE(drua_fft_inverse(FOURIER(own, s), work));
    float *back = fourier_pull(work, s);
    ck_assert(!*is_present || fourier_error(back, image, s) < 1e-6);
    free(back);
    drua_buffer_release(work);
    drua_fft_close(own);
    unsetenv("DRUA_FFT");
    return got;
}

/* All available libraries and the built-in FFT give the same results. */
START_TEST(libraries_agree)
{
    static const drua_shape some[] = {{16, 12, 8, 3},  {1, 16, 6, 3},  {13, 11, 1, 3}, {15, 1, 4, 3},
                                      {36, 30, 14, 3}, {54, 24, 1, 3}, {180, 1, 63, 3}};
    static const char *const libraries[] = {"vkfft", "clfft", "measure", "builtin"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        if (!harness_is_sampled((int)i))
            continue;
        const drua_shape s = some[i];
        const drua_layout l = drua_fft_image(s);
        float *image = fourier_random(s), *got[4];
        bool is_present[4];
        for (int k = 0; k < 4; k++)
            got[k] = forward_by(libraries[k], image, s, &is_present[k]);
        int first = 0;
        while (first < 3 && !is_present[first])
            first++;
        for (int k = first + 1; k < 4; k++) {
            double wrong = 0, norm = 0;
            for (int64_t n = 0; n < l.plane * s.depth && is_present[k]; n++) {
                if (n % l.row >= 2 * (s.width / 2 + 1))
                    continue;
                wrong += pow((double)got[k][n] - got[first][n], 2);
                norm += pow(got[first][n], 2);
            }
            ck_assert_msg(sqrt(wrong) <= 1e-6 * sqrt(norm), "%s differs from %s by %g for shape number %zu",
                          libraries[k], libraries[first], sqrt(wrong / norm), i);
        }
        printf("%d x %d x %d: vkfft %d, clfft %d, measure %d, lines %d\n", (int)s.width, (int)s.height, (int)s.depth,
               is_present[0], is_present[1], is_present[2], is_present[3]);
        for (int k = 0; k < 4; k++)
            free(got[k]);
        free(image);
    }
}
END_TEST

/* Covers each radix of the built-in FFT, several lines per work-group, idle work-items, and lines in two halves. */
START_TEST(built_in_lines)
{
    static const drua_shape some[] = {{36, 10, 12, 3}, {42, 14, 15, 3}, {30, 18, 20, 3}, {2, 21, 6, 3},
                                      {540, 1, 1, 3},  {1050, 2, 1, 3}, {576, 1, 1, 3},  {2, 576, 1, 3},
                                      {2, 1050, 1, 3}, {2, 2100, 1, 3}, {2, 2187, 1, 3}, {2, 2240, 1, 3},
                                      {2, 1, 270, 3},  {64, 32, 16, 3}, {2, 2048, 1, 3}};
    if (!drua_device_get_info(fourier_device)->is_gpu)
        return;
    setenv("DRUA_FFT", fft_built_in.name, 1);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (harness_is_sampled((int)i))
            fourier_transforms(some[i]);
    fourier_convolutions((drua_shape){12, 10, 15, 3});
    unsetenv("DRUA_FFT");
}
END_TEST

/* ---- devices that share a call */

static float *forward_with(drua_fft *fft, const drua_fft_choices *choices, const float *image, drua_shape s)
{
    drua_buffer *work = fourier_push(image, s);
    REQUIRE(drua_fft_forward(&(drua_fft_request){.fft = fft, .shape = s, .choices = choices}, work));
    float *got = fourier_pull(work, s);
    drua_buffer_release(work);
    return got;
}

/* A request that contains the choice of another transform uses this choice, even if the request has its own too. */
START_TEST(choices_are_followed)
{
    const drua_shape s = {36, 30, 14, 3}, other = {12, 10, 1, 3};
    const char *second = drua_device_get_info(fourier_device)->is_gpu ? "builtin" : "clfft";
    float *image = fourier_random(s), *small = fourier_random(other);
    bool is_present;
    free(forward_by(second, image, s, &is_present));
    drua_fft *leader;
    if (!is_present) {
        harness_skip("there is no second provider of transforms, %s", second);
        free(image), free(small);
        return;
    }
    setenv("DRUA_FFT", second, 1);
    REQUIRE(drua_fft_open(fourier_device, &leader));
    float *expected = forward_with(leader, NULL, image, s);
    unsetenv("DRUA_FFT");
    const drua_fft_choices choices = drua_fft_chosen(leader);
    ck_assert_int_eq(choices.count, 1);
    ck_assert_int_eq(drua_fft_chosen(NULL).count, 0);
    float *by_itself = forward_with(fourier_fft, NULL, image, s);
    ck_assert_str_ne(drua_fft_note(fourier_fft, s), drua_fft_note(leader, s));
    float *followed = forward_with(fourier_fft, &choices, image, s),
          *of_other = forward_with(fourier_fft, &choices, small, other);
    ck_assert_str_eq(drua_fft_note(fourier_fft, s), drua_fft_note(leader, s));
    ck_assert(!memcmp(followed, expected, sizeof *expected * (size_t)(drua_fft_image(s).plane * s.depth)));
    ck_assert_int_eq(drua_fft_chosen(fourier_fft).count, 2);
    const drua_shape third = {10, 12, 1, 3};
    float *of_third = forward_with(fourier_fft, NULL, small, third);
    ck_assert_str_eq(drua_fft_note(fourier_fft, third), drua_fft_note(fourier_fft, other));
    drua_fft_close(leader);
    free(image), free(small), free(expected), free(by_itself), free(followed), free(of_other), free(of_third);
}
END_TEST

/* ---- a provider that reports success without transforming anything */

static const fft_provider *honest;
static enum { FORWARD, INVERSE, CONVOLUTION } idle;

static drua_status idle_transform(void *state, drua_buffer *work, bool inverse)
{
    return idle == (inverse ? INVERSE : FORWARD) ? DRUA_OK : honest->transform(state, work, inverse);
}

static drua_status idle_convolve(void *state, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate)
{
    return idle == CONVOLUTION && correlate ? DRUA_OK : honest->convolve(state, from, kernel, to, correlate);
}

/* The provider that is asked first for a convolution. */
static int first_asked(void)
{
    for (int i = 0; drua_device_get_info(fourier_device)->is_gpu && fft_providers[i]; i++)
        if (fft_providers[i]->join)
            return i;
    return 0;
}

/*
 * Another provider or single passes replace the failing provider, and the note names the failure. Without a
 * replacement, the error names it.
 */
START_TEST(who_fails_the_test_is_not_used)
{
    static const char *const sentences[] = {"its transform is off", "its inverse transform is off",
                                            "its correlation is off"};
    const int first = first_asked();
    honest = fft_providers[first];
    fft_provider spoilt = *honest;
    spoilt.transform = idle_transform;
    spoilt.convolve = idle_convolve;
    fourier_put(first, &spoilt);
    for (idle = FORWARD; idle <= CONVOLUTION; idle++) {
        drua_fft *own;
        const drua_shape s = idle == CONVOLUTION ? (drua_shape){16, 12, 8, 3}
                                                 : (drua_shape){32, 1, 1, 3}; /* clFFT compiles slowly for more axes */
        float *image = fourier_random(s), *kernel = fourier_random(s);
        drua_buffer *from = fourier_push(image, s), *spectrum = fourier_push(kernel, s);
        REQUIRE(drua_fft_open(fourier_device, &own));
        if (drua_fft_prepare(FOURIER(own, s), true) == DRUA_OK) {
            REQUIRE(drua_fft_forward(FOURIER(own, s), spectrum));
            REQUIRE(drua_fft_convolve(FOURIER(own, s), from, spectrum, from, true));
            double *expected = fourier_convolve(image, kernel, s, -1);
            float *got = fourier_pull(from, s), *single = malloc(fourier_count(s) * sizeof *single);
            for (size_t i = 0; i < fourier_count(s); i++)
                single[i] = (float)expected[i];
            ck_assert_double_lt(fourier_error(got, single, s), 1e-6);
            printf("%s\n", drua_fft_note(own, s));
            if (idle != CONVOLUTION || honest->convolve)
                ck_assert_msg(strstr(drua_fft_note(own, s), sentences[idle]), "the note is '%s'",
                              drua_fft_note(own, s));
            free(expected), free(got), free(single);
        } else {
            ck_assert_int_ne(idle, CONVOLUTION);
            ck_assert_msg(strstr(drua_error_message(), sentences[idle]), "the error message is '%s'",
                          drua_error_message());
        }
        drua_buffer_release(from);
        drua_buffer_release(spectrum);
        drua_fft_close(own);
        free(image), free(kernel);
    }
    fourier_put(first, honest);
}
END_TEST

START_TEST(extents)
{
    static const int64_t pairs[][2] = {{0, 1},     {1, 1},     {11, 12},   {13, 14},
                                       {121, 125}, {512, 512}, {577, 588}, {1021, 1024}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_int_eq(drua_fft_extent(pairs[i][0]), pairs[i][1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fft");
    TCase *on_device = tcase_create("transforms"), *lines = tcase_create("lines"), *spoilt = tcase_create("spoilt");
    fourier_chance.state = harness_new_seed("fft");
    tcase_add_checked_fixture(on_device, fourier_open, fourier_close);
    tcase_add_test(on_device, against_sums);
    tcase_add_test(on_device, prime_at_first);
    tcase_add_test(on_device, too_long);
    tcase_add_test(on_device, libraries_agree);
    tcase_add_test(on_device, choices_are_followed);
    tcase_add_test(on_device, extents);
    suite_add_tcase(suite, on_device);
    tcase_add_checked_fixture(lines, fourier_open, fourier_close);
    tcase_add_test(lines, built_in_lines);
    suite_add_tcase(suite, lines);
    tcase_add_checked_fixture(spoilt, fourier_open, fourier_close);
    tcase_add_test(spoilt, who_fails_the_test_is_not_used);
    suite_add_tcase(suite, spoilt);
    return harness_run(suite);
}
