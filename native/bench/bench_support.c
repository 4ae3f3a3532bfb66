/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by all benchmarks: clock, medians and test images. */
#include "bench.h"

#include "clock.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

double drua_bench_seconds(void)
{
    return drua_seconds();
}

void drua_bench_set_variable(const char *name, const char *value)
{
#if defined(_WIN32)
    _putenv_s(name, value);
#else
    setenv(name, value, 1);
#endif
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double drua_bench_median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare_numbers);
    return times[count / 2];
}

uint16_t *drua_bench_noise(size_t count)
{
    uint16_t *pixels = malloc(count * sizeof *pixels);
    uint32_t seed = 1;
    for (size_t i = 0; pixels && i < count; i++)
        pixels[i] = (uint16_t)((seed = seed * 1664525u + 1013904223u) >> 20);
    return pixels;
}

double drua_bench_image_bytes(drua_context *context, const drua_argument *arguments, size_t count)
{
    drua_image_info info;
    double bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bool again = false; /* an image that is passed twice is read once */
        for (size_t k = 0; k < i; k++)
            again = again || (arguments[k].kind == DRUA_ARG_IMAGE && arguments[k].image == arguments[i].image);
        if (arguments[i].kind == DRUA_ARG_IMAGE && !again &&
            drua_get_info(context, arguments[i].image, &info) == DRUA_OK)
            bytes += (double)info.bytes;
        if (arguments[i].kind == DRUA_ARG_LIST)
            bytes += drua_bench_image_bytes(context, arguments[i].list, arguments[i].length);
    }
    return bytes;
}

/* Draws balls of radius 7 to 11 on a jittered grid of pitch 30. */
static void draw_balls(float *pixels, drua_shape s, drua_bench_picture what)
{
    enum { PITCH = 30 };
    uint32_t seed = 12345, label = 0;
    const int64_t depth_step = s.depth > 1 ? PITCH : 1;
    for (int64_t z = s.depth > 1 ? PITCH / 2 : 0; z < s.depth; z += depth_step)
        for (int64_t y = PITCH / 2; y < s.height; y += PITCH)
            for (int64_t x = PITCH / 2; x < s.width; x += PITCH) {
                seed = seed * 1664525u + 1013904223u;
                const int64_t radius = 7 + (seed >> 28) % 5, cx = x + (seed >> 20) % 4, cy = y + (seed >> 16) % 4;
                label++;
                for (int64_t k = -radius; k <= radius; k++)
                    for (int64_t j = -radius; j <= radius; j++)
                        for (int64_t i = -radius; i <= radius; i++) {
                            const int64_t px = cx + i, py = cy + j, pz = z + k;
                            const bool centre = i == 0 && j == 0 && k == 0;
                            if (px < 0 || py < 0 || pz < 0 || px >= s.width || py >= s.height || pz >= s.depth ||
                                i * i + j * j + k * k > radius * radius || (what == DRUA_BENCH_SPOTS && !centre))
                                continue;
                            pixels[(pz * s.height + py) * s.width + px] += what == DRUA_BENCH_LABELS ? (float)label
                                                                           : what == DRUA_BENCH_GREY
                                                                               ? 100 + (float)(label % 50)
                                                                               : 1;
                        }
            }
}

static void draw_cells(float *pixels, drua_shape s)
{
    const int64_t pitch = s.depth > 1 ? 11 : 46, columns = (s.width + pitch - 1) / pitch,
                  rows = (s.height + pitch - 1) / pitch;
    for (int64_t z = 0; z < s.depth; z++)
        for (int64_t y = 0; y < s.height; y++)
            for (int64_t x = 0; x < s.width; x++)
                pixels[(z * s.height + y) * s.width + x] =
                    (float)(1 + x / pitch + columns * (y / pitch + rows * (z / pitch)));
}

static float *make_picture(drua_shape s, drua_bench_picture what)
{
    const size_t count = (size_t)(s.width * s.height * s.depth);
    float *pixels = calloc(count, sizeof *pixels);
    uint32_t seed = 12345;
    for (size_t i = 0; pixels && i < count; i++) {
        const uint32_t random = (seed = seed * 1664525u + 1013904223u) >> 24;
        pixels[i] = what == DRUA_BENCH_GREY    ? (float)random / 16
                    : what == DRUA_BENCH_NOISE ? (float)(random < 128)
                                               : what == DRUA_BENCH_FULL && i > 0;
    }
    if (pixels && what < DRUA_BENCH_NOISE)
        draw_balls(pixels, s, what);
    if (pixels && what == DRUA_BENCH_CELLS)
        draw_cells(pixels, s);
    return pixels;
}

drua_status drua_bench_push(drua_context *context, drua_shape shape, drua_type type, drua_bench_picture what,
                            drua_image *image)
{
    float *pixels = make_picture(shape, what);
    drua_image raw;
    if (!pixels)
        return DRUA_E_MEMORY;
    drua_status status = drua_push(context, shape, DRUA_FLOAT32, pixels, &raw);
    free(pixels);
    if (status != DRUA_OK || type == DRUA_FLOAT32) {
        *image = raw;
        return status;
    }
    drua_argument convert[] = {{.kind = DRUA_ARG_IMAGE, .image = raw}, {.kind = DRUA_ARG_NONE}};
    status = drua_invoke(context, type == DRUA_UINT8 ? "convert_uint8" : "convert_uint16", convert, 2, NULL);
    *image = convert[1].image;
    if (status == DRUA_OK)
        status = drua_sync(context);
    drua_release(context, raw);
    return status;
}

drua_status drua_bench_push_transforms(drua_context *context, int64_t frames, drua_image *image)
{
    enum { COLUMNS = 10, XX = 1, SHIFT_X = 3, YY = 5, SHIFT_Y = 6 };
    float *rows = calloc((size_t)frames * COLUMNS, sizeof *rows);
    if (!rows)
        return DRUA_E_MEMORY;
    for (int64_t i = 0; i < frames; i++) {
        float *row = rows + i * COLUMNS;
        row[XX] = row[YY] = 1;
        row[SHIFT_X] = (float)(i % 17) / 8;
        row[SHIFT_Y] = (float)(i % 13) / -8;
    }
    const drua_status status = drua_push(context, (drua_shape){COLUMNS, frames, 1, 2}, DRUA_FLOAT32, rows, image);
    free(rows);
    return status;
}
