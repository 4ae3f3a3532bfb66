/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests when kernels of a CPU are optimized: after enough work, or at once if the work is large or timed. A stream of
 * small frames never waits for an optimized kernel.
 */
#include "harness.h"

#include "context.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static drua_device *device;
static drua_kernel kernel;
static const drua_grid small = {.items = {200, 300, 1}}, large = {.items = {2000, 2000, 1}},
                       hard = {.items = {200, 300, 1}, .effort = 100}, window = {.items = {200, 300, 1}, .turns = 100},
                       few_turns = {.items = {200, 300, 1}, .turns = 3},
                       huge = {.items = {INT32_MAX, INT32_MAX, INT32_MAX}, .effort = INT64_MAX};

static const drua_arg no_images[] = {{.kind = DRUA_LAUNCH_END}};

static const char *driver = "3.1+debian";

static void open_device(const char *platform, bool is_gpu, const char *setting)
{
    memset(&kernel, 0, sizeof kernel);
    memset(device, 0, sizeof *device);
    device->info.platform = platform;
    device->info.driver = driver;
    device->info.is_gpu = is_gpu;
    if (setting)
        setenv("DRUA_OPTIMIZE", setting, 1);
    else
        unsetenv("DRUA_OPTIMIZE");
    drua_device_choose_optimizing(device);
}

static int choose_variant(const drua_grid *grid)
{
    return drua_kernel_choose_variant(device, &kernel, 0, grid, no_images);
}

static void make_device(void)
{
    device = calloc(1, sizeof *device);
}

static void free_device(void)
{
    free(device);
}

static const char POCL[] = "Portable Computing Language";

START_TEST(small_work_adds_up)
{
    int launches = 0;
    open_device(POCL, false, NULL);
    ck_assert_int_eq(drua_kernel_choose_variant(device, &kernel, DRUA_WIDE, &small, no_images),
                     DRUA_WIDE | DRUA_UNOPTIMIZED);
    while (choose_variant(&small) == DRUA_UNOPTIMIZED && launches < 1000)
        launches++;
    ck_assert_int_gt(launches, 3);
    ck_assert_int_lt(launches, 100);
    ck_assert_int_eq(choose_variant(&small), 0);
    open_device(POCL, false, NULL);
    ck_assert_int_eq(choose_variant(&few_turns), DRUA_UNOPTIMIZED);
}
END_TEST

START_TEST(large_work_is_worth_it)
{
    const drua_grid *grids[] = {&large, &hard, &window, &huge};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        open_device(POCL, false, NULL);
        ck_assert_int_eq(choose_variant(grids[i]), 0);
    }
}
END_TEST

/*
 * A kernel with few work-items is optimized at once if its image is large, because each work-item may visit all pixels.
 */
START_TEST(large_images_are_worth_it)
{
    drua_buffer pixels = {.bytes = 4 * 2000 * 2000};
    const drua_grid lines = {.items = {100, 1, 1}};
    const drua_arg image[] = {{.kind = DRUA_LAUNCH_VIEW, .as.view = {.buffer = &pixels}}, {.kind = DRUA_LAUNCH_END}};
    open_device(POCL, false, NULL);
    ck_assert_int_eq(drua_kernel_choose_variant(device, &kernel, 0, &lines, no_images), DRUA_UNOPTIMIZED);
    ck_assert_int_eq(drua_kernel_choose_variant(device, &kernel, 0, &lines, image), 0);
    pixels.bytes = 4 * 100 * 100;
    open_device(POCL, false, NULL);
    ck_assert_int_eq(drua_kernel_choose_variant(device, &kernel, 0, &lines, image), DRUA_UNOPTIMIZED);
}
END_TEST

START_TEST(what_is_there_serves)
{
    open_device(POCL, false, NULL);
    ck_assert_int_eq(choose_variant(&small), DRUA_UNOPTIMIZED);
    kernel.handle[0] = (cl_kernel)(uintptr_t)1;
    ck_assert_int_eq(choose_variant(&small), 0);
}
END_TEST

START_TEST(timed_work)
{
    open_device(POCL, false, NULL);
    drua_device_optimize(device, true);
    ck_assert_int_eq(choose_variant(&small), 0);
    drua_device_optimize(device, false);
    ck_assert_int_eq(choose_variant(&small), DRUA_UNOPTIMIZED);
}
END_TEST

START_TEST(other_drivers_and_settings)
{
    open_device("NVIDIA CUDA", true, NULL);
    ck_assert_int_eq(choose_variant(&small), 0);
    open_device("NVIDIA CUDA", true, "never");
    ck_assert_int_eq(choose_variant(&small), 0);
    open_device("Intel(R) OpenCL", false, NULL);
    ck_assert_int_eq(choose_variant(&small), 0);
    open_device(POCL, false, "now");
    ck_assert_int_eq(choose_variant(&small), 0);
    open_device(POCL, false, "never");
    ck_assert_int_eq(choose_variant(&huge), DRUA_UNOPTIMIZED);
    open_device(POCL, false, "perhaps");
    ck_assert_int_eq(choose_variant(&small), DRUA_UNOPTIMIZED);
}
END_TEST

/* Only tested compiler versions run without their optimizer; others may then miscompile. */
START_TEST(tested_versions)
{
    static const struct { const char *driver; int variant;
    } versions[] = {{"3.1+debian", DRUA_UNOPTIMIZED},
                    {"6.0", DRUA_UNOPTIMIZED},
                    {"5.0+debian", 0},
                    {"4.0", 0},
                    {"7.0", 0},
                    {"", 0}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        driver = versions[i].driver;
        open_device(POCL, false, NULL);
        ck_assert_msg(choose_variant(&small) == versions[i].variant, "PoCL %s", driver);
    }
}
END_TEST

enum { SIDE = 512, FRAMES = 12 };

/* Segments one frame, as programs do with each image of a camera. */
static void process_frame(drua_context *context, drua_image camera, uint16_t *pixels, int frame)
{
    static float labels[SIDE * SIDE];
    drua_argument blur[] = {IMAGE(camera), NEW, NUMBER(2), NUMBER(2)}, threshold[] = {NEW, NEW}, objects[] = {NEW, NEW};
    const void *planes[] = {pixels};
    pixels[frame] ^= 1;
    REQUIRE(drua_overwrite_planes(context, camera, planes));
    REQUIRE(drua_invoke(context, "gaussian_blur", blur, 4, NULL));
    threshold[0] = IMAGE(blur[1].image);
    REQUIRE(drua_invoke(context, "automatic_threshold", threshold, 2, NULL));
    objects[0] = IMAGE(threshold[1].image);
    REQUIRE(drua_invoke(context, "connected_components_box", objects, 2, NULL));
    REQUIRE(drua_pull(context, objects[1].image, labels));
    REQUIRE(drua_release(context, blur[1].image));
    REQUIRE(drua_release(context, threshold[1].image));
    REQUIRE(drua_release(context, objects[1].image));
}

static int count_optimized(const drua_device *opened)
{
    int count = 0;
    for (size_t i = 0; i < opened->kernel_count; i++)
        count += opened->kernels[i].handle[0] != NULL;
    return count;
}

START_TEST(a_stream_waits_for_programs_only_in_its_first_frame)
{
    drua_context *context = harness_open();
    uint16_t *pixels = calloc((size_t)SIDE * SIDE, sizeof *pixels);
    drua_image camera;
    for (int i = 0; i < SIDE * SIDE; i++)
        pixels[i] = (uint16_t)(i % SIDE % 40 < 20 && i / SIDE % 40 < 20 ? 900 : i % 23);
    REQUIRE(drua_push(context, reference_plane(SIDE, SIDE), DRUA_UINT16, pixels, &camera));
    process_frame(context, camera, pixels, 0);
    const uint64_t first = context->device->programs_awaited;
    const int optimized = count_optimized(context->device);
    ck_assert_uint_gt(first, 0);
    for (int frame = 1; frame < FRAMES; frame++) {
        process_frame(context, camera, pixels, frame);
        ck_assert_msg(context->device->programs_awaited == first, "frame %d waited for a program", frame);
    }
    while (drua_is_compiling(context))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    process_frame(context, camera, pixels, FRAMES);
    ck_assert_uint_eq(context->device->programs_awaited, first);
    if (context->device->unoptimized_work)
        ck_assert_int_gt(count_optimized(context->device), optimized);
    free(pixels);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("optimize");
    TCase *tests = tcase_create("optimize");
    tcase_add_checked_fixture(tests, make_device, free_device);
    tcase_add_test(tests, small_work_adds_up);
    tcase_add_test(tests, large_work_is_worth_it);
    tcase_add_test(tests, large_images_are_worth_it);
    tcase_add_test(tests, what_is_there_serves);
    tcase_add_test(tests, timed_work);
    tcase_add_test(tests, other_drivers_and_settings);
    tcase_add_test(tests, tested_versions);
    suite_add_tcase(suite, tests);
    TCase *streams = tcase_create("streams");
    tcase_add_test(streams, a_stream_waits_for_programs_only_in_its_first_frame);
    suite_add_tcase(suite, streams);
    return harness_run(suite);
}
