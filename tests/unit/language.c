/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that the engine writes 1.5 even if the process's locale writes 1,5, as Java's does in half of Europe. */
#include "harness.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;

static void speak(void)
{
    setlocale(LC_ALL, "");
    if (getenv("LOCPATH"))
        ck_assert_msg(!strcmp(localeconv()->decimal_point, ","),
                      "the locale that was made for this test does not exist");
    else
        harness_skip("without localedef there is no locale that writes 1,5");
    context = harness_open();
}

static void close_context(void)
{
    drua_close(context);
}

START_TEST(description)
{
    const char *text = drua_describe();
    ck_assert_ptr_nonnull(strstr(text, "\"default\":0.5"));
    for (const char *c = text; (c = strstr(c, "\"default\":")); c++) {
        const char *end = c + strlen("\"default\":");
        /* a value in quotation marks may contain commas */
        end += *end == '"' ? strcspn(end + 1, "\"") + 2 : strcspn(end, ",}");
        ck_assert_msg(*end == '}' || end[1] == '"', "%.40s", c);
    }
}
END_TEST

START_TEST(aliases_with_numbers)
{
    const float numbers[] = {1, 2, 3};
    drua_image made = 0;
    REQUIRE(drua_bind(context, "a", harness_line(context, numbers, 3)));
    REQUIRE(COMMAND(context, "CLIJ2_addImageAndScalar", NAME("a"), NAME("b"), NUMBER(0.5)));
    REQUIRE(drua_find(context, "b", &made));
    ck_assert_double_eq(harness_first(context, made), 1.5);
}
END_TEST

START_TEST(texts)
{
    const float numbers[] = {1, 2, 3, 4, 5, 6};
    drua_argument moved[] = {IMAGE(harness_line(context, numbers, 6)), NEW, NAME("translateX=0.5"), NUMBER(0)};
    REQUIRE(drua_invoke(context, "affine_transform", moved, 4, NULL));
    reference_image result = harness_pull(context, moved[1].image);
    ck_assert_double_eq_tol(reference_at(&result, 2, 0, 0), 3.5, 1e-6);
    reference_free(&result);
}
END_TEST

/* Constants are written into the text of compiled chains. */
START_TEST(program_text)
{
    const float numbers[] = {1, 2, 3};
    drua_argument scaled[] = {IMAGE(harness_line(context, numbers, 3)), NEW, NUMBER(1.5)};
    REQUIRE(drua_invoke(context, "multiply_image_and_scalar", scaled, 3, NULL));
    drua_argument shifted[] = {scaled[1], NEW, NUMBER(0.25)};
    REQUIRE(drua_invoke(context, "add_image_and_scalar", shifted, 3, NULL));
    ck_assert_double_eq(harness_first(context, shifted[1].image), 1.75);
}
END_TEST

START_TEST(transforms)
{
    float numbers[12] = {1.5F};
    drua_argument spectrum[] = {IMAGE(harness_line(context, numbers, 12)), NEW, NUMBER(0)};
    const drua_status status = drua_invoke(context, "power_spectrum", spectrum, 3, NULL);
    if (status == DRUA_E_UNSUPPORTED)
        return;
    REQUIRE(status);
    ck_assert_double_eq_tol(harness_first(context, spectrum[1].image), 2.25, 1e-5);
}
END_TEST

START_TEST(sentences_and_the_language_of_the_caller)
{
    const float numbers[] = {1, 2, 3};
    REFUSED(DRUA_E_ARGUMENT,
            INVOKE(context, "gaussian_blur", IMAGE(harness_line(context, numbers, 3)), NEW, NUMBER(-1.5), NUMBER(1),
                   NUMBER(1)),
            "-1.5");
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    ck_assert_int_eq(text[1], *localeconv()->decimal_point);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("language");
    TCase *tests = tcase_create("language");
    tcase_add_checked_fixture(tests, speak, close_context);
    tcase_add_test(tests, description);
    tcase_add_test(tests, aliases_with_numbers);
    tcase_add_test(tests, texts);
    tcase_add_test(tests, program_text);
    tcase_add_test(tests, transforms);
    tcase_add_test(tests, sentences_and_the_language_of_the_caller);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
