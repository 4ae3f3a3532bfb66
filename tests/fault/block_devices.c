/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests pipelines by blocks on two devices, one of which fails at some call or has too little memory. The output must
 * have the same bytes as on one device.
 */
#include "block_files.h"
#include "error.h"
#include "loader.h"

#include <stdio.h>
#include <string.h>

static const int64_t chunk[3] = {8, 8, 8};
static int64_t block[3] = {16, 16, 16};
static const char filters[] = "Ext.Drua_push(a); Ext.CLIJ2_gaussianBlur3D(a, b, 1, 2, 1); Ext.CLIJ2_maximum3DBox(b, c, "
                              "1, 1, 1); Ext.CLIJ2_subtractImages(c, b, d);";

static drua_context *context;
static reference_image one;

static void plan_for(const int64_t extent[3])
{
    char path[BLOCK_PATH_SIZE];
    block_folder_path("pipeline.ijm", path);
    block_plan_anew(path, NULL, extent, chunk);
}

static void plan_again(void)
{
    plan_for(block);
}

/* Processes the pipeline on one device for the expected result. */
static void begin_with(const char *pipeline)
{
    harness_random random = {5};
    reference_image pixels = harness_image(&random, DRUA_UINT16, (drua_shape){45, 40, 35, 3}, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), chunk);
    reference_free(&pixels);
    block_write_text("pipeline.ijm", pipeline);
    plan_again();
    REQUIRE(block_run(NULL));
    block_finish();
    one = block_read_output(context);
}

static void open(void)
{
    loader_find();
    block_folder_make();
    context = harness_open();
}

static void set_up(void)
{
    open();
    begin_with(filters);
}

/* Uses few blocks, because each device compiles the transforms of each extent. */
static void begin_deconvolution(void)
{
    char path[BLOCK_PATH_SIZE], text[2 * BLOCK_PATH_SIZE];
    harness_random random = {6};
    memcpy(block, (int64_t[]){48, 40, 24}, sizeof block);
    open();
    reference_image spot = harness_image(&random, DRUA_FLOAT32, (drua_shape){5, 5, 3, 3}, HARNESS_POSITIVE);
    block_folder_path("psf.tif", path);
    REQUIRE(drua_write_tiff(context, harness_push(context, &spot), path, NULL));
    reference_free(&spot);
    snprintf(text, sizeof text,
             "Ext.Drua_push(a); Ext.Drua_read(\"%s\", psf); Ext.Drua_deconvolve(a, psf, b, \"iterations=1\");", path);
    begin_with(text);
}

static void tear_down(void)
{
    reference_free(&one);
    drua_close(context);
    block_folder_remove();
}

static void expect_the_same(const char *about)
{
    block_finish();
    reference_image now = block_read_output(context);
    block_compare(&one, &now, about);
    reference_free(&now);
}

START_TEST(two_devices_give_the_bytes_of_one)
{
    ck_assert_uint_eq(drua_device_count(), 2);
    plan_again();
    REQUIRE(block_run("all"));
    ck_assert_str_eq(block_lines, "");
    expect_the_same("all devices");
    plan_again();
    REQUIRE(block_run("1,0"));
    expect_the_same("named devices");
}
END_TEST

/*
 * Makes the n-th driver call of a run fail; returns whether the run reached it. A run that fails before it reads blocks
 * is retried.
 */
static bool run_with_failing_call(long n, int *left_out)
{
    plan_again();
    loader.fail_after(n);
    const drua_status status = block_run("all");
    const bool fired = loader.fired();
    *left_out += strstr(block_lines, "left out") != NULL;
    if (status != DRUA_OK)
        REQUIRE(block_run("all"));
    expect_the_same("a device that fails");
    return fired;
}

START_TEST(a_device_that_fails_is_left_out)
{
    loader_fail_until_left_out(run_with_failing_call, 2);
}
END_TEST

/*
 * Makes all commands of a context fail, from the n-th command on, for several n. Returns how often a run continued
 * without the failed context. A run that fails before it reads blocks is retried.
 */
static int lose_contexts(long contexts, long first, long last, long further)
{
    int left_out = 0;
    for (long which = 1; which <= contexts; which++)
        for (long after = first; after <= last; after += further) {
            plan_again();
            loader.lose_context(which, after);
            const drua_status status = block_run("all");
            loader.lose_context(0, 0);
            left_out += status == DRUA_OK && strstr(block_lines, "left out");
            ck_assert_msg(status == DRUA_OK || status == DRUA_E_DEVICE, "context %ld, %ld commands: %d, %s", which,
                          after, (int)status, drua_error_text());
            if (status != DRUA_OK)
                REQUIRE(block_run("all"));
            expect_the_same("a lost context");
        }
    return left_out;
}

START_TEST(a_lost_context_is_left_out)
{
    enum { CONTEXTS = 3 };
    ck_assert_int_gt(lose_contexts(CONTEXTS, 0, 70, 23), CONTEXTS);
}
END_TEST

/* A device may also fail while an FFT library makes or tests its transforms. The run then gives up that device. */
START_TEST(a_context_lost_in_transforms_is_left_out)
{
    ck_assert_int_gt(lose_contexts(1, 15, 15, 1), 0);
}
END_TEST

START_TEST(a_block_is_split_where_memory_is_short)
{
    plan_for((const int64_t[]){48, 40, 40});
    loader.limit_blocks(150000);
    const drua_status status = block_run(NULL);
    loader.limit_blocks(0);
    ck_assert_msg(status == DRUA_OK, "%s", drua_error_text());
    ck_assert_msg(strstr(block_lines, "parts because the device"), "nothing was split: %s", block_lines);
    expect_the_same("split blocks");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("devices of blocks");
    TCase *devices = tcase_create("devices"), *faults = tcase_create("faults"),
          *transforms = tcase_create("transforms");
    tcase_add_checked_fixture(devices, set_up, tear_down);
    tcase_add_checked_fixture(faults, set_up, tear_down);
    tcase_add_checked_fixture(transforms, begin_deconvolution, tear_down);
    tcase_add_test(devices, two_devices_give_the_bytes_of_one);
    tcase_add_test(faults, a_device_that_fails_is_left_out);
    tcase_add_test(faults, a_lost_context_is_left_out);
    tcase_add_test(devices, a_block_is_split_where_memory_is_short);
    suite_add_tcase(suite, devices);
    tcase_add_test(transforms, a_context_lost_in_transforms_is_left_out);
    suite_add_tcase(suite, faults);
    suite_add_tcase(suite, transforms);
    return harness_run(suite);
}
