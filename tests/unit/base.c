/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness.h"

#include "alloc.h"
#include "crc32c.h"
#include "error.h"
#include "hash.h"
#include "sha256.h"
#include "quote.h"
#include "text.h"

#include <string.h>

START_TEST(text_grows)
{
    drua_text text = {0};
    ck_assert_str_eq(drua_text_characters(&text), "");
    for (int i = 0; i < 1000; i++)
        drua_text_add(&text, "%d,", i % 10);
    ck_assert_uint_eq(text.length, 2000);
    ck_assert_mem_eq(drua_text_characters(&text), "0,1,2,", 6);
    drua_text_append(&text, "end\0more", 3);
    drua_text_append(&text, NULL, 0);
    ck_assert_str_eq(drua_text_characters(&text) + 2000, "end");
    drua_text_free(&text);
    ck_assert_str_eq(drua_text_characters(&text), "");
}
END_TEST

START_TEST(long_parts_are_whole)
{
    enum { LONG = 5000 };
    char part[LONG + 1] = "";
    drua_text text = {0};
    memset(part, 'x', LONG);
    for (int i = 1; i <= 3; i++) {
        drua_text_add(&text, "<%s>", part);
        ck_assert_uint_eq(text.length, (size_t)i * (LONG + 2));
        ck_assert_uint_eq(strlen(drua_text_characters(&text)), text.length);
        ck_assert_str_eq(drua_text_characters(&text) + text.length - 2, "x>");
    }
    drua_text_free(&text);
}
END_TEST

START_TEST(text_without_memory_stays)
{
    drua_text text = {0};
    drua_text_add(&text, "kept");
    char long_text[200];
    memset(long_text, 'x', sizeof long_text);
    drua_alloc_fail_after(1);
    drua_text_append(&text, long_text, sizeof long_text);
    ck_assert(text.failed);
    ck_assert_str_eq(drua_text_characters(&text), "kept");
    drua_text_free(&text);
}
END_TEST

START_TEST(json_is_escaped)
{
    drua_text text = {0};
    drua_text_add_json(&text, "a \"b\" \\ \n\t\x01 \xc3\xa4");
    ck_assert_str_eq(drua_text_characters(&text), "\"a \\\"b\\\" \\\\ \\u000a\\u0009\\u0001 \xc3\xa4\"");
    ck_assert_ptr_null(harness_json_fault(drua_text_characters(&text)));
    drua_text_free(&text);
}
END_TEST

START_TEST(distance)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {{"", "", 0},
                 {"", "abc", 3},
                 {"abc", "", 3},
                 {"blur", "BLUR", 0},
                 {"kitten", "sitting", 3},
                 {"blur2D", "blur3D", 1},
                 {"gausianBlur", "gaussianBlur", 1},
                 {"ab", "ba", 2},
                 {"abc", "xyz", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_uint_eq(drua_text_distance(cases[i].a, cases[i].b), cases[i].distance);
        ck_assert_uint_eq(drua_text_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    char very_long[500];
    memset(very_long, 'a', sizeof very_long);
    very_long[sizeof very_long - 1] = 0;
    ck_assert_uint_eq(drua_text_distance(very_long, "a"), 499);
}
END_TEST

START_TEST(allocations)
{
    unsigned char *block = drua_alloc(100);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(block[i], 0);
    drua_free(block);
    block = drua_alloc(0);
    ck_assert_ptr_nonnull(block);
    drua_free(block);
    drua_free(NULL);

    drua_alloc_fail_after(2);
    void *first = drua_alloc(1), *second = drua_alloc(1), *third = drua_alloc(1);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(second);
    ck_assert_ptr_nonnull(third);
    drua_free(third);

    drua_alloc_fail_after(1);
    ck_assert_ptr_null(drua_realloc(first, 10));
    ck_assert_ptr_nonnull(first = drua_realloc(first, 10));
    drua_free(first);

    drua_alloc_fail_after(1);
    ck_assert_ptr_null(drua_copy_text("text"));
    char *copy = drua_copy_text("text");
    ck_assert_str_eq(copy, "text");
    drua_free(copy);

    drua_alloc_fail_after(1);
    drua_alloc_fail_after(0);
    ck_assert_ptr_nonnull(block = drua_alloc(1));
    drua_free(block);
}
END_TEST

START_TEST(sentences)
{
    ck_assert_int_eq(drua_fail(DRUA_E_NAME, "no %s", "image"), DRUA_E_NAME);
    ck_assert_str_eq(drua_error_text(), "no image");
    drua_error_prefix("copy", 0);
    ck_assert_str_eq(drua_error_text(), "copy: no image");
    drua_error_prefix("copy", 0);
    ck_assert_str_eq(drua_error_text(), "copy: no image");
    drua_fail(DRUA_E_DEVICE, "again: %s", drua_error_text());
    ck_assert_str_eq(drua_error_text(), "again: copy: no image");
    drua_error_prefix("blur", 7);
    ck_assert_str_eq(drua_error_text(), "blur (called in line 7): again: copy: no image");
    drua_error_prefix("blur", 0);
    ck_assert_str_eq(drua_error_text(), "blur (called in line 7): again: copy: no image");
    ck_assert_int_eq(drua_fail_memory(12), DRUA_E_MEMORY);
    ck_assert_ptr_nonnull(strstr(drua_error_text(), "12 more bytes"));

    char very_long[5000];
    memset(very_long, 'n', sizeof very_long);
    very_long[sizeof very_long - 1] = 0;
    drua_fail(DRUA_E_NAME, "%s", very_long);
    drua_error_prefix(very_long, 1);
    ck_assert_uint_lt(strlen(drua_error_text()), 2000);
}
END_TEST

START_TEST(hashes)
{
    ck_assert_uint_eq(drua_hash(DRUA_HASH_START, "", 0), DRUA_HASH_START);
    ck_assert_uint_eq(drua_hash(DRUA_HASH_START, "a", 1), 0xaf63dc4c8601ec8cu);
    ck_assert_uint_eq(drua_hash(drua_hash(DRUA_HASH_START, "foo", 3), "bar", 3),
                      drua_hash(DRUA_HASH_START, "foobar", 6));
}
END_TEST

/* Tests the check value of the CRC catalogue, and joins the checksums of two parts, wherever the text is split. */
START_TEST(crc32c)
{
    static const char digits[] = "123456789";
    const size_t length = sizeof digits - 1;
    ck_assert_uint_eq(drua_crc32c(digits, length), 0xe3069283);
    ck_assert_uint_eq(drua_crc32c("", 0), 0);
    for (size_t i = 0; i <= length; i++) {
        const uint32_t before = drua_crc32c(digits, i), after = drua_crc32c(digits + i, length - i);
        ck_assert_uint_eq(drua_crc32c_join(before, after, length - i), 0xe3069283);
    }
}
END_TEST

/* Tests the first two examples of FIPS 180-2, whole and in pieces. */
START_TEST(sha256)
{
    static const char *const examples[][2] = {
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    char text[DRUA_SHA256_TEXT];
    for (int i = 0; i < 2; i++)
        for (size_t piece = 1; piece <= strlen(examples[i][0]); piece++) {
            drua_sha256 hash;
            drua_sha256_begin(&hash);
            for (size_t at = 0; at < strlen(examples[i][0]); at += piece) {
                const size_t left = strlen(examples[i][0]) - at;
                drua_sha256_add(&hash, examples[i][0] + at, left < piece ? left : piece);
            }
            drua_sha256_end(&hash, text);
            ck_assert_str_eq(text, examples[i][1]);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base");
    TCase *tests = tcase_create("base");
    tcase_add_test(tests, text_grows);
    tcase_add_test(tests, long_parts_are_whole);
    tcase_add_test(tests, text_without_memory_stays);
    tcase_add_test(tests, json_is_escaped);
    tcase_add_test(tests, distance);
    tcase_add_test(tests, allocations);
    tcase_add_test(tests, sentences);
    tcase_add_test(tests, hashes);
    tcase_add_test(tests, crc32c);
    tcase_add_test(tests, sha256);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
