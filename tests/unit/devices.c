/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests how a device is chosen: by a part of its name, by its index or by its type. If no device matches, the best one
 * is used, with a note.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "harness.h"

#include "device.h"
#include "hardware.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char note[512], name[256];

static void open_selector(const char *selector)
{
    drua_context *context = NULL;
    REQUIRE(drua_open(selector, &context));
    drua_device_info info;
    drua_context_device(context, &info);
    snprintf(note, sizeof note, "%s", drua_context_note(context));
    snprintf(name, sizeof name, "%s", info.name);
    drua_close(context);
}

static void forget_environment(void)
{
    unsetenv("DRUA_DEVICE");
}

START_TEST(list)
{
    size_t count = drua_device_count();
    ck_assert_uint_ge(count, 1);
    drua_device_info info, before = {.is_gpu = 1};
    for (size_t i = 0; i < count; i++) {
        REQUIRE(drua_device_describe(i, &info));
        ck_assert_uint_gt(strlen(info.name), 0);
        ck_assert_uint_gt(info.global_memory, 0);
        ck_assert_uint_gt(info.largest_work_group, 0);
        ck_assert_double_ge(info.opencl_version, 1.2);
        ck_assert_msg(before.is_gpu >= info.is_gpu, "a GPU comes after another device");
        before = info;
    }
}
END_TEST

START_TEST(by_index_and_by_part_of_a_name)
{
    drua_device_info info;
    REQUIRE(drua_device_describe(0, &info));
    open_selector("0");
    ck_assert_str_eq(name, info.name);
    ck_assert_str_eq(note, "");
    char part[64];
    snprintf(part, sizeof part, "%.12s", info.name);
    for (char *c = part; *c; c++)
        *c = (char)(isupper((unsigned char)*c) ? tolower((unsigned char)*c) : toupper((unsigned char)*c));
    open_selector(part);
    ck_assert_str_eq(name, info.name);
    ck_assert_str_eq(note, "");
    open_selector(info.is_gpu ? "gpu" : "CPU");
    ck_assert_str_eq(note, "");
}
END_TEST

START_TEST(by_address)
{
    drua_device_info info, other, opened;
    const size_t count = drua_device_count();
    for (size_t i = 0; i < count; i++) {
        drua_context *context = NULL;
        REQUIRE(drua_device_describe(i, &info));
        ck_assert_uint_gt(strlen(info.address), 0);
        for (size_t k = 0; k < i; k++) {
            REQUIRE(drua_device_describe(k, &other));
            ck_assert_str_ne(info.address, other.address);
        }
        REQUIRE(drua_open(info.address, &context));
        drua_context_device(context, &opened);
        ck_assert_str_eq(opened.address, info.address);
        ck_assert_str_eq(drua_context_note(context), "");
        drua_close(context);
    }
}
END_TEST

START_TEST(what_fits_nothing)
{
    drua_device_info info;
    REQUIRE(drua_device_describe(0, &info));
    open_selector("Quantum 9000");
    ck_assert_ptr_nonnull(strstr(note, "'Quantum 9000'"));
    ck_assert_ptr_nonnull(strstr(note, info.name));
    ck_assert_str_eq(name, info.name);
    open_selector("4711");
    ck_assert_ptr_nonnull(strstr(note, "'4711'"));
    char very_long[2000];
    memset(very_long, 'z', sizeof very_long - 1);
    very_long[sizeof very_long - 1] = 0;
    open_selector(very_long);
    ck_assert_uint_gt(strlen(note), 0);
}
END_TEST

START_TEST(environment)
{
    setenv("DRUA_DEVICE", "Quantum 9000", 1);
    open_selector(NULL);
    ck_assert_ptr_nonnull(strstr(note, "'Quantum 9000'"));
    open_selector("");
    ck_assert_ptr_nonnull(strstr(note, "'Quantum 9000'"));
    open_selector("0");
    ck_assert_str_eq(note, "");
    setenv("DRUA_DEVICE", "0", 1);
    open_selector(NULL);
    ck_assert_str_eq(note, "");
    unsetenv("DRUA_DEVICE");
    open_selector(NULL);
    ck_assert_str_eq(note, "");
}
END_TEST

START_TEST(several_contexts)
{
    drua_context *a = harness_open(), *b = harness_open();
    const float number = 4;
    drua_image image = harness_line(a, &number, 1), other = harness_line(b, &number, 1);
    REQUIRE(drua_bind(a, "mine", image));
    ck_assert_str_eq(drua_names(b), "");
    drua_close(a);
    ck_assert_double_eq(harness_first(b, other), 4);
    drua_close(b);
    drua_close(NULL);
}
END_TEST

/* A context's texts about its device live as long as the context, and the memory limit survives a restart. */
START_TEST(a_restart_keeps_texts_and_budget)
{
    drua_context *context = NULL;
    drua_statistics before, after;
    REQUIRE(drua_open("Quantum 9000", &context));
    const char *const said = drua_context_note(context), *const warned = drua_context_warning(context);
    for (int i = 0; i < 2; i++) {
        REQUIRE(drua_set_memory(context, i ? NULL : "64MB"));
        drua_get_statistics(context, &before);
        REQUIRE(drua_restart(context));
        drua_get_statistics(context, &after);
        ck_assert_uint_eq(after.budget_bytes, before.budget_bytes);
        ck_assert_int_eq(after.budget_bytes == 64 << 20, !i);
    }
    REFUSED(DRUA_E_ARGUMENT, drua_set_memory(context, "much"), "much");
    REQUIRE(drua_restart(context));
    drua_get_statistics(context, &after);
    ck_assert_uint_eq(after.budget_bytes, before.budget_bytes);
    ck_assert_ptr_eq(drua_context_note(context), said);
    ck_assert_ptr_eq(drua_context_warning(context), warned);
    ck_assert_ptr_nonnull(strstr(said, "'Quantum 9000'"));
    drua_close(context);
}
END_TEST

static void write_file(const char *root, const char *folders, const char *file, const char *text)
{
    char command[1024], path[1024];
    snprintf(command, sizeof command, "mkdir -p '%s/%s'", root, folders);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/%s/%s", root, folders, file);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

START_TEST(gpus_of_the_system)
{
    char root[] = "/tmp/drua-hardware-XXXXXX", command[256];
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_ptr_null(drua_hardware_gpu(root));
    write_file(root, "sys/class/drm/renderD128/device", "vendor", "0x1a03\n"); /* a server's graphics console */
    ck_assert_ptr_null(drua_hardware_gpu(root));
    write_file(root, "sys/class/drm/renderD129/device", "vendor", "0x8086\n");
    ck_assert_str_eq(drua_hardware_gpu(root)->vendor, "Intel");
    write_file(root, "sys/class/drm/renderD130/device", "vendor", "0x1002\n");
    ck_assert_str_eq(drua_hardware_gpu(root)->vendor, "AMD");
    write_file(root, "proc/driver/nvidia", "version", "NVRM version\n");
    ck_assert_str_eq(drua_hardware_gpu(root)->vendor, "NVIDIA");
    snprintf(command, sizeof command, "rm -r '%s'", root);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(the_name_is_told)
{
    drua_context *context = NULL;
    drua_device_info info;
    REQUIRE(drua_open(NULL, &context));
    drua_context_device(context, &info);
    ck_assert_str_eq(drua_device_name(context), info.name);
    ck_assert_int_eq(strncmp(drua_explain_launches(context), info.name, strlen(info.name)), 0);
    drua_close(context);
}
END_TEST

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* Latest progress of a check, the progress at which to stop it, and the number of reports. */
typedef struct seen {
    double last, end;
    int count;
} seen;

static int note_progress(void *payload, double part)
{
    seen *s = payload;
    ck_assert_msg(part >= s->last && part <= 1, "%g after %g", part, s->last);
    s->last = part;
    s->count++;
    return part < s->end;
}

START_TEST(this_computer_is_right)
{
    const char *report;
    seen all = {.end = 2};
    REQUIRE(drua_check_computer(note_progress, &all, &report));
    ck_assert_uint_eq((size_t)all.count, 10 * drua_device_count());
    ck_assert_msg(all.last > 0.9, "%g", all.last);
    ck_assert_msg(count_of(report, " correct\n") == 8 * drua_device_count(), "%s", report);
    ck_assert_msg(!strncmp(report, "Drua works on this computer and uses ", 37), "%s", report);
    ck_assert_msg(count_of(report, ", which Drua uses: ") == 1, "%s", report);
    ck_assert_msg(count_of(report, "copies in its memory") == drua_device_count(), "%s", report);
    const char *row = "one CPU thread", *at = strstr(report, row);
    ck_assert_msg(at && strtod(at + strlen(row), NULL) < 1000, "no thread copies so fast: %s", report);
}
END_TEST

START_TEST(a_check_can_be_stopped)
{
    const char *report;
    seen half = {.end = 0.3};
    ck_assert_int_eq(drua_check_computer(note_progress, &half, &report), DRUA_E_CANCELLED);
    ck_assert_msg(half.last >= 0.3 && half.last < 0.6, "%g", half.last);
    ck_assert_msg(count_of(report, " correct\n") < 8 && !strncmp(report, "the check was stopped on request.\n", 34),
                  "%s", report);
}
END_TEST

/* ---- two GPUs: needs two PoCL devices, which are treated as GPUs */

static void find_two(drua_device_info two[2])
{
    ck_assert_uint_eq(drua_device_count(), 2);
    for (size_t i = 0; i < 2; i++) {
        REQUIRE(drua_device_describe(i, &two[i]));
        ck_assert(two[i].is_gpu);
    }
    ck_assert_str_ne(two[0].name, two[1].name);
}

/* Uses a private cache folder; `speeds` becomes its file of device speeds, "" means no file. */
static void use_cache(const char *speeds)
{
    static char folder[HARNESS_FOLDER];
    harness_make_folder(folder);
    setenv("DRUA_CACHE", folder, 1);
    if (*speeds)
        write_file(folder, "", "devices.speed", speeds);
}

START_TEST(the_faster_of_two_gpus_serves)
{
    drua_device_info two[2], now;
    use_cache("");
    find_two(two);
    for (int fast = 0; fast < 2; fast++) {
        drua_device_keep_speed(&two[fast], 2e9);
        drua_device_keep_speed(&two[1 - fast], 1e9);
        REQUIRE(drua_device_describe(0, &now));
        ck_assert_str_eq(now.name, two[fast].name);
        open_selector(NULL);
        ck_assert_str_eq(name, two[fast].name);
        open_selector(two[1 - fast].name);
        ck_assert_str_eq(name, two[1 - fast].name);
    }
}
END_TEST

static int remembered(void)
{
    char line[256], path[512];
    int lines = 0;
    snprintf(path, sizeof path, "%s/devices.speed", getenv("DRUA_CACHE"));
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file))
        lines++;
    fclose(file);
    return lines;
}

START_TEST(both_are_timed_and_remembered)
{
    drua_device_info two[2];
    use_cache("");
    find_two(two);
    open_selector(NULL);
    for (int i = 0; i < 2; i++)
        ck_assert_double_gt(drua_device_speed(&two[i]), 1e6);
    ck_assert_int_eq(remembered(), 2);
}
END_TEST

START_TEST(a_damaged_file_is_no_harm)
{
    drua_device_info two[2];
    use_cache("nonsense\n0123456789abcdef\n0123456789abcdef -\n\377\376 1\n1 18446744073709551615\n2 0\n");
    find_two(two);
    ck_assert_double_eq(drua_device_speed(&two[0]), 0);
    open_selector(NULL);
    ck_assert_double_gt(drua_device_speed(&two[0]), 1e6);
    ck_assert_int_eq(remembered(), 2);
}
END_TEST

int main(void)
{
    forget_environment();
    Suite *suite = suite_create("devices");
    TCase *tests = tcase_create("devices");
    tcase_add_test(tests, list);
    tcase_add_test(tests, gpus_of_the_system);
    tcase_add_test(tests, the_name_is_told);
    tcase_add_test(tests, by_index_and_by_part_of_a_name);
    tcase_add_test(tests, by_address);
    tcase_add_test(tests, what_fits_nothing);
    tcase_add_test(tests, environment);
    tcase_add_test(tests, several_contexts);
    tcase_add_test(tests, a_restart_keeps_texts_and_budget);
    tcase_add_test(tests, this_computer_is_right);
    tcase_add_test(tests, a_check_can_be_stopped);
    suite_add_tcase(suite, tests);
    if (getenv("POCL_DEVICES")) {
        TCase *two = tcase_create("two_gpus");
        tcase_add_test(two, by_address);
        tcase_add_test(two, the_faster_of_two_gpus_serves);
        tcase_add_test(two, both_are_timed_and_remembered);
        tcase_add_test(two, a_damaged_file_is_no_harm);
        suite_add_tcase(suite, two);
    }
    return harness_run(suite);
}
