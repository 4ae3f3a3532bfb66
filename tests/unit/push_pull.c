/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that transfers keep all pixels of small and large images, with contiguous or separate planes, with memory that
 * was used before or not, and with several transfers at once.
 */
#include "harness.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;

static void open_context(void)
{
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

/* Fills a plane's rows with bytes that depend on their position. */
static void mark(unsigned char *pixels, size_t bytes, uint32_t seed)
{
    for (size_t i = 0; i < bytes; i++)
        pixels[i] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
}

/* Planes in one allocation, with a gap after each. The caller frees planes[0] and the list. */
static unsigned char **make_planes(size_t count, size_t bytes, size_t gap)
{
    unsigned char **planes = malloc(count * sizeof *planes), *block = malloc(count * (bytes + gap) + 1);
    for (size_t z = 0; z < count; z++)
        planes[z] = block + z * (bytes + gap);
    return planes;
}

static void free_planes(unsigned char **planes)
{
    free(planes[0]);
    free(planes);
}

/* Returns NULL, or the error. */
static const char *there_and_back(drua_shape shape, drua_type type, size_t gap, bool touched, uint32_t seed)
{
    const size_t bytes = (size_t)(shape.width * shape.height) * (type == DRUA_UINT8    ? 1
                                                                 : type == DRUA_UINT16 ? 2
                                                                                       : 4),
                 count = (size_t)shape.depth;
    unsigned char **from = make_planes(count, bytes, gap), **to = make_planes(count, bytes, gap);
    const char *wrong = NULL;
    drua_image image;
    for (size_t z = 0; z < count; z++)
        mark(from[z], bytes, seed + (uint32_t)z);
    if (touched)
        memset(to[0], 0, count * (bytes + gap));
    if (drua_push_planes(context, shape, type, (const void *const *)from, &image) != DRUA_OK)
        return drua_error_message();
    for (size_t z = 0; z < count; z++)
        memset(from[z], 0, bytes);      /* the caller's pixels may change once a push returns */
    if (drua_pull_planes(context, image, (void *const *)to) != DRUA_OK)
        return drua_error_message();
    for (size_t z = 0; z < count; z++) {
        mark(from[z], bytes, seed + (uint32_t)z);
        if (memcmp(from[z], to[z], bytes) != 0)
            wrong = "other pixels came back";
    }
    drua_release(context, image);
    free_planes(from);
    free_planes(to);
    return wrong;
}

START_TEST(sizes)
{
    static const drua_shape shapes[] = {{1, 1, 1, 2},       {3, 5, 7, 3},      {511, 513, 1, 2}, {724, 724, 1, 2},
                                        {1023, 1025, 1, 2}, {64, 64, 300, 3},  {997, 991, 3, 3}, {2048, 2048, 3, 3},
                                        {333, 501, 41, 3},  {1500, 1400, 9, 3}};
    static const drua_type types[] = {DRUA_UINT8, DRUA_UINT16, DRUA_FLOAT32};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int t = 0; t < 3; t++)
            for (int way = 0; way < 4; way++) {
                const char *wrong =
                    there_and_back(shapes[s], types[t], way & 1 ? 40 : 0, way & 2, (uint32_t)(17 * s + (size_t)t));
                ck_assert_msg(!wrong, "%lld x %lld x %lld, type %d, way %d: %s", (long long)shapes[s].width,
                              (long long)shapes[s].height, (long long)shapes[s].depth, (int)types[t], way, wrong);
            }
}
END_TEST

static void *travel(void *argument)
{
    const uint32_t seed = *(const uint32_t *)argument;
    for (int i = 0; i < 6; i++) {
        const char *wrong =
            there_and_back((drua_shape){700 + seed, 900, i % 3 + 1, 3}, DRUA_FLOAT32, 0, i & 1, seed + (uint32_t)i);
        if (wrong)
            return (void *)(uintptr_t)wrong;
    }
    return NULL;
}

START_TEST(at_once)
{
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    uint32_t seeds[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        seeds[i] = 10 * i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, travel, &seeds[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        ck_assert_msg(!wrong, "thread %d: %s", i, (const char *)wrong);
    }
}
END_TEST

/* A push or pull waits for work that was sent before it; work sent later waits for the transfer. */
START_TEST(in_order)
{
    const drua_shape shape = {1200, 1100, 2, 3};
    const size_t count = (size_t)(shape.width * shape.height * shape.depth);
    float *pixels = malloc(count * sizeof *pixels);
    for (int round = 0; round < 5; round++) {
        drua_image image;
        for (size_t i = 0; i < count; i++)
            pixels[i] = (float)(round + 1);
        REQUIRE(drua_push(context, shape, DRUA_FLOAT32, pixels, &image));
        drua_argument blurred[] = {IMAGE(image), NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
        REQUIRE(drua_invoke(context, "mean_box", blurred, 5, NULL));
        for (size_t i = 0; i < count; i++)
            pixels[i] = -1;
        REQUIRE(drua_pull(context, blurred[1].image, pixels));
        size_t wrong = 0;
        while (wrong < count && pixels[wrong] == (float)(round + 1))
            wrong++;
        ck_assert_msg(wrong == count, "pixel %zu is %g", wrong, (double)pixels[wrong]);
        REQUIRE(drua_release(context, blurred[1].image));
        REQUIRE(drua_release(context, image));
    }
    free(pixels);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("push_pull");
    TCase *tests = tcase_create("transfers");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, at_once);
    tcase_add_test(tests, in_order);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
