/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the passes of the plan step on two devices. Thresholds, labels and tables must have the same bytes as on one
 * device, whatever call fails, runs out of memory or is interrupted, and however many devices continue.
 */
#include "alloc.h"
#include "block_files.h"
#include "error.h"
#include "loader.h"

#include <stdlib.h>
#include <string.h>

/* The table contains sums of fractions, whose last digits depend on the order of addition. */
static const char pipeline[] =
    "Ext.Drua_push(a);\nExt.CLIJ2_gaussianBlur3D(a, b, 0.6, 0.6, 0.6);\nExt.CLIJ2_thresholdOtsu(b, c);\n"
    "Ext.CLIJ2_connectedComponentsLabelingDiamond(c, d);\nExt.CLIJ2_statisticsOfBackgroundAndLabelledPixels(b, "
    "d);\nExt.Drua_pull(d);\n";

enum { PARTS = 3 * 3 * 2 };

static const int64_t chunk[3] = {8, 8, 8}, block[3] = {16, 16, 16};

/* The results of a plan. */
typedef struct result {
    char *plan, *table;
    reference_image labels;
} result;

static drua_context *context;
static result one;

static drua_blocks_request request_for(const char *devices)
{
    /* with 1 MB, a histogram needs several blocks */
    drua_blocks_request request = {.devices = devices, .memory = "1MB"};
    memcpy(request.block, block, sizeof block);
    memcpy(request.chunk, chunk, sizeof chunk);
    return request;
}

static drua_status plan_on(const char *devices, bool anew)
{
    drua_blocks_request request = request_for(devices);
    request.anew = anew;
    return block_plan(&request);
}

/* Runs the plan, takes its results and removes the plan. */
static result take_result(void)
{
    result r = {.plan = block_read_text("plan.json")};
    if (block_run(NULL) != DRUA_OK)
        ck_abort_msg("run: %s", drua_error_text());
    block_finish();
    r.table = block_read_text("out.csv");
    r.labels = block_read_output(context);
    return r;
}

static void free_result(result *r)
{
    free(r->plan);
    free(r->table);
    reference_free(&r->labels);
}

static void expect_same(const result *expected, const char *about)
{
    result now = take_result();
    ck_assert_msg(!strcmp(expected->plan, now.plan), "%s: the plan is\n%s\nexpected\n%s", about, now.plan,
                  expected->plan);
    ck_assert_msg(!strcmp(expected->table, now.table), "%s: the table differs", about);
    block_compare(&expected->labels, &now.labels, about);
    free_result(&now);
}

static void expect_the_same(const char *about)
{
    expect_same(&one, about);
}

static void set_up(void)
{
    harness_random random = {11};
    loader_find();
    block_folder_make();
    context = harness_open();
    reference_image pixels = harness_image(&random, DRUA_FLOAT32, (drua_shape){45, 40, 30, 3}, HARNESS_POSITIVE);
    REFERENCE_EACH_PIXEL(pixels.shape, x, y, z)
    reference_put(&pixels, x, y, z, reference_at(&pixels, x, y, z) + harness_below(&random, 1000) / 7.0);
    block_write_input(context, harness_push(context, &pixels), chunk);
    reference_free(&pixels);
    block_write_text("pipeline.ijm", pipeline);
    REQUIRE(plan_on(NULL, true));
    one = take_result();
}

static void tear_down(void)
{
    free_result(&one);
    drua_close(context);
    block_folder_remove();
}

/* ---- two devices */

START_TEST(two_devices_measure_as_one)
{
    static const char *const selectors[] = {"all", "1,0", "0,1", "1"};
    ck_assert_uint_eq(drua_device_count(), 2);
    ck_assert_msg(strlen(one.table) > 20000, "few labels:\n%s", one.table);
    for (int i = 0; i < 4; i++) {
        REQUIRE(plan_on(selectors[i], true));
        ck_assert_str_eq(block_lines, "");
        expect_the_same(selectors[i]);
    }
}
END_TEST

/* The device that plans may differ from the devices that measure. */
START_TEST(devices_are_those_that_were_named)
{
    drua_blocks_request request = request_for("1");
    request.anew = true;
    request.device = "0";
    REQUIRE(block_plan(&request));
    expect_the_same("one plans, the other one measures");
    request.devices = "nosuch,1";
    REQUIRE(block_plan(&request));
    ck_assert_msg(strstr(block_lines, "device 'nosuch' is left out: no OpenCL device is called 'nosuch'"), "%s",
                  block_lines);
    expect_the_same("one device does not exist");
    request.device = NULL;
    ck_assert_int_ne(block_plan(&request), DRUA_OK);
    ck_assert_msg(strstr(drua_error_text(), "no OpenCL device is called 'nosuch'"), "%s", drua_error_text());
}
END_TEST

/* ---- what fails */

/*
 * Makes the n-th driver call of a plan step fail; returns whether the plan step reached it. After an error that does
 * not come from the device, planning again resumes the same plan.
 */
static bool plan_with_failing_call(long n, int *left_out)
{
    loader.fail_after(n);
    const drua_status status = plan_on("all", true);
    const bool fired = loader.fired();
    const bool others = strstr(block_lines, "left out; another device repeats its block") != NULL;
    ck_assert_msg(status == DRUA_OK || !others, "no device repeated the block of the failed device: %s",
                  drua_error_text());
    *left_out += others;
    loader.fail_after(0);
    if (status != DRUA_OK)
        REQUIRE(plan_on("all", false));
    expect_the_same("a device that fails");
    return fired;
}

START_TEST(a_device_that_fails_is_left_out_of_passes)
{
    loader_fail_until_left_out(plan_with_failing_call, 1);
}
END_TEST

START_TEST(memory_that_fails_is_asked_for_again)
{
    enum { LIMIT = 20000 };
    for (long n = 100; n < LIMIT; n *= 2) {
        drua_alloc_fail_after(n);
        const drua_status status = plan_on("all", true);
        drua_alloc_fail_after(0);
        if (status != DRUA_OK)
            REQUIRE(plan_on("all", false));
        expect_the_same("an allocation that fails");
    }
}
END_TEST

/*
 * Lowers the limit for new buffers below what a block needs. The block at the image's corner is smaller and still fits.
 */
static bool limit_when_labelling(void *payload, const drua_blocks_progress *p)
{
    if (!strcmp(p->what, "blocks labelled"))
        loader.limit_blocks(100000);
    return block_keep_lines(payload, p);
}

START_TEST(a_block_of_a_pass_is_split_where_memory_is_short)
{
    drua_blocks_request request = request_for(NULL);
    request.anew = true;
    request.stores_nothing = true; /* a pass that reads a stored blur needs little memory */
    request.block[0] = 32;
    block_write_text("pipeline.ijm",
                     "Ext.Drua_push(a);\nExt.CLIJ2_gaussianBlur3D(a, b, 2, 2, 2);\nExt.CLIJ2_threshold(b, c, 197.5);\n"
                     "Ext.CLIJ2_connectedComponentsLabelingBox(c, d);\nExt.CLIJ2_statisticsOfLabelledPixels(b, "
                     "d);\nExt.Drua_pull(d);\n");
    REQUIRE(block_plan(&request));
    ck_assert_str_eq(block_lines, "");
    result whole = take_result();
    request.devices = "all";
    request.watch = limit_when_labelling;
    const drua_status status = block_plan(&request);
    loader.limit_blocks(0);
    ck_assert_msg(status == DRUA_OK, "%s", drua_error_text());
    ck_assert_msg(strstr(block_lines, "of a pass was done in"), "nothing was split: %s", block_lines);
    expect_same(&whole, "split blocks of passes");
    free_result(&whole);
}
END_TEST

/* ---- shared among processes */

static drua_status run_share(const drua_blocks_share *share)
{
    char plan[BLOCK_PATH_SIZE];
    block_folder_path("plan.json", plan);
    block_lines[0] = 0;
    return drua_blocks_run(plan, share, block_keep_lines, NULL);
}

static void begin_share(const char *devices)
{
    drua_blocks_request request = request_for(devices);
    request.anew = request.share = true;
    REQUIRE(block_plan(&request));
}

/*
 * Each process does its share of each pass on its own number of devices, one process after the other. The first process
 * picks up the parts that others left over.
 */
START_TEST(devices_of_processes_share_passes)
{
    static const char *const selectors[] = {"all", NULL, "1"};
    begin_share(NULL);
    for (int64_t pass = 1; pass <= 5; pass++)
        for (int64_t part = 0; part < 3; part++)
            if (part != pass % 3 || pass == 5)
                REQUIRE(run_share(&(drua_blocks_share){
                    .part = part, .parts = 3, .pass = pass, .devices = selectors[(pass + part) % 3]}));
    expect_the_same("shares of three processes, one of which never runs");
}
END_TEST

START_TEST(a_share_whose_memory_fails_is_done_again)
{
    enum { LIMIT = 20000 };
    for (long n = 50; n < LIMIT; n *= 3) {
        drua_alloc_fail_after(n);
        drua_blocks_request request = request_for("all");
        request.anew = request.share = true;
        if (block_plan(&request) == DRUA_OK)
            run_share(&(drua_blocks_share){.devices = "all", .pass = 5});
        drua_alloc_fail_after(0);
        request.anew = false;
        REQUIRE(block_plan(&request));
        REQUIRE(run_share(&(drua_blocks_share){.devices = "all", .pass = 5}));
        expect_the_same("an allocation that fails in a share");
    }
}
END_TEST

static bool share_with_failing_call(long n, int *left_out)
{
    begin_share("all");
    loader.fail_after(n);
    const drua_status status = run_share(&(drua_blocks_share){.devices = "all", .pass = 5});
    const bool fired = loader.fired();
    *left_out += strstr(block_lines, "left out; another device repeats its block") != NULL;
    loader.fail_after(0);
    if (status != DRUA_OK)
        REQUIRE(run_share(&(drua_blocks_share){.devices = "all", .pass = 5}));
    expect_the_same("a device that fails in a share");
    return fired;
}

START_TEST(a_device_that_fails_is_left_out_of_a_share)
{
    loader_fail_until_left_out(share_with_failing_call, 1);
}
END_TEST

/* ---- interrupted passes */

/* Stops after several labelled blocks in each attempt, and once after part of a table. */
typedef struct stopping {
    int64_t labelled; /* blocks, in all attempts */
    int in_try, tables;
} stopping;

static bool stop_after(void *payload, const drua_blocks_progress *p)
{
    enum { SOME = 4 };
    stopping *s = payload;
    if (!strcmp(p->what, "blocks labelled")) {
        ck_assert_msg(p->done == s->labelled + 1, "%lld blocks are labelled after %lld", (long long)p->done,
                      (long long)s->labelled);
        s->labelled = p->done;
        return ++s->in_try < SOME;
    }
    return s->labelled < PARTS || ++s->tables != SOME;
}

/* After an interruption, no block is labelled twice, and each attempt may use other devices. */
START_TEST(a_pass_goes_on_with_other_devices)
{
    static const char *const selectors[] = {"all", NULL, "1", "1,0"};
    stopping s = {0};
    drua_status status = DRUA_E_CANCELLED;
    int tries = 0;
    for (; status != DRUA_OK && tries < 2 * PARTS; tries++) {
        drua_blocks_request request = request_for(selectors[tries % 4]);
        request.anew = tries == 0;
        request.overwrite = true;
        request.watch = stop_after;
        request.payload = &s;
        s.in_try = 0;
        status = block_plan(&request);
        ck_assert_msg(status == DRUA_OK || status == DRUA_E_CANCELLED, "%s", drua_error_text());
    }
    ck_assert_msg(status == DRUA_OK && tries > 3 && s.labelled == PARTS && s.tables > PARTS,
                  "%d tries, %lld blocks: %s", tries, (long long)s.labelled, drua_error_text());
    expect_the_same("interrupted passes");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("passes of blocks");
    TCase *devices = tcase_create("devices"), *faults = tcase_create("faults");
    tcase_add_checked_fixture(devices, set_up, tear_down);
    tcase_add_test(devices, two_devices_measure_as_one);
    tcase_add_test(devices, devices_are_those_that_were_named);
    tcase_add_test(devices, a_pass_goes_on_with_other_devices);
    tcase_add_test(devices, devices_of_processes_share_passes);
    tcase_add_checked_fixture(faults, set_up, tear_down);
    tcase_add_test(faults, a_device_that_fails_is_left_out_of_passes);
    tcase_add_test(faults, memory_that_fails_is_asked_for_again);
    tcase_add_test(faults, a_share_whose_memory_fails_is_done_again);
    tcase_add_test(faults, a_device_that_fails_is_left_out_of_a_share);
    tcase_add_test(faults, a_block_of_a_pass_is_split_where_memory_is_short);
    suite_add_tcase(suite, devices);
    suite_add_tcase(suite, faults);
    return harness_run(suite);
}
