/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests how the library describes itself: JSON, statistics, reports, times. */
#include "harness.h"

#include "registry.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

START_TEST(description_is_json)
{
    const char *text = drua_describe(), *fault = harness_json_fault(text);
    ck_assert_msg(!fault, "no JSON at '%.60s'", fault);
    ck_assert_ptr_eq(text, drua_describe());
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "{\"name\":\"%s\",", (*op)->name);
        ck_assert_msg(strstr(text, wanted), "%s is not described", (*op)->name);
    }
    for (size_t i = 0; i < drua_command_count(); i++) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "{\"name\":\"%s\",", drua_command_at(i)->name);
        ck_assert_msg(strstr(text, wanted), "%s is not described", drua_command_at(i)->name);
    }
    ck_assert_ptr_nonnull(strstr(text, drua_version()));
}
END_TEST

START_TEST(json_checker_finds_faults)
{
    static const char *const good[] = {"{}", "[1, -2.5e3, true, null]", "{\"a\": [{\"b\": \"\\u00e4\"}]}", " \"x\" "};
    static const char *const bad[] = {"",       "{",   "[1,]",  "{\"a\"}", "{a: 1}", "[1 2]",
                                      "\"\n\"", "nul", "{} {}", "\"\\x\"", "inf"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(!harness_json_fault(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(harness_json_fault(bad[i]), "%s", bad[i]);
}
END_TEST

START_TEST(statistics_count)
{
    drua_context *context = harness_open();
    drua_statistics s, t;
    const float number = 1;
    drua_image a = harness_line(context, &number, 1);
    drua_get_statistics(context, &s);
    ck_assert_uint_gt(s.device_bytes, 0);
    drua_argument add[] = {IMAGE(a), NEW, NUMBER(1)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
    REQUIRE(drua_sync(context));
    ck_assert_double_eq(harness_first(context, add[1].image), 2);
    drua_get_statistics(context, &t);
    ck_assert_uint_eq(t.calls, s.calls + 1);
    ck_assert_uint_eq(t.launches, s.launches + 1);
    ck_assert_uint_eq(t.chains, s.chains + 1);
    ck_assert_uint_eq(t.chained_steps, s.chained_steps + 1);
    ck_assert_uint_ge(t.programs_built, 1);
    ck_assert_uint_ge(t.waits, s.waits + 2);
    ck_assert_uint_ge(t.peak_bytes, t.device_bytes);
    drua_close(context);
}
END_TEST

/* A program and a library of different versions exchange only the fields that both know. */
START_TEST(structures_may_grow)
{
    enum { OLDER = offsetof(drua_statistics, waits), NEWER = 24 };
    drua_context *context = harness_open();
    drua_statistics whole;
    struct {
        drua_statistics known;
        unsigned char more[NEWER];
    } newer;
    unsigned char older[sizeof whole];
    drua_get_statistics(context, &whole);
    memset(&newer, 7, sizeof newer);
    drua_get_statistics_sized(context, &newer.known, sizeof newer);
    ck_assert_mem_eq(&newer.known, &whole, sizeof whole);
    for (int i = 0; i < NEWER; i++)
        ck_assert_int_eq(newer.more[i], 0);
    memset(older, 7, sizeof older);
    drua_get_statistics_sized(context, (drua_statistics *)(void *)older, OLDER);
    ck_assert_mem_eq(older, &whole, OLDER);
    for (size_t i = OLDER; i < sizeof older; i++)
        ck_assert_int_eq(older[i], 7);
    drua_device_info device;
    memset(&device, 7, sizeof device);
    drua_context_device_sized(context, &device, offsetof(drua_device_info, platform));
    ck_assert_str_eq(device.name, drua_device_name(context));
    ck_assert_int_eq(((unsigned char *)&device.platform)[0], 7);
    drua_close(context);
}
END_TEST

START_TEST(dead_work_never_runs)
{
    drua_context *context = harness_open();
    const float number = 1;
    drua_image a = harness_line(context, &number, 1);
    drua_argument add[] = {IMAGE(a), NEW, NUMBER(1)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", add, 3, NULL));
    REQUIRE(drua_release(context, add[1].image));
    REQUIRE(drua_sync(context));
    drua_statistics s;
    drua_get_statistics(context, &s);
    ck_assert_uint_eq(s.launches, 0);
    drua_close(context);
}
END_TEST

/* Memory comes from the pool, so a loop that creates and releases images does not take more and more memory. */
START_TEST(memory_is_used_again)
{
    drua_context *context = harness_open();
    drua_statistics s;
    uint64_t early = 0;
    for (int i = 0; i < 200; i++) {
        drua_image image;
        REQUIRE(drua_create(context, reference_stack(64, 64, 8), DRUA_FLOAT32, &image));
        REQUIRE(INVOKE(context, "set", IMAGE(image), NUMBER(i)));
        ck_assert_double_eq(harness_first(context, image), i);
        REQUIRE(drua_release(context, image));
        drua_get_statistics(context, &s);
        if (i == 3)
            early = s.device_bytes;
    }
    ck_assert_uint_eq(s.device_bytes, early);
    drua_close(context);
}
END_TEST

START_TEST(reports)
{
    drua_context *context = harness_open();
    const float numbers[] = {1, 2, 3};
    REQUIRE(drua_bind(context, "blobs.gif", harness_line(context, numbers, 3)));
    const char *report = drua_report_memory(context);
    ck_assert_msg(strstr(report, "GPU contains 1 images.") == report, "%s", report);
    ck_assert_ptr_nonnull(strstr(report, "- blobs.gif["));
    ck_assert_ptr_nonnull(strstr(report, "12.0 b"));
    harness_line(context, numbers, 2);
    report = drua_report_memory(context);
    ck_assert_msg(strstr(report, "GPU contains 2 images.") == report, "%s", report);
    ck_assert_ptr_nonnull(strstr(report, "- blobs.gif["));
    ck_assert_ptr_nonnull(strstr(report, "- without a name [2x1x1 float"));
    ck_assert_ptr_nonnull(strstr(report, "= 20.0 b"));
    REQUIRE(drua_trace(context, 1));
    REQUIRE(COMMAND(context, "CLIJ2_copy", NAME("blobs.gif"), NAME("copy")));
    REQUIRE(drua_trace(context, 0));
    const char *times = drua_trace_text(context);
    ck_assert_msg(strstr(times, "> CLIJ2_copy\n< CLIJ2_copy ") == times && strstr(times, " ms\n"), "%s", times);
    REQUIRE(COMMAND(context, "CLIJ2_copy", NAME("blobs.gif"), NAME("copy")));
    ck_assert_ptr_eq(strstr(drua_trace_text(context) + 1, "> CLIJ2_copy"), NULL);
    drua_close(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("describe");
    TCase *tests = tcase_create("describe");
    tcase_add_test(tests, description_is_json);
    tcase_add_test(tests, json_checker_finds_faults);
    tcase_add_test(tests, statistics_count);
    tcase_add_test(tests, structures_may_grow);
    tcase_add_test(tests, dead_work_never_runs);
    tcase_add_test(tests, memory_is_used_again);
    tcase_add_test(tests, reports);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
