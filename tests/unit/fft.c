/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms and convolutions of many extents against sums in double precision. */
#include "harness.h"

#include "provider.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const drua_shape shapes[] = {
    {1, 1, 1, 3}, {2, 1, 1, 3}, {3, 1, 1, 3}, {4, 1, 1, 3}, {5, 1, 1, 3}, {1, 2, 1, 3}, {1, 1, 2, 3}, {1, 3, 1, 3},
    {1, 7, 1, 3}, {1, 1, 11, 3}, {6, 1, 1, 3}, {7, 1, 1, 3}, {8, 1, 1, 3}, {11, 1, 1, 3}, {13, 1, 1, 3}, {16, 1, 1, 3},
    {17, 1, 1, 3}, {19, 1, 1, 3}, {1, 1, 23, 3}, {1, 29, 1, 3}, {31, 1, 1, 3}, {64, 1, 1, 3}, {97, 1, 1, 3}, {243, 1, 1, 3},
    {1024, 1, 1, 3}, {5000, 1, 1, 3}, {2, 2, 1, 3}, {3, 5, 1, 3}, {5, 1, 4, 3}, {1, 6, 5, 3}, {9, 8, 1, 3}, {16, 1, 3, 3},
    {17, 2, 1, 3}, {34, 12, 1, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}, {7, 5, 3, 3}, {8, 6, 4, 3}, {12, 10, 9, 3}, {13, 4, 2, 3}};

static drua_device *device;
static drua_fft *fft;
static harness_random chance;

static void open_device(void)
{
    REQUIRE(drua_device_open(NULL, &device));
    REQUIRE(drua_fft_open(device, &fft));
}

static void close_device(void)
{
    drua_fft_close(fft);
    drua_device_close(device);
}

/* ---- references */

typedef struct complex_number {
    double re, im;
} complex_number;

static size_t count_of(drua_shape s)
{
    return (size_t)(s.width * s.height * s.depth);
}

/* One axis of a full transform as the sum that defines it. */
static void transform_axis(complex_number *c, int64_t n, int64_t stride, int64_t outer, int64_t outer_stride)
{
    complex_number *line = malloc((size_t)n * sizeof *line);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < stride; i++) {
            complex_number *at = c + o * outer_stride + i;
            for (int64_t k = 0; k < n; k++) {
                line[k] = (complex_number){0, 0};
                for (int64_t j = 0; j < n; j++) {
                    const double turn = -2 * M_PI * (double)(j * k % n) / (double)n;
                    line[k].re += at[j * stride].re * cos(turn) - at[j * stride].im * sin(turn);
                    line[k].im += at[j * stride].re * sin(turn) + at[j * stride].im * cos(turn);
                }
            }
            for (int64_t k = 0; k < n; k++)
                at[k * stride] = line[k];
        }
    free(line);
}

static complex_number *transform(const float *image, drua_shape s)
{
    complex_number *c = calloc(count_of(s), sizeof *c);
    for (size_t i = 0; i < count_of(s); i++)
        c[i].re = image[i];
    transform_axis(c, s.width, 1, s.height * s.depth, s.width);
    transform_axis(c, s.height, s.width, s.depth, s.width * s.height);
    transform_axis(c, s.depth, s.width * s.height, 1, 0);
    return c;
}

static double *convolve(const float *image, const float *kernel, drua_shape s, int sign)
{
    double *out = calloc(count_of(s), sizeof *out);
    for (int64_t z = 0; z < s.depth; z++)
        for (int64_t y = 0; y < s.height; y++)
            for (int64_t x = 0; x < s.width; x++)
                for (int64_t c = 0; c < s.depth; c++)
                    for (int64_t b = 0; b < s.height; b++)
                        for (int64_t a = 0; a < s.width; a++) {
                            const int64_t px = (x - sign * a + s.width) % s.width, py = (y - sign * b + s.height) % s.height,
                                          pz = (z - sign * c + s.depth) % s.depth;
                            out[(z * s.height + y) * s.width + x] +=
                                (double)image[(pz * s.height + py) * s.width + px] * kernel[(c * s.height + b) * s.width + a];
                        }
    return out;
}

/* ---- the engine's side */

static float *random_image(drua_shape s)
{
    float *image = malloc(count_of(s) * sizeof *image);
    for (size_t i = 0; i < count_of(s); i++)
        image[i] = (float)(harness_next(&chance) >> 8) / 16777216.0f;
    return image;
}

/* Copies between dense rows and rows with room for the spectrum. */
static float *spread(const float *image, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    float *work = calloc((size_t)(l.plane * s.depth), sizeof *work);
    for (int64_t row = 0; row < s.height * s.depth; row++)
        memcpy(work + row * l.row, image + row * s.width, (size_t)s.width * sizeof *work);
    return work;
}

static drua_view all_of(drua_buffer *buffer, drua_shape s)
{
    return (drua_view){buffer, drua_fft_spectrum(s)};
}

static drua_buffer *push(const float *image, drua_shape s)
{
    drua_buffer *buffer;
    const drua_layout l = drua_fft_image(s);
    float *work = spread(image, s);
    const void **planes = malloc((size_t)s.depth * sizeof *planes);
    for (int64_t z = 0; z < s.depth; z++)
        planes[z] = work + z * l.plane;
    REQUIRE(drua_buffer_make(device, (uint64_t)(l.plane * s.depth) * sizeof(float), &buffer));
    REQUIRE(drua_device_upload(device, all_of(buffer, s), planes));
    free(planes);
    free(work);
    return buffer;
}

static float *pull(drua_buffer *buffer, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    float *work = malloc((size_t)(l.plane * s.depth) * sizeof *work);
    REQUIRE(drua_device_read(device, all_of(buffer, s), work, (size_t)(l.plane * s.depth) * sizeof *work));
    return work;
}

static double image_error(const float *work, const float *image, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    double wrong = 0, norm = 0;
    for (int64_t row = 0; row < s.height * s.depth; row++)
        for (int64_t x = 0; x < s.width; x++) {
            const double due = image[row * s.width + x], d = work[row * l.row + x] - due;
            wrong += d * d;
            norm += due * due;
        }
    return sqrt(wrong / norm);
}

static double spectrum_error(const float *work, const complex_number *due, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    double wrong = 0, norm = 0;
    for (int64_t row = 0; row < s.height * s.depth; row++)
        for (int64_t x = 0; x <= s.width / 2; x++) {
            const complex_number k = x < s.width ? due[row * s.width + x] : due[row * s.width];
            const double re = work[row * l.row + 2 * x] - k.re, im = work[row * l.row + 2 * x + 1] - k.im;
            wrong += re * re + im * im;
            norm += k.re * k.re + k.im * k.im;
        }
    return sqrt(wrong / norm);
}

static void transforms(drua_shape s)
{
    float *image = random_image(s);
    complex_number *due = transform(image, s);
    drua_buffer *work = push(image, s);
    REQUIRE(drua_fft_forward(fft, s, work));
    float *got = pull(work, s);
    const double forward = spectrum_error(got, due, s);
    ck_assert_msg(forward < 6e-7, "%d x %d x %d: spectrum off by %g", (int)s.width, (int)s.height, (int)s.depth, forward);
    free(got);
    REQUIRE(drua_fft_inverse(fft, s, work));
    got = pull(work, s);
    const double back = image_error(got, image, s);
    ck_assert_msg(back < 1e-6, "%d x %d x %d: round trip off by %g", (int)s.width, (int)s.height, (int)s.depth, back);
    free(got);
    drua_buffer_release(work);
    free(due);
    free(image);
}

/* In place and out of place, twice, with other buffers the second time. */
static void convolutions(drua_shape s)
{
    for (int round = 0; round < 4; round++) {
        const bool correlate = round % 2, in_place = round < 2;
        float *image = random_image(s), *kernel = random_image(s);
        drua_buffer *from = push(image, s), *spectrum = push(kernel, s), *to = in_place ? from : push(image, s);
        REQUIRE(drua_fft_forward(fft, s, spectrum));
        REQUIRE(drua_fft_convolve(fft, s, from, spectrum, to, correlate));
        double *due = convolve(image, kernel, s, correlate ? -1 : 1);
        float *got = pull(to, s), *single = malloc(count_of(s) * sizeof *single);
        for (size_t i = 0; i < count_of(s); i++)
            single[i] = (float)due[i];
        const double error = image_error(got, single, s);
        ck_assert_msg(error < 1e-6, "%d x %d x %d, round %d: off by %g (%s)", (int)s.width, (int)s.height, (int)s.depth, round, error,
                      drua_fft_note(fft, s));
        if (!in_place)
            drua_buffer_release(to);
        drua_buffer_release(from);
        drua_buffer_release(spectrum);
        free(single);
        free(got);
        free(due);
        free(image);
        free(kernel);
    }
}

/* A device opens once: one process for all extents. */
START_TEST(against_sums)
{
    static const drua_shape few[] = {{1, 1, 1, 3}, {6, 1, 1, 3}, {1, 6, 5, 3}, {9, 8, 1, 3}, {8, 6, 4, 3}, {17, 2, 1, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        transforms(shapes[i]);
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        convolutions(few[i]);
}
END_TEST

/* In a process that has transformed nothing yet: by way of a longer transform, whose tables are transformed first. */
START_TEST(prime_at_first)
{
    transforms((drua_shape){29, 2, 1, 3});
}
END_TEST

/* Extents beyond what a library's kernels can reach go to another one or are a sentence, never a crash. */
START_TEST(too_long)
{
    static const drua_shape long_ones[] = {{131072, 2, 1, 3}, {2, 131072, 1, 3}, {1, 1, 65521, 3}, {65521, 1, 1, 3}};
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        const drua_shape s = long_ones[i];
        float *image = random_image(s);
        drua_buffer *work = push(image, s);
        const drua_status status = drua_fft_forward(fft, s, work);
        ck_assert(status == DRUA_OK || status == DRUA_E_UNSUPPORTED);
        if (status == DRUA_OK) {
            REQUIRE(drua_fft_inverse(fft, s, work));
            float *got = pull(work, s);
            ck_assert_double_lt(image_error(got, image, s), 2e-6);
            free(got);
        }
        drua_buffer_release(work);
        free(image);
    }
}
END_TEST

static float *forward_by(const char *library, const float *image, drua_shape s, bool *is_there)
{
    drua_fft *own;
    setenv("DRUA_FFT", library, 1);
    REQUIRE(drua_fft_open(device, &own));
    drua_buffer *work = push(image, s);
    *is_there = drua_fft_forward(own, s, work) == DRUA_OK;
    float *got = pull(work, s);
    if (*is_there)
        REQUIRE(drua_fft_inverse(own, s, work));
    float *back = pull(work, s);
    ck_assert(!*is_there || image_error(back, image, s) < 1e-6);
    free(back);
    drua_buffer_release(work);
    drua_fft_close(own);
    unsetenv("DRUA_FFT");
    return got;
}

/* Where both are here, VkFFT and clFFT give the same, and so does the one that is faster. */
START_TEST(libraries_agree)
{
    static const drua_shape some[] = {{16, 12, 8, 3}, {1, 16, 6, 3}, {13, 11, 1, 3}, {15, 1, 4, 3}, {36, 30, 14, 3}, {54, 24, 1, 3}, {180, 1, 63, 3}};
    static const char *const libraries[] = {"vkfft", "clfft", "measure", "lines"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        const drua_shape s = some[i];
        const drua_layout l = drua_fft_image(s);
        float *image = random_image(s), *got[4];
        bool is_there[4];
        for (int k = 0; k < 4; k++)
            got[k] = forward_by(libraries[k], image, s, &is_there[k]);
        for (int k = 1; k < 4 && is_there[0]; k++) {
            double wrong = 0, norm = 0;
            for (int64_t n = 0; n < l.plane * s.depth && is_there[k]; n++) {
                if (n % l.row >= 2 * (s.width / 2 + 1))
                    continue;
                wrong += pow((double)got[k][n] - got[0][n], 2);
                norm += pow(got[0][n], 2);
            }
            ck_assert_msg(sqrt(wrong) <= 1e-6 * sqrt(norm), "%s differs from VkFFT by %g at extent %zu", libraries[k], sqrt(wrong / norm), i);
        }
        printf("%d x %d x %d: vkfft %d, clfft %d, measure %d, lines %d\n", (int)s.width, (int)s.height, (int)s.depth, is_there[0], is_there[1], is_there[2],
               is_there[3]);
        for (int k = 0; k < 4; k++)
            free(got[k]);
        free(image);
    }
}
END_TEST

/* ---- a provider that does nothing where it should transform, and says that all is well */

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

/* The table of providers is for reading only, as far as the engine is concerned. */
static void put_first(const fft_provider *provider)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)&fft_providers[0], first = at / page * page;
    ck_assert_int_eq(mprotect((void *)first, at + sizeof provider - first, PROT_READ | PROT_WRITE), 0);
    memcpy((void *)at, &provider, sizeof provider);
}

/* Its plan is not used: another provider's is, or nobody's, or single passes; what comes out is right, and the note says why. */
START_TEST(who_fails_the_test_is_not_used)
{
    static const char *const sentences[] = {"its transform is off", "its inverse transform is off", "its correlation is off"};
    honest = fft_providers[0];
    fft_provider spoilt = *honest;
    spoilt.transform = idle_transform;
    spoilt.convolve = idle_convolve;
    put_first(&spoilt);
    for (idle = FORWARD; idle <= CONVOLUTION; idle++) {
        drua_fft *own;
        const drua_shape s = idle == CONVOLUTION ? (drua_shape){16, 12, 8, 3} : (drua_shape){32, 1, 1, 3};     /* clFFT compiles long for more axes */
        float *image = random_image(s), *kernel = random_image(s);
        drua_buffer *from = push(image, s), *spectrum = push(kernel, s);
        REQUIRE(drua_fft_open(device, &own));
        if (drua_fft_prepare(own, s, true) == DRUA_OK) {
            REQUIRE(drua_fft_forward(own, s, spectrum));
            REQUIRE(drua_fft_convolve(own, s, from, spectrum, from, true));
            double *due = convolve(image, kernel, s, -1);
            float *got = pull(from, s), *single = malloc(count_of(s) * sizeof *single);
            for (size_t i = 0; i < count_of(s); i++)
                single[i] = (float)due[i];
            ck_assert_double_lt(image_error(got, single, s), 1e-6);
            printf("%s\n", drua_fft_note(own, s));
            if (idle != CONVOLUTION || honest->convolve)
                ck_assert_msg(strstr(drua_fft_note(own, s), sentences[idle]), "the note says '%s'", drua_fft_note(own, s));
            free(due), free(got), free(single);
        } else {
            ck_assert_int_ne(idle, CONVOLUTION);
            ck_assert_msg(strstr(drua_error_message(), sentences[idle]), "the sentence is '%s'", drua_error_message());
        }
        drua_buffer_release(from);
        drua_buffer_release(spectrum);
        drua_fft_close(own);
        free(image), free(kernel);
    }
    put_first(honest);
}
END_TEST

START_TEST(extents)
{
    static const int64_t pairs[][2] = {{0, 1}, {1, 1}, {11, 12}, {13, 14}, {121, 125}, {512, 512}, {577, 588}, {1021, 1024}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_int_eq(drua_fft_extent(pairs[i][0]), pairs[i][1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fft");
    TCase *on_device = tcase_create("transforms"), *spoilt = tcase_create("spoilt");
    chance.state = harness_new_seed("fft");
    tcase_add_checked_fixture(on_device, open_device, close_device);
    tcase_add_test(on_device, against_sums);
    tcase_add_test(on_device, prime_at_first);
    tcase_add_test(on_device, too_long);
    tcase_add_test(on_device, libraries_agree);
    tcase_add_test(on_device, extents);
    suite_add_tcase(suite, on_device);
    tcase_add_checked_fixture(spoilt, open_device, close_device);
    tcase_add_test(spoilt, who_fails_the_test_is_not_used);
    suite_add_tcase(suite, spoilt);
    return harness_run(suite);
}
