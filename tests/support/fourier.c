/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares Fourier transforms and convolutions with sums in double precision. */
#include "fourier.h"

#include "provider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

drua_device *fourier_device;
drua_fft *fourier_fft;
harness_random fourier_chance;

void fourier_open(void)
{
    REQUIRE(drua_device_open(NULL, &fourier_device));
    REQUIRE(drua_fft_open(fourier_device, &fourier_fft));
}

void fourier_close(void)
{
    drua_fft_close(fourier_fft);
    drua_device_close(fourier_device);
}

/* ---- references */

typedef struct complex_number {
    double re, im;
} complex_number;

size_t fourier_count(drua_shape s)
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

static complex_number *transform_image(const float *image, drua_shape s)
{
    complex_number *c = calloc(fourier_count(s), sizeof *c);
    for (size_t i = 0; i < fourier_count(s); i++)
        c[i].re = image[i];
    transform_axis(c, s.width, 1, s.height * s.depth, s.width);
    transform_axis(c, s.height, s.width, s.depth, s.width * s.height);
    transform_axis(c, s.depth, s.width * s.height, 1, 0);
    return c;
}

double *fourier_convolve(const float *image, const float *kernel, drua_shape s, int sign)
{
    double *out = calloc(fourier_count(s), sizeof *out);
    for (int64_t z = 0; z < s.depth; z++)
        for (int64_t y = 0; y < s.height; y++)
            for (int64_t x = 0; x < s.width; x++)
                for (int64_t c = 0; c < s.depth; c++)
                    for (int64_t b = 0; b < s.height; b++)
                        for (int64_t a = 0; a < s.width; a++) {
                            const int64_t px = (x - sign * a + s.width) % s.width,
                                          py = (y - sign * b + s.height) % s.height,
                                          pz = (z - sign * c + s.depth) % s.depth;
                            out[(z * s.height + y) * s.width + x] +=
                                (double)image[(pz * s.height + py) * s.width + px] *
                                kernel[(c * s.height + b) * s.width + a];
                        }
    return out;
}

/* ---- the engine's side */

float *fourier_random(drua_shape s)
{
    float *image = malloc(fourier_count(s) * sizeof *image);
    for (size_t i = 0; i < fourier_count(s); i++)
        image[i] = (float)(harness_next(&fourier_chance) >> 8) / 16777216.0f;
    return image;
}

/* Copies between dense rows and rows padded for the spectrum. */
static float *pad_rows(const float *image, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    float *work = calloc((size_t)(l.plane * s.depth), sizeof *work);
    for (int64_t row = 0; row < s.height * s.depth; row++)
        memcpy(work + row * l.row, image + row * s.width, (size_t)s.width * sizeof *work);
    return work;
}

/* A view that includes the padding between rows. Transfers of a dense view would leave it out. */
static drua_view all_of(drua_buffer *buffer, drua_shape s)
{
    drua_layout l = drua_fft_image(s);
    l.width = (int32_t)l.row;
    return (drua_view){buffer, l};
}

drua_buffer *fourier_push(const float *image, drua_shape s)
{
    drua_buffer *buffer;
    const drua_layout l = drua_fft_image(s);
    float *work = pad_rows(image, s);
    const void **planes = malloc((size_t)s.depth * sizeof *planes);
    for (int64_t z = 0; z < s.depth; z++)
        planes[z] = work + z * l.plane;
    REQUIRE(drua_buffer_make(fourier_device, (uint64_t)(l.plane * s.depth) * sizeof(float), &buffer));
    REQUIRE(drua_device_upload(fourier_device, all_of(buffer, s), planes));
    free(planes);
    free(work);
    return buffer;
}

float *fourier_pull(drua_buffer *buffer, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    float *work = malloc((size_t)(l.plane * s.depth) * sizeof *work);
    REQUIRE(drua_device_read(fourier_device, all_of(buffer, s), work, (size_t)(l.plane * s.depth) * sizeof *work));
    return work;
}

double fourier_error(const float *work, const float *image, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    double wrong = 0, norm = 0;
    for (int64_t row = 0; row < s.height * s.depth; row++)
        for (int64_t x = 0; x < s.width; x++) {
            const double expected = image[row * s.width + x], d = work[row * l.row + x] - expected;
            wrong += d * d;
            norm += expected * expected;
        }
    return sqrt(wrong / norm);
}

static double spectrum_error(const float *work, const complex_number *expected, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    double wrong = 0, norm = 0;
    for (int64_t row = 0; row < s.height * s.depth; row++)
        for (int64_t x = 0; x <= s.width / 2; x++) {
            const complex_number k = x < s.width ? expected[row * s.width + x] : expected[row * s.width];
            const double re = work[row * l.row + 2 * x] - k.re, im = work[row * l.row + 2 * x + 1] - k.im;
            wrong += re * re + im * im;
            norm += k.re * k.re + k.im * k.im;
        }
    return sqrt(wrong / norm);
}

void fourier_transforms(drua_shape s)
{
    float *image = fourier_random(s);
    complex_number *expected = transform_image(image, s);
    drua_buffer *work = fourier_push(image, s);
    REQUIRE(drua_fft_forward(FOURIER(fourier_fft, s), work));
    float *got = fourier_pull(work, s);
    const double forward = spectrum_error(got, expected, s);
    ck_assert_msg(forward < 6e-7, "%d x %d x %d: spectrum off by %g", (int)s.width, (int)s.height, (int)s.depth,
                  forward);
    free(got);
    REQUIRE(drua_fft_inverse(FOURIER(fourier_fft, s), work));
    got = fourier_pull(work, s);
    const double back = fourier_error(got, image, s);
    ck_assert_msg(back < 1e-6, "%d x %d x %d: round trip off by %g", (int)s.width, (int)s.height, (int)s.depth, back);
    free(got);
    drua_buffer_release(work);
    free(expected);
    free(image);
}

/* Convolves in place and out of place, each twice, with other buffers the second time. */
void fourier_convolutions(drua_shape s)
{
    for (int round = 0; round < 4; round++) {
        const bool correlate = round % 2, in_place = round < 2;
        float *image = fourier_random(s), *kernel = fourier_random(s);
        drua_buffer *from = fourier_push(image, s), *spectrum = fourier_push(kernel, s),
                    *to = in_place ? from : fourier_push(image, s);
        REQUIRE(drua_fft_forward(FOURIER(fourier_fft, s), spectrum));
        REQUIRE(drua_fft_convolve(FOURIER(fourier_fft, s), from, spectrum, to, correlate));
        double *expected = fourier_convolve(image, kernel, s, correlate ? -1 : 1);
        float *got = fourier_pull(to, s), *single = malloc(fourier_count(s) * sizeof *single);
        for (size_t i = 0; i < fourier_count(s); i++)
            single[i] = (float)expected[i];
        const double error = fourier_error(got, single, s);
        ck_assert_msg(error < 1e-6, "%d x %d x %d, round %d: off by %g (%s)", (int)s.width, (int)s.height, (int)s.depth,
                      round, error, drua_fft_note(fourier_fft, s));
        if (!in_place)
            drua_buffer_release(to);
        drua_buffer_release(from);
        drua_buffer_release(spectrum);
        free(single);
        free(got);
        free(expected);
        free(image);
        free(kernel);
    }
}

/* The table of providers is read-only for the engine; this makes its page writable. */
void fourier_put(int place, const fft_provider *provider)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)&fft_providers[place],
                    first = at / page * page;
    ck_assert_int_eq(mprotect((void *)first, at + sizeof provider - first, PROT_READ | PROT_WRITE), 0);
    memcpy((void *)at, &provider, sizeof provider);
}
