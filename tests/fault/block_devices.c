/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelines by blocks on two devices, one of which fails at some call or gives too little memory: the bytes are those of one device. */
#include "block_files.h"
#include "error.h"
#include "loader.h"

#include <string.h>

static const int64_t chunk[3] = {8, 8, 8}, block[3] = {16, 16, 16};
static const char pipeline[] = "Ext.Drua_push(a); Ext.CLIJ2_gaussianBlur3D(a, b, 1, 2, 1); Ext.CLIJ2_maximum3DBox(b, c, 1, 1, 1); Ext.CLIJ2_subtractImages(c, b, d);";

static drua_context *context;
static reference_image one;

static void plan_for(const int64_t extent[3])
{
    char path[BLOCK_PATH];
    block_path("pipeline.ijm", path);
    block_plan_anew(path, NULL, extent, chunk);
}

static void plan(void)
{
    plan_for(block);
}

/* What one device gives. */
static void begin(void)
{
    harness_random random = {5};
    loader_find();
    block_folder_make();
    context = harness_open();
    reference_image pixels = harness_image(&random, DRUA_UINT16, (drua_shape){45, 40, 35, 3}, HARNESS_GREY);
    block_write_input(context, harness_push(context, &pixels), chunk);
    reference_free(&pixels);
    block_write_text("pipeline.ijm", pipeline);
    plan();
    REQUIRE(block_run(NULL));
    block_finish();
    one = block_read_output(context);
}

static void end(void)
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
    plan();
    REQUIRE(block_run("all"));
    ck_assert_str_eq(block_lines, "");
    expect_the_same("all devices");
    plan();
    REQUIRE(block_run("1,0"));
    expect_the_same("named devices");
}
END_TEST

/* Whether the n-th call of the driver was reached, and failed. What fails before blocks are read is to be tried again. */
static bool run_with_failing_call(long n, int *left_out)
{
    plan();
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

/* At whatever command it happens the other one does what is left; before blocks are read it is to be tried again. */
START_TEST(a_lost_context_is_left_out)
{
    enum { CONTEXTS = 3, FURTHER = 23, LAST = 70 };
    int left_out = 0;
    for (long which = 1; which <= CONTEXTS; which++)
        for (long after = 0; after <= LAST; after += FURTHER) {
            plan();
            loader.lose_context(which, after);
            const drua_status status = block_run("all");
            loader.lose_context(0, 0);
            left_out += status == DRUA_OK && strstr(block_lines, "left out");
            if (status != DRUA_OK)
                REQUIRE(block_run("all"));
            expect_the_same("a lost context");
        }
    ck_assert_int_gt(left_out, CONTEXTS);
}
END_TEST

START_TEST(a_block_is_split_where_memory_is_short)
{
    plan_for((const int64_t[]){48, 40, 40});
    loader.limit_blocks(150000);
    const drua_status status = block_run(NULL);
    loader.limit_blocks(0);
    ck_assert_msg(status == DRUA_OK, "%s", drua_error_text());
    ck_assert_msg(strstr(block_lines, "parts, as the device"), "nothing was split: %s", block_lines);
    expect_the_same("split blocks");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("devices of blocks");
    TCase *devices = tcase_create("devices"), *faults = tcase_create("faults");
    tcase_add_checked_fixture(devices, begin, end);
    tcase_add_checked_fixture(faults, begin, end);
    tcase_add_test(devices, two_devices_give_the_bytes_of_one);
    tcase_add_test(faults, a_device_that_fails_is_left_out);
    tcase_add_test(faults, a_lost_context_is_left_out);
    tcase_add_test(devices, a_block_is_split_where_memory_is_short);
    suite_add_tcase(suite, devices);
    suite_add_tcase(suite, faults);
    return harness_run(suite);
}
