/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the stored results of a pass: several writers, results of any length, truncated and damaged files, other
 * passes, and tables of labels that memory cannot hold.
 */
#include "alloc.h"
#include "block_files.h"
#include "error.h"
#include "host_memory.h"
#include "pass_records.h"

#undef NUMBER /* the macro for operations replaces that of harness.h */
#include "label_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 12, HEADER = 72, RECORD = 24 };

static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char other[] = "1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static char folder[BLOCK_PATH_SIZE];

static void set_up(void)
{
    block_folder_make();
    block_folder_path("pass", folder);
}

static pass_results *open_results(const char *what)
{
    pass_results *r;
    REQUIRE(pass_results_open(folder, what, BLOCKS, &r));
    return r;
}

/* Bytes that depend on their block and position. */
static drua_bytes bytes_of(int64_t block, size_t length)
{
    drua_bytes b = {malloc(length + 1), length, length};
    for (size_t i = 0; i < length; i++)
        b.data[i] = (unsigned char)((size_t)block * 31 + i + i / 251);
    return b;
}

static void add_result(pass_results *r, int64_t block, size_t length)
{
    drua_bytes b = bytes_of(block, length);
    REQUIRE(pass_results_add(r, block, &b));
    free(b.data);
}

static void expect_result(pass_results *r, int64_t block, size_t length)
{
    drua_bytes expected = bytes_of(block, length), found = {0};
    ck_assert(pass_results_has(r, block));
    REQUIRE(pass_results_get(r, block, &found));
    ck_assert_uint_eq(found.length, length);
    ck_assert(!length || !memcmp(expected.data, found.data, length));
    free(expected.data);
    drua_free(found.data);
}

/* The second length exceeds the reader's buffer. */
static const size_t lengths[] = {16, 17000000, 0, 1000, 1};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

START_TEST(what_writers_keep_is_read_by_all)
{
    pass_results *one = open_results(hash), *two = open_results(hash);
    for (int64_t block = 0; block < 2 * LENGTHS; block++)
        add_result(block % 2 ? one : two, block, lengths[block / 2]);
    ck_assert_int_eq(pass_results_count(one), LENGTHS);
    REQUIRE(pass_results_refresh(one, 1000));
    ck_assert_int_eq(pass_results_count(one), LENGTHS);
    REQUIRE(pass_results_refresh(one, 0));
    add_result(two, 1, lengths[0]); /* a second record of the same block */
    add_result(two, 10, 5);
    REQUIRE(pass_results_refresh(one, 0));
    pass_results *three = open_results(NULL);
    for (int64_t block = 0; block < 2 * LENGTHS; block++) {
        expect_result(one, block, lengths[block / 2]);
        expect_result(three, block, lengths[block / 2]);
    }
    expect_result(one, 10, 5);
    ck_assert_int_eq(pass_results_count(one), 2 * LENGTHS + 1);
    ck_assert(!pass_results_has(one, 11));
    pass_results_close(one);
    pass_results_close(two);
    pass_results_close(three);
}
END_TEST

static bool find_file(const char *name, void *path)
{
    if (!pass_results_is_file(name))
        return true;
    snprintf(path, 2 * BLOCK_PATH_SIZE, "%s/%s", folder, name);
    return false;
}

/* Makes one file with three records of ten bytes and returns its content. The caller frees the bytes. */
static unsigned char *make_file(char path[2 * BLOCK_PATH_SIZE], size_t *length)
{
    pass_results *r = open_results(hash);
    for (int64_t block = 0; block < 3; block++)
        add_result(r, block, 10);
    pass_results_close(r);
    drua_folder_visit(folder, find_file, path);
    drua_bytes bytes = {0};
    ck_assert_int_eq(drua_file_part(path, 0, 1000, &bytes, NULL), DRUA_FILE_PRESENT);
    *length = bytes.length;
    ck_assert_uint_eq(*length, HEADER + 3 * (RECORD + 10));
    return bytes.data;
}

static void put_file(const char *path, const unsigned char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    ck_assert(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

START_TEST(a_file_may_end_anywhere)
{
    char path[2 * BLOCK_PATH_SIZE];
    size_t all;
    unsigned char *bytes = make_file(path, &all);
    for (size_t length = 0; length <= all; length++) {
        put_file(path, bytes, length);
        pass_results *r = open_results(hash);
        const int64_t expected = length < HEADER ? 0 : (int64_t)((length - HEADER) / (RECORD + 10));
        ck_assert_int_eq(pass_results_count(r), expected);
        put_file(path, bytes, all); /* the writer continues */
        REQUIRE(pass_results_refresh(r, 0));
        for (int64_t block = 0; block < 3; block++)
            expect_result(r, block, 10);
        pass_results_close(r);
    }
    drua_free(bytes);
}
END_TEST

START_TEST(a_damaged_byte_costs_a_record)
{
    char path[2 * BLOCK_PATH_SIZE];
    size_t all;
    unsigned char *bytes = make_file(path, &all);
    for (size_t i = HEADER; i < all; i++) {
        bytes[i] ^= 0x10;
        put_file(path, bytes, all);
        pass_results *r = open_results(hash);
        const int64_t damaged = (int64_t)((i - HEADER) / (RECORD + 10));
        const bool head = (i - HEADER) % (RECORD + 10) < RECORD;
        for (int64_t block = 0; block < 3; block++)
            if (block == damaged || (block > damaged && head)) /* a damaged length hides where the record ends */
                ck_assert(!pass_results_has(r, block));
            else
                expect_result(r, block, 10);
        add_result(r, damaged, 10); /* computed again */
        expect_result(r, damaged, 10);
        pass_results_close(r);
        char own[2 * BLOCK_PATH_SIZE];
        drua_file_remove(path);
        drua_folder_visit(folder, find_file, own);
        drua_file_remove(own);
        bytes[i] ^= 0x10;
    }
    drua_free(bytes);
}
END_TEST

START_TEST(what_is_damaged_later_is_not_given)
{
    char path[2 * BLOCK_PATH_SIZE];
    size_t all;
    unsigned char *bytes = make_file(path, &all);
    pass_results *r = open_results(hash);
    drua_bytes found = {0};
    bytes[HEADER + RECORD + 3] ^= 1;
    put_file(path, bytes, all);
    ck_assert_int_eq(pass_results_get(r, 0, &found), DRUA_E_ARGUMENT);
    ck_assert_msg(strstr(drua_error_text(), "the result of block 0 in '"), "%s", drua_error_text());
    ck_assert(!pass_results_has(r, 0) && pass_results_count(r) == 2);
    drua_free(found.data);
    pass_results_close(r);
    drua_free(bytes);
}
END_TEST

START_TEST(another_pass_is_refused)
{
    pass_results *r = open_results(hash), *wrong;
    add_result(r, 0, 10);
    pass_results_close(r);
    ck_assert_int_eq(pass_results_open(folder, other, BLOCKS, &wrong), DRUA_E_ARGUMENT);
    ck_assert_msg(strstr(drua_error_text(), "has results of another plan"), "%s", drua_error_text());
    pass_results_close(wrong);
}
END_TEST

START_TEST(what_is_joined_is_whole_or_not_there)
{
    char path[2 * BLOCK_PATH_SIZE];
    drua_bytes expected = bytes_of(7, 100), found = {0};
    ck_assert(!pass_joined_exists(folder) && !pass_joined_read(folder, hash, &found));
    REQUIRE(pass_joined_write(folder, hash, &expected));
    ck_assert(pass_joined_exists(folder) && pass_joined_read(folder, hash, &found));
    ck_assert(found.length == 100 && !memcmp(found.data, expected.data, 100));
    drua_free(found.data);
    found = (drua_bytes){0};
    ck_assert(!pass_joined_read(folder, other, &found));
    snprintf(path, sizeof path, "%s/joined", folder);
    drua_bytes file = {0};
    ck_assert_int_eq(drua_file_part(path, 0, 1000, &file, NULL), DRUA_FILE_PRESENT);
    for (size_t i = 0; i < file.length; i++) {
        file.data[i] ^= 4;
        put_file(path, file.data, file.length);
        ck_assert(!pass_joined_read(folder, hash, &found));
        file.data[i] ^= 4;
    }
    put_file(path, file.data, file.length - 1);
    ck_assert(!pass_joined_read(folder, hash, &found));
    drua_free(file.data);
    free(expected.data);
}
END_TEST

/* The system ends a process whose tables need nearly all memory, so these are refused before they are made. */
START_TEST(tables_leave_memory_to_others)
{
    const uint64_t memory = drua_host_memory();
    ck_assert_uint_gt(memory, 0);
    REQUIRE(label_rows_fit(7, memory / 8));
    ck_assert_int_eq(label_rows_fit(4294967040, memory / 2), DRUA_E_MEMORY);
    ck_assert_ptr_nonnull(strstr(drua_error_text(), "label 4294967040 is too large"));
    ck_assert_int_eq(label_rows_fit(7, SIZE_MAX), DRUA_E_MEMORY);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("results of passes");
    TCase *tests = tcase_create("results");
    tcase_add_checked_fixture(tests, set_up, block_folder_remove);
    tcase_add_test(tests, what_writers_keep_is_read_by_all);
    tcase_add_test(tests, a_file_may_end_anywhere);
    tcase_add_test(tests, a_damaged_byte_costs_a_record);
    tcase_add_test(tests, what_is_damaged_later_is_not_given);
    tcase_add_test(tests, another_pass_is_refused);
    tcase_add_test(tests, what_is_joined_is_whole_or_not_there);
    tcase_add_test(tests, tables_leave_memory_to_others);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
